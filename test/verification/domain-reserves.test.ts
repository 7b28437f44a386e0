import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { borrowCurve, NO_TERMS } from '../../src/domain/interest.ts';
import { borrowApr, borrowApy, supplyApr, supplyApy } from '../../src/domain/rates.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import {
  borrowedUsd,
  collateralExchangeRate,
  freelyAvailable,
  queuedLiquidity,
  reserveFees,
  suppliedUsd,
} from '../../src/domain/reserve.ts';
import { readVectors } from '../support/vectors/account-vectors.ts';
import {
  type CaseMoment,
  decodeReserve,
  expectClose,
  expectSdkYield,
  lostGrowth,
  momentOf,
  sdkNumber,
} from '../support/vectors/maths-vectors.ts';

type Numbers<K extends string> = Readonly<Record<K, string>>;

interface ReserveCase extends CaseMoment {
  readonly name: string;
  readonly referralFeeBps: number;
  readonly priceUsd: string;
  readonly data: string;
  readonly now: Numbers<
    | 'totalSupply'
    | 'borrowed'
    | 'utilization'
    | 'exchangeRate'
    | 'cumulativeBorrowRate'
    | 'queuedLiquidity'
    | 'freelyAvailable'
    | 'depositTvl'
    | 'borrowTvl'
    | 'borrowApr'
    | 'supplyApr'
    | 'borrowApy'
    | 'supplyApy'
    | 'originationFee'
    | 'flashLoanFee'
  >;
  readonly later: readonly Numbers<
    | 'slot'
    | 'borrowed'
    | 'totalSupply'
    | 'protocolFees'
    | 'cumulativeBorrowRate'
    | 'exchangeRate'
    | 'utilization'
    | 'borrowApr'
  >[];
}

/** The largest change of the borrow rate over a change of the utilization. */
function steepest(config: ReserveConfig): Rational {
  const points = borrowCurve(config);
  return points.slice(1).reduce((most, { utilization, rate }, i) => {
    const [from] = points.slice(i);
    const run = from === undefined ? ZERO : utilization.sub(from.utilization);
    return from === undefined || run.isZero ? most : most.max(rate.sub(from.rate).div(run).abs());
  }, ZERO);
}

const { cases } = readVectors<{ cases: readonly ReserveCase[] }>('maths-reserves');

describe.each(cases.map((each) => [each.name, each] as const))('reserve, %s', (_, given) => {
  const account = decodeReserve(given.data);
  const moment = momentOf(given);
  const terms = { ...NO_TERMS, referralFeeBps: given.referralFeeBps };
  const accrued = refreshReserve(account, moment, terms);
  const price = parseDecimal(given.priceUsd);

  it('matches the SDK in totals, exchange rate and available liquidity', () => {
    expectClose(accrued.totalSupply, given.now.totalSupply, 30);
    expectClose(accrued.borrowed, given.now.borrowed, 30);
    expectClose(accrued.cumulativeBorrowRate, given.now.cumulativeBorrowRate, 30);
    expectClose(collateralExchangeRate(accrued), given.now.exchangeRate, 25);
    expectClose(queuedLiquidity(accrued), given.now.queuedLiquidity, 25);
    expectClose(freelyAvailable(accrued), given.now.freelyAvailable, 25);
    expectClose(suppliedUsd(accrued, price), given.now.depositTvl, 25);
    expectClose(borrowedUsd(accrued, price), given.now.borrowTvl, 25);
  });

  it('matches the SDK in utilization and rates, within the precision of its doubles', () => {
    expectClose(accrued.utilization, given.now.utilization);
    expectClose(borrowApr(accrued, moment), given.now.borrowApr);
    expectClose(supplyApr(accrued, moment), given.now.supplyApr);
    expectSdkYield(borrowApy(accrued, moment), given.now.borrowApy);
    expectSdkYield(supplyApy(accrued, moment), given.now.supplyApy);
  });

  it('matches the SDK in fees; disabled flash loans have none', () => {
    const fees = reserveFees(account);
    expectClose(fees.origination, given.now.originationFee, 30);
    expectClose(fees.flashLoan ?? ZERO, given.now.flashLoanFee, 30);
  });

  it.each(given.later.map((each) => [each.slot, each] as const))(
    'accrues to slot %s like the SDK with slots of nominal length',
    (slot, expected) => {
      const later = refreshReserve(account, { ...moment, slot: BigInt(slot) }, terms);
      // The SDK does not round the growth to steps of 2^-60 (decision 5). Debt and fees each lose what the growth does.
      const lost = lostGrowth(BigInt(slot) - account.lastUpdate.slot);
      const lostUnits = sdkNumber(expected.borrowed).mul(lost);
      const lostSupply = lostUnits.mul(integer(2));
      const supply = sdkNumber(expected.totalSupply);
      const lostPart = supply.isZero ? ZERO : lostSupply.div(supply);
      expectClose(later.borrowed, expected.borrowed, 15, lostUnits);
      expectClose(later.totalSupply, expected.totalSupply, 15, lostSupply);
      // Fees are stored in steps of 2^-60, which is visible in the interest of a dust debt.
      const steps = later.protocolFees
        .sub(parseDecimal(expected.protocolFees))
        .abs()
        .mul(integer(FRACTION_ONE));
      if (steps.compare(integer(4)) > 0) {
        expectClose(later.protocolFees, expected.protocolFees, 12, lostSupply);
      }
      const rate = sdkNumber(expected.cumulativeBorrowRate);
      expectClose(later.cumulativeBorrowRate, rate, 15, rate.mul(lost));
      const exchanged = sdkNumber(expected.exchangeRate);
      expectClose(collateralExchangeRate(later), exchanged, 15, exchanged.mul(lostPart));
      const lostUse = sdkNumber(expected.utilization).mul(lost.add(lostPart));
      expectClose(later.utilization, expected.utilization, 12, lostUse);
      const nominal = { ...moment, slotDurationMs: integer(500) };
      if (account.config.debtTermSeconds === 0n) {
        expectClose(borrowApr(later, nominal), expected.borrowApr, 12, lostUse.mul(steepest(account.config)));
      }
      expect(later.at.slot).toBe(BigInt(slot));
    },
  );
});

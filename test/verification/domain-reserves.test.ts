import { describe, expect, it } from 'vitest';
import { accrueReserve } from '../../src/domain/interest.ts';
import { borrowApr, borrowApy, supplyApr, supplyApy } from '../../src/domain/rates.ts';
import {
  borrowedUsd,
  collateralExchangeRate,
  freelyAvailable,
  queuedLiquidity,
  reserveFees,
  suppliedUsd,
} from '../../src/domain/reserve.ts';
import { parseDecimal } from '../../src/numeric/decimal.ts';
import { FRACTION_ONE } from '../../src/numeric/fraction.ts';
import { integer, ZERO } from '../../src/numeric/rational.ts';
import { readVectors } from '../support/vectors/account-vectors.ts';
import {
  type CaseMoment,
  decodeReserve,
  expectClose,
  expectSdkYield,
  momentOf,
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

const { cases } = readVectors<{ cases: readonly ReserveCase[] }>('maths-reserves');

describe.each(cases.map((each) => [each.name, each] as const))('reserve, %s', (_, given) => {
  const account = decodeReserve(given.data);
  const moment = momentOf(given);
  const accrued = accrueReserve(account, moment.slot, given.referralFeeBps);
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

  it('matches the SDK in utilisation and rates, within the precision of its doubles', () => {
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
      const later = accrueReserve(account, BigInt(slot), given.referralFeeBps);
      expectClose(later.borrowed, expected.borrowed, 15);
      expectClose(later.totalSupply, expected.totalSupply, 15);
      // Fees are stored in steps of 2^-60, which is visible in the interest of a dust debt.
      const steps = later.protocolFees
        .sub(parseDecimal(expected.protocolFees))
        .abs()
        .mul(integer(FRACTION_ONE));
      if (steps.compare(integer(4)) > 0) expectClose(later.protocolFees, expected.protocolFees);
      expectClose(later.cumulativeBorrowRate, expected.cumulativeBorrowRate, 15);
      expectClose(collateralExchangeRate(later), expected.exchangeRate, 15);
      expectClose(later.utilization, expected.utilization);
      const nominal = { ...moment, slotDurationMs: integer(500) };
      if (account.config.debtTermSeconds === 0n) expectClose(borrowApr(later, nominal), expected.borrowApr);
      expect(later.slot).toBe(BigInt(slot));
    },
  );
});

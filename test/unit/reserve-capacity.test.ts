import { LENDING_ERRORS } from '@sluice/protocol/error-names';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { ONE } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { buildLending } from '../../src/builders/lending/action.ts';
import type { LendingAction } from '../../src/builders/lending/request.ts';
import type { PriceUsd } from '../../src/domain/price.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import {
  bindingLimit,
  borrowLimits,
  borrowRoutes,
  capsOf,
  type LimitedAmount,
  type ReserveInMarket,
  supplyLimits,
  withdrawLimits,
} from '../../src/domain/reserve-capacity.ts';
import {
  type LendingSetting,
  NOW,
  type ReserveSetting,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { randomState } from '../support/lending/random-states.ts';
import { essential } from '../support/localnet/compared-actions.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

/** Capacities against what the embedded lending program accepts, for an obligation that no limit of its own holds back. */

const PRICE: PriceUsd = { usd: ONE, asOf: NOW.timestamp, stale: false, source: 'SCOPE', checks: 63 };
const RICH: ReserveSetting = { priceUsd: 10n ** 9n };
const WHALE = 10n ** 12n;
const STATES = 60;

function inMarket({ accounts }: LendingBench, index: number): ReserveInMarket {
  const address = reserveAddress(index);
  const account = accounts.reserves.get(address) ?? expect.fail('no reserve');
  return {
    address,
    account,
    accrued: refreshReserve(account, NOW, accounts.market),
    market: accounts.market,
    timestamp: NOW.timestamp,
  };
}

/** A random reserve without origination fees, next to one whose collateral covers any debt. */
function settingOf(seed: number, action: LendingAction): LendingSetting {
  const { setting } = randomState(seed);
  const [random = {}] = setting.reserves ?? [];
  const acted: ReserveSetting = {
    ...random,
    config: { ...random.config, elevationGroups: new Uint8Array(1), fees: { originationFeeSf: 0n } },
  };
  const deposits: LendingSetting['deposits'] =
    action === 'withdraw' ? [[1, random.collateral ?? 0n]] : action === 'borrow' ? [[0, WHALE]] : [];
  const { emergencyMode = 0, borrowDisabled = 0 } = setting.market ?? {};
  return {
    reserves: [RICH, acted],
    deposits,
    balances: [0n, action === 'deposit' ? U64_MAX : 0n],
    market: { emergencyMode, borrowDisabled },
  };
}

function nameOfFailure(failure: number | string | null): string | null {
  return typeof failure === 'number' ? (LENDING_ERRORS.names[failure - LENDING_ERRORS.first] ?? '') : failure;
}

function attempt(setting: LendingSetting, action: LendingAction, baseUnits: bigint): string | null {
  const bench = lendingBench(setting, action, 1);
  const { instructions } = buildLending(bench.accounts, { baseUnits }, NOW).action;
  return nameOfFailure(bench.failureOf(essential(instructions)));
}

/** The limit that binds in each random state, with the program's error for one step more. */
function observed(
  action: LendingAction,
  limitsOf: (bench: LendingBench, reserve: ReserveInMarket) => readonly LimitedAmount[],
  step: (reserve: ReserveInMarket) => bigint,
): Set<string> {
  const seen = new Set<string>();
  for (let seed = 1; seed <= STATES; seed += 1) {
    const setting = settingOf(seed, action);
    const bench = lendingBench(setting, action, 1);
    const reserve = inMarket(bench, 1);
    const { limit, amount } = bindingLimit(limitsOf(bench, reserve)) ?? expect.fail('no limit');
    if (amount > 0n) expect([seed, limit, attempt(setting, action, amount)]).toEqual([seed, limit, null]);
    const failure = attempt(setting, action, amount + step(reserve));
    // Above the whole supply, the program pays the whole supply.
    expect([seed, limit, failure === null]).toEqual([seed, limit, limit === 'SUPPLY']);
    seen.add(`${limit} ${failure}`);
  }
  return seen;
}

const one = () => 1n;

describe('what a reserve still accepts', () => {
  it('can be borrowed to the base unit, and no more', () => {
    const routes = (bench: LendingBench, reserve: ReserveInMarket) => {
      const caps = capsOf(borrowRoutes(reserve, bench.accounts.market, []));
      const shared = borrowLimits(reserve, PRICE);
      return caps === null ? shared : [...shared, caps];
    };
    expect([...observed('borrow', routes, one)].sort()).toEqual([
      'BORROW_LIMIT BorrowLimitExceeded',
      'DEBT_CAPS BorrowLimitExceeded',
      'LIQUIDITY InsufficientLiquidity',
      'NOT_ALLOWED ReserveDebtMaturityReached',
      'NOT_ALLOWED ReserveEmergencyMode',
      'NOT_ALLOWED ReserveObsolete',
      'OUTFLOW WithdrawalCapReached',
      'UTILIZATION BorrowingAboveUtilizationRateDisabled',
    ]);
  });

  it('can be withdrawn to the base unit, and no more', () => {
    expect([...observed('withdraw', (_, reserve) => withdrawLimits(reserve), one)].sort()).toEqual([
      'LIQUIDITY InsufficientLiquidity',
      'NOT_ALLOWED ReserveEmergencyMode',
      'OUTFLOW WithdrawalCapReached',
      'SUPPLY null',
    ]);
  });

  it('can be supplied, and no more than the tokens that one collateral token is worth', () => {
    const step = ({ accrued }: ReserveInMarket) =>
      accrued.totalSupply.ceil() / accrued.account.collateral.mintTotalSupply + 2n;
    expect([...observed('deposit', (_, reserve) => supplyLimits(reserve), step)].sort()).toEqual([
      'DEPOSIT_LIMIT DepositLimitExceeded',
      'NOT_ALLOWED ReserveEmergencyMode',
      'NOT_ALLOWED ReserveObsolete',
    ]);
  });
});

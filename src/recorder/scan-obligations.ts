import { obligation } from '@sluice/protocol/klend/obligation';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../chain/accounts/account-page.ts';
import type { View } from '../chain/view/view.ts';
import { ratio, total } from '../domain/arithmetic.ts';
import { loanOutcomes } from '../domain/risk/loan-outcome.ts';
import { LoanTally } from '../domain/risk/loan-quality.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import { ReserveNumbers, riskInputOf } from '../services/obligation-index/packed-obligation.ts';
import {
  health,
  obligationBorrows,
  obligationDeposits,
  type ValuedObligation,
  valueObligation,
} from '../services/obligations/obligations.ts';
import { presentTermsOf } from '../services/obligations/risk-pass.ts';
import type {
  CollateralUseSample,
  LeverageSample,
  LoanSample,
  ObligationEntry,
} from '../store/history/samples.ts';
import { collateralUseOf } from './collateral-use.ts';

/** The obligations found in one market. */
export interface MarketScan {
  readonly entries: readonly ObligationEntry[];
  readonly leverage: readonly LeverageSample[];
  readonly collateral: readonly CollateralUseSample[];
  readonly loans: LoanSample;
}

/** Multiply and Leverage: positions with one collateral and one debt. */
const LEVERAGED_TAGS: readonly number[] = [1, 3];

/**
 * All obligations by market, valued at the View; a market without obligations has an empty scan. Skips empty
 * obligations and those that cannot be decoded.
 */
export function obligationsByMarket(view: View, accounts: readonly ChainAccount[]): Map<Address, MarketScan> {
  const valued = new Map<Address, ValuedObligation[]>();
  for (const market of view.all('market').keys()) valued.set(market, []);
  for (const account of accounts) {
    const one = valuedIn(view, account);
    if (one === null) continue;
    const market = one.record.value.lendingMarket;
    const known = valued.get(market);
    if (known === undefined) valued.set(market, [one]);
    else known.push(one);
  }
  return new Map(
    [...valued].map(([market, all]) => [
      market,
      {
        entries: all.map(entryOf),
        leverage: leverageOf(market, all),
        collateral: collateralUseOf(all),
        loans: loansOf(view, market, all),
      },
    ]),
  );
}

function valuedIn(view: View, account: ChainAccount): ValuedObligation | null {
  try {
    const value = obligation.decode(account, account.owner);
    const one = valueObligation({ view }, { ...account, value });
    const { deposits = [], borrows = [] } = one.positions ?? {};
    return deposits.length + borrows.length === 0 ? null : one;
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}

function entryOf(one: ValuedObligation): ObligationEntry {
  const { record, positions, stats } = one;
  return {
    obligation: record.address,
    owner: record.value.owner,
    tag: Number(record.value.tag),
    depositReserves: positions?.deposits.map(({ reserve }) => reserve) ?? [],
    borrowReserves: positions?.borrows.map(({ reserve }) => reserve) ?? [],
    depositUsd: stats?.userTotalDeposit ?? null,
    borrowUsd: stats?.userTotalBorrow ?? null,
    healthFactor: health(one),
  };
}

/** The obligations with debt. */
function loansOf(view: View, market: Address, all: readonly ValuedObligation[]): LoanSample {
  const tally = new LoanTally();
  const record = view.get('market', market);
  if (record === undefined) return tally.totals;
  const reserves = new ReserveNumbers();
  const loans = all
    .map((one) => riskInputOf(one.record.value, reserves))
    .filter(({ debts }) => debts.length > 0);
  const terms = presentTermsOf(view, record, reserves.addresses);
  for (const loan of loans) {
    const [outcome] = loanOutcomes(loan, terms);
    if (outcome !== undefined) tally.add(outcome);
  }
  return tally.totals;
}

/** One sample per tag and pair of reserves. */
function leverageOf(market: Address, all: readonly ValuedObligation[]): LeverageSample[] {
  const groups = new Map<string, ValuedObligation[]>();
  for (const one of all) {
    const [deposit, ...moreDeposits] = one.positions?.deposits ?? [];
    const [borrow, ...moreBorrows] = one.positions?.borrows ?? [];
    const tag = Number(one.record.value.tag);
    if (deposit === undefined || borrow === undefined || moreDeposits.length + moreBorrows.length > 0)
      continue;
    if (one.stats === null || !LEVERAGED_TAGS.includes(tag)) continue;
    const key = `${tag} ${deposit.reserve} ${borrow.reserve}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return [...groups.values()].map((group) => leverageSample(market, group));
}

function leverageSample(market: Address, group: readonly ValuedObligation[]): LeverageSample {
  const deposits = group.flatMap(obligationDeposits);
  const borrows = group.flatMap(obligationBorrows);
  const depositedUsd = total(group.flatMap(({ stats }) => stats?.userTotalDeposit ?? []));
  const borrowedUsd = total(group.flatMap(({ stats }) => stats?.userTotalBorrow ?? []));
  const [first] = group;
  const [deposit] = deposits;
  const [borrow] = borrows;
  if (first === undefined || deposit === undefined || borrow === undefined) {
    throw new RangeError('A group needs at least one obligation with a deposit and a debt');
  }
  return {
    market,
    depositReserve: deposit.position.reserve,
    borrowReserve: borrow.position.reserve,
    tag: Number(first.record.value.tag),
    obligations: group.length,
    // Weighted by the net value of each obligation.
    avgLeverage: ratio(depositedUsd, depositedUsd.sub(borrowedUsd)),
    deposited: total(deposits.flatMap(({ amount }) => amount?.amount ?? [])),
    borrowed: total(borrows.flatMap(({ amount }) => amount?.amount ?? [])),
    depositedUsd,
    borrowedUsd,
  };
}

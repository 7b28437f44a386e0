import { roundParts } from '@sluice/protocol/numeric/decimal';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import type { View } from '../../chain/view/view.ts';
import { ratio } from '../../domain/arithmetic.ts';
import { DebtEndTally, END_BOUNDS_DAYS } from '../../domain/risk/debt-end-tally.ts';
import { DebtBacking, type DebtBackingCount } from '../../domain/risk/debt-tally.ts';
import type { PriceShocks } from '../../domain/risk/price-shock.ts';
import { RiskTally } from '../../domain/risk/risk-tally.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { ObligationSnapshot } from '../obligation-index/index-update.ts';
import type { ObligationTable } from '../obligation-index/obligation-table.ts';
import { marketObligations } from '../obligations/market-obligations.ts';
import { forEachObligation, riskTermsOf } from '../obligations/risk-pass.ts';
import type { Platform } from '../platform/platform.ts';
import { oncePerSession } from '../request/per-session.ts';
import { viewCache } from '../request/per-view.ts';
import type { MarketRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { Concentration } from './concentration.ts';
import { type GivenShock, priceShocks } from './price-shocks.ts';
import { type ScenarioRisk, scenarioRisk } from './scenario-risk.ts';

/** Prices to suppose together, under a name of the caller. */
export interface GivenScenario {
  readonly label: string;
  readonly prices: readonly GivenShock[];
}

/** The loans of one owner. */
export interface Borrower {
  readonly owner: Address;
  readonly loans: number;
  readonly debtUsd: Rational;
  /** Of the debt of the market, as a fraction. */
  readonly share: Rational;
}

/** Deposits of borrowers in one reserve. */
export interface CollateralShare {
  readonly reserve: Address;
  readonly loans: number;
  readonly valueUsd: Rational;
  /** Of all collateral, as a fraction. */
  readonly share: Rational;
}

/** Debts that end in a number of days, from one bound up to the next. */
export interface DebtEndBucket {
  /** Exclusive; null for debts that have ended. */
  readonly fromDays: number | null;
  /** Inclusive; null for no bound. */
  readonly toDays: number | null;
  readonly debts: number;
  readonly debtUsd: Rational;
}

/** Results of one pass over the obligations of a market. */
interface PassedLoans {
  readonly now: ScenarioRisk;
  readonly shocks: readonly ScenarioRisk[];
  readonly owners: number;
  /** Largest debt first. */
  readonly borrowers: readonly Borrower[];
  /** Largest value first. */
  readonly collateral: readonly CollateralShare[];
  /** Debts by the reserve that lent them, at present prices. */
  readonly backing: ReadonlyMap<Address, DebtBackingCount>;
  /** By the days until the end, ended debts first. */
  readonly debtEnds: readonly DebtEndBucket[];
}

export interface MarketRisk extends PassedLoans {
  /** The state of the loans; prices are those of the View. */
  readonly index: ObligationSnapshot;
}

export const MAX_SCENARIOS = 100;
/** Answers cached per View: a heat map is asked for again and again. */
const CACHED_PER_VIEW = 20;
/** Supposed prices whose check, or place in a key, is a step of work. */
const SHOCKS_PER_STEP = 16;

/** Aliases with the same scenarios share one pass, also while it is under way. */
const ofRequest = oncePerSession<MarketRisk>();

const passed =
  viewCache<LRUCache<string, { readonly table: ObligationTable; readonly loans: PassedLoans }>>();

/**
 * All loans of a market now and under each of the scenarios, in one pass.
 *
 * @throws SHOCK_INVALID, SHOCK_MINT_UNKNOWN, NUMBER_OUT_OF_RANGE, and errors of the RPC while the loans were never read
 */
export async function marketRisk(
  platform: Platform,
  session: Session,
  market: MarketRecord,
  given: readonly GivenScenario[],
): Promise<MarketRisk> {
  if (given.length > MAX_SCENARIOS) {
    const context = { what: 'The number of shocks', min: '0', max: String(MAX_SCENARIOS) };
    throw new SluiceError('NUMBER_OUT_OF_RANGE', { ...context, value: String(given.length) });
  }
  const key = await session.work.run(keyOf(market, given));
  return await ofRequest(session, key, () => computeRisk(platform, session, market, given, key));
}

async function computeRisk(
  platform: Platform,
  session: Session,
  market: MarketRecord,
  given: readonly GivenScenario[],
  key: string,
): Promise<MarketRisk> {
  const { view, work } = session;
  const shocks = await work.run(checkedShocks(view, given));
  const index = await marketObligations(platform, session, market.address);
  let cached = passed.get(view);
  if (cached === undefined) {
    cached = new LRUCache({ max: CACHED_PER_VIEW });
    passed.set(view, cached);
  }
  const known = cached.get(key);
  if (known?.table === index.table) return { index, ...known.loans };
  const terms = await riskTermsOf(work, view, market, index.reserves.addresses, shocks);
  const tallies = Array.from({ length: terms.scenarios }, () => new RiskTally());
  const concentration = new Concentration(index.table);
  const backing = new DebtBacking();
  const ends = new DebtEndTally(terms.timestamp);
  await forEachObligation(work, index, terms, (number, loan, outcomes) => {
    for (const [i, outcome] of outcomes.entries()) tallies[i]?.add(number, loan, outcome);
    const [now] = outcomes;
    if (now === undefined || typeof now === 'string') return;
    const refreshed = now.refreshed();
    concentration.add(number, now, refreshed);
    backing.add(refreshed);
    ends.add(now);
  });
  const [now, ...under] = await work.map([...tallies.entries()], 1, ([i, tally]) =>
    scenarioRisk(tally, index, given[i - 1]?.label ?? null),
  );
  if (now === undefined) throw new Error('every market has a present');
  const loans = {
    now,
    shocks: under,
    ...concentrated(concentration, now),
    backing: backing.byReserve(),
    debtEnds: endBuckets(ends),
  };
  cached.set(key, { table: index.table, loans });
  return { index, ...loans };
}

function* checkedShocks(view: View, given: readonly GivenScenario[]): Generator<number, PriceShocks[]> {
  const shocks: PriceShocks[] = [];
  for (const { prices } of given) {
    yield Math.ceil(prices.length / SHOCKS_PER_STEP);
    shocks.push(priceShocks(view, prices));
  }
  return shocks;
}

function concentrated(concentration: Concentration, now: ScenarioRisk) {
  const collateral = [...concentration.collateral()].sort(([, a], [, b]) =>
    a.valueSf < b.valueSf ? 1 : a.valueSf > b.valueSf ? -1 : 0,
  );
  const values = roundParts(collateral.map(([, { valueSf }]) => fromScaledFraction(valueSf)));
  return {
    owners: concentration.owners,
    borrowers: concentration.borrowers().map(({ owner, loans, debtSf }) => {
      const debtUsd = fromScaledFraction(debtSf);
      return { owner, loans, debtUsd, share: ratio(debtUsd, now.debtUsd) };
    }),
    collateral: collateral.map(([reserve, { loans }], i) => {
      const valueUsd = values[i] ?? now.collateralUsd;
      return { reserve, loans, valueUsd, share: ratio(valueUsd, now.collateralUsd) };
    }),
  };
}

function endBuckets({ counts }: DebtEndTally): DebtEndBucket[] {
  return counts.map(({ debts, valueSf }, i) => ({
    fromDays: END_BOUNDS_DAYS[i - 1] ?? null,
    toDays: END_BOUNDS_DAYS[i] ?? null,
    debts,
    debtUsd: fromScaledFraction(valueSf),
  }));
}

/** A text that two lists of equal scenarios share. */
function* keyOf({ address }: MarketRecord, given: readonly GivenScenario[]): Generator<number, string> {
  const parts: string[] = [address];
  for (const scenario of given) {
    yield Math.ceil(scenario.prices.length / SHOCKS_PER_STEP);
    parts.push(
      JSON.stringify(scenario, (_, value: unknown) =>
        value instanceof Rational ? `${value.n}/${value.d}` : value,
      ),
    );
  }
  return parts.join();
}

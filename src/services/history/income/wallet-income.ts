import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { holdingIncome } from '../../../domain/pnl/holding-income.ts';
import {
  type IncomePeriod,
  type IncomeStep,
  incomePeriods,
  periodAt,
} from '../../../domain/pnl/income-periods.ts';
import type { CostMethod } from '../../../domain/pnl/lots.ts';
import { SluiceError } from '../../../errors/sluice-error.ts';
import { readFarmEvents } from '../../../store/transactions/read-farm-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { ensureIngested } from '../../platform/transaction-source.ts';
import { oncePerSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, resolveRange } from '../../request/time-range.ts';
import type { Value } from '../../wallets/wallets.ts';
import { walletLendingEvents } from '../obligations/wallet-events.ts';
import { farmTransactionsOf } from '../vault-positions/farm-values.ts';
import { walletEvents } from '../vault-positions/wallet-events.ts';
import { IncomeBook, type IncomeTotals, sumByToken, type TokenIncome, totalsOf } from './income-book.ts';
import {
  type IncomeGap,
  type IncomeSources,
  lendingHoldings,
  type TokenHolding,
  vaultHoldings,
} from './income-holdings.ts';
import { queueHoldings } from './queue-holdings.ts';

export type { IncomeStep } from '../../../domain/pnl/income-periods.ts';
export type { CostMethod } from '../../../domain/pnl/lots.ts';
export type { IncomeTotals, TokenIncome } from './income-book.ts';
export type { IncomeGap } from './income-holdings.ts';

/** More periods are refused: each has a row for every token. */
export const MAX_INCOME_PERIODS = 1_000;

export interface IncomeQuery {
  readonly range: RangeInput;
  readonly by: IncomeStep;
  readonly method: CostMethod;
}

/** The income of a UTC day or month, as far as it is in the range. */
export interface PeriodIncome {
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  /** By mint; tokens without income are left out. */
  readonly tokens: readonly TokenIncome[];
  readonly total: IncomeTotals;
}

export interface WalletIncome {
  readonly by: IncomeStep;
  readonly method: CostMethod;
  /** Adjacent, from the start of the range, or the first event, to its end, or now. */
  readonly periods: readonly PeriodIncome[];
  /** The sums over all periods. */
  readonly tokens: readonly TokenIncome[];
  readonly total: IncomeTotals;
  /** Missing knowledge, which makes some numbers null or leaves income out. */
  readonly gaps: readonly IncomeGap[];
  /** Whether there are no gaps, and no number is null. */
  readonly complete: boolean;
}

const WHAT = 'Income';
const incomes = oncePerSession<WalletIncome>();

/**
 * Income of a wallet on the platform by day or month and token. Computed once per request.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST, NUMBER_OUT_OF_RANGE
 */
export function walletIncome(
  platform: Platform,
  session: Session,
  wallet: Address,
  query: IncomeQuery,
): Promise<WalletIncome> {
  return incomes(session, JSON.stringify([wallet, query]), () =>
    computeIncome(platform, session, wallet, query),
  );
}

async function computeIncome(
  platform: Platform,
  session: Session,
  wallet: Address,
  { range, by, method }: IncomeQuery,
): Promise<WalletIncome> {
  const { start, end, open } = resolveRange(session.view, range);
  const now = Number(session.view.moment.timestamp);
  const db = platform.historyFor(session, WHAT);
  const farms = await ensureIngested(platform, session, wallet, 'walletFarms');
  const scope = { kinds: ['harvest'], ...(open ? { end } : { start, end }) } as const;
  const harvested = await readFarmEvents(db, { wallet }, { order: 'oldestFirst', limit: null }, scope);
  const first = open
    ? await firstEvent(platform, session, wallet, harvested[0]?.time)
    : Math.ceil(start.getTime() / 1_000);
  const periods = periodsOf(first ?? now, Math.ceil(end.getTime() / 1_000), by);
  const [opening] = periods;
  const bounds = opening === undefined ? [] : [opening.start, ...periods.map((each) => each.end)];
  const book = new IncomeBook(periods.length);
  const times = { bounds, now };
  const [vaults, lending, queues] = await Promise.all([
    vaultHoldings(platform, session, wallet, times),
    lendingHoldings(platform, session, wallet, times),
    queueHoldings(platform, session, wallet, times),
  ]);
  const gaps = [...vaults.gaps, ...lending.gaps, ...queues.gaps];
  if (!farms.complete) gaps.push({ reason: 'TRANSACTIONS_MISSING', address: wallet });
  for (const held of [...vaults.holdings, ...lending.holdings, ...queues.holdings]) {
    const isWhole = await bookHolding(session, book, held, bounds, method);
    if (!isWhole) gaps.push({ reason: 'ORIGIN_UNKNOWN', address: held.token.mint });
  }
  bookFlows(book, lending, periods);
  bookUnknown(book, lending, periods);
  for (const { event, mint, amount } of await farmTransactionsOf(platform, session, harvested)) {
    if (amount === null) gaps.push({ reason: 'ACCOUNT_UNREADABLE', address: mint ?? event.farm });
    else book.add(periodAt(periods, event.time), amount, 'rewards', amount);
  }
  return joined(by, method, periods, book, distinct(gaps));
}

/** The time of the first event of all products; undefined without one. */
async function firstEvent(
  platform: Platform,
  session: Session,
  wallet: Address,
  harvested: number | undefined,
): Promise<number | undefined> {
  const [{ byVault }, { events }] = await Promise.all([
    walletEvents(platform, session, wallet),
    walletLendingEvents(platform, session, wallet),
  ]);
  const times = [...[...byVault.values()].map(([first]) => first?.time), events[0]?.time, harvested].filter(
    (time) => time !== undefined,
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

/** @throws NUMBER_OUT_OF_RANGE */
function periodsOf(start: number, end: number, by: IncomeStep): IncomePeriod[] {
  const periods: IncomePeriod[] = [];
  for (const period of incomePeriods(start, end, by)) {
    periods.push(period);
    if (periods.length <= MAX_INCOME_PERIODS) continue;
    throw new SluiceError('NUMBER_OUT_OF_RANGE', {
      what: `the number of periods of the range by ${by}`,
      value: `more than ${MAX_INCOME_PERIODS}`,
      min: '0',
      max: String(MAX_INCOME_PERIODS),
    });
  }
  return periods;
}

/** Whether all units that were given up had been acquired before. */
async function bookHolding(
  session: Session,
  book: IncomeBook,
  { token, holding, accrualTimes }: TokenHolding,
  bounds: readonly number[],
  method: CostMethod,
): Promise<boolean> {
  const { points, complete } = await session.work.run(holdingIncome(holding, bounds, accrualTimes, method));
  const scale = integer(10n ** BigInt(token.decimals));
  const interestField = holding.side === 'asset' ? 'interestEarned' : 'interestPaid';
  for (const [i, after] of points.slice(1).entries()) {
    const before = points[i];
    if (before === undefined) continue;
    book.add(i, token, interestField, {
      baseUnits: difference(after.interest?.token, before.interest?.token)?.mul(scale) ?? null,
      usd: difference(after.interest?.usd, before.interest?.usd),
      sol: difference(after.interest?.sol, before.interest?.sol),
    });
    book.add(i, token, 'realizedGain', { baseUnits: ZERO, ...after.realized });
    book.add(i, token, 'unrealizedGain', {
      baseUnits: ZERO,
      usd: difference(after.unrealized?.usd, before.unrealized?.usd),
      sol: difference(after.unrealized?.sol, before.unrealized?.sol),
    });
  }
  return complete;
}

function difference(
  after: Rational | null | undefined,
  before: Rational | null | undefined,
): Rational | null {
  return after && before ? after.sub(before).reduced() : null;
}

function bookFlows(book: IncomeBook, { flows }: IncomeSources, periods: readonly IncomePeriod[]): void {
  for (const { kind, token, time, amount, usd, sol } of flows) {
    const field = kind === 'fee' ? 'fees' : 'liquidations';
    const sign = amount?.isNegative ? MINUS : PLUS;
    const value = { usd: usd?.abs().mul(sign) ?? null, sol: sol?.abs().mul(sign) ?? null };
    book.add(periodAt(periods, time), token, field, { baseUnits: amount, ...value });
  }
}

const [PLUS, MINUS] = [integer(1n), integer(-1n)];

/** Interest and gains of a holding of unknown size are unknown in each period in which it may have existed. */
function bookUnknown(book: IncomeBook, { unknown }: IncomeSources, periods: readonly IncomePeriod[]): void {
  const nothing = { baseUnits: null, usd: null, sol: null };
  for (const { token, side, from, until } of unknown) {
    for (const [i, period] of periods.entries()) {
      if (period.end <= from || period.start >= until) continue;
      book.add(i, token, side === 'asset' ? 'interestEarned' : 'interestPaid', nothing);
      book.add(i, token, 'realizedGain', nothing);
      book.add(i, token, 'unrealizedGain', nothing);
    }
  }
}

function joined(
  by: IncomeStep,
  method: CostMethod,
  periods: readonly IncomePeriod[],
  book: IncomeBook,
  gaps: readonly IncomeGap[],
): WalletIncome {
  const tokens = book.periods();
  const total = totalsOf(tokens.flat());
  return {
    by,
    method,
    periods: periods.map(({ start, end }, i) => ({
      start: new Date(start * 1_000),
      end: new Date(end * 1_000),
      tokens: tokens[i] ?? [],
      total: totalsOf(tokens[i] ?? []),
    })),
    tokens: sumByToken(tokens),
    total,
    gaps,
    complete: gaps.length === 0 && isKnown(total.profit),
  };
}

const isKnown = ({ usd, sol }: Value): boolean => usd !== null && sol !== null;

function distinct(gaps: readonly IncomeGap[]): IncomeGap[] {
  return [...new Map(gaps.map((gap) => [`${gap.reason} ${gap.address}`, gap])).values()];
}

import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { activeBorrows, activeDeposits } from '../../../domain/obligation.ts';
import type { Holding, HoldingChange } from '../../../domain/pnl/holding-income.ts';
import { sharesMarket, type UnitMarket } from '../../../domain/pnl/interest-tally.ts';
import { type ObligationFlow, obligationHoldings } from '../../../domain/pnl/obligation-holdings.ts';
import { tradeOf } from '../../../domain/pnl/vault-pnl.ts';
import { scannedObligations } from '../../obligations/wallet-obligations.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Session } from '../../request/session.ts';
import { momentsOf } from '../moments.ts';
import { eventQuotes } from '../obligations/event-quotes.ts';
import { type LentToken, tokenInView } from '../obligations/point.ts';
import { type ObligationTimeline, timelineOf, timelineWithoutAccount } from '../obligations/timeline.ts';
import { walletLendingEvents } from '../obligations/wallet-events.ts';
import { pastMarkets } from '../vault-positions/vault-markets.ts';
import { walletEvents } from '../vault-positions/wallet-events.ts';
import { type IncomeTimes, midnightsUntil, momentsWith, reserveHolding } from './reserve-markets.ts';

export type { IncomeTimes } from './reserve-markets.ts';

const WHAT = 'Income';

/** A holding of the wallet in a token. */
export interface TokenHolding {
  readonly token: LentToken;
  readonly holding: Holding;
  /** Unix seconds, ascending. */
  readonly accrualTimes: readonly number[];
}

/** A reason for which a part of the income is unknown. */
export interface IncomeGap {
  readonly reason: 'TRANSACTIONS_MISSING' | 'ACCOUNT_UNREADABLE' | 'RATE_UNKNOWN' | 'ORIGIN_UNKNOWN';
  /** The wallet, vault, obligation or reserve that it is about. */
  readonly address: Address;
}

/** A holding whose units are unknown from a time on, because a rate was not recorded. */
export interface UnknownHolding {
  readonly token: LentToken;
  readonly side: Holding['side'];
  /** Unix seconds; `until` is exclusive, and infinite while the position is open. */
  readonly from: number;
  readonly until: number;
}

/** Everything that a wallet held on the platform. */
export interface IncomeSources {
  readonly holdings: readonly TokenHolding[];
  readonly unknown: readonly UnknownHolding[];
  readonly flows: readonly (ObligationFlow & { readonly token: LentToken })[];
  readonly gaps: readonly IncomeGap[];
}

/** Vault positions, one holding each. */
export async function vaultHoldings(
  platform: Platform,
  session: Session,
  wallet: Address,
  { bounds, now }: IncomeTimes,
): Promise<IncomeSources> {
  const db = platform.historyFor(session, WHAT);
  const { byVault, complete } = await walletEvents(platform, session, wallet);
  const gaps: IncomeGap[] = complete ? [] : [{ reason: 'TRANSACTIONS_MISSING', address: wallet }];
  const until = Math.min(bounds.at(-1) ?? now, now);
  const held = [...byVault].flatMap(([address, events]) => {
    const vault = session.view.get('vault', address);
    if (vault === undefined) gaps.push({ reason: 'ACCOUNT_UNREADABLE', address });
    const [first] = events;
    return vault === undefined || first === undefined ? [] : [{ vault, events, from: first.time }];
  });
  const markets = await pastMarkets(
    db,
    session,
    held.map(({ vault, events, from }) => ({
      vault,
      from,
      until,
      times: [...events.map(({ time }) => time), ...bounds.map((time) => Math.min(time, now))],
      atDayEnds: true,
    })),
  );
  const holdings = held.flatMap(({ vault, events }, i): TokenHolding[] => {
    const { market = null, dayEnds = [] } = markets[i] ?? {};
    if (market === null) {
      gaps.push({ reason: 'RATE_UNKNOWN', address: vault.address });
      return [];
    }
    const changes = events.flatMap((event): HoldingChange[] => {
      const trade = tradeOf(event, market);
      if (trade === null) return [];
      const units = integer(trade.type === 'buy' ? trade.shares : -trade.shares);
      return [{ time: event.time, units, value: trade.value }];
    });
    const { tokenMint, tokenMintDecimals } = vault.value;
    return [
      {
        token: { mint: tokenMint, decimals: Number(tokenMintDecimals) },
        holding: { side: 'asset', changes, market: upTo(sharesMarket(market), now) },
        accrualTimes: dayEnds,
      },
    ];
  });
  return { holdings, unknown: [], flows: [], gaps };
}

/** Deposits and debts of all open and closed obligations, one holding each. */
export async function lendingHoldings(
  platform: Platform,
  session: Session,
  wallet: Address,
  times: IncomeTimes,
): Promise<IncomeSources> {
  const { timelines, complete } = await walletTimelines(platform, session, wallet);
  const parts = await Promise.all(timelines.map((each) => ofTimeline(platform, session, each, times)));
  const own: IncomeGap[] = complete ? [] : [{ reason: 'TRANSACTIONS_MISSING', address: wallet }];
  return {
    holdings: parts.flatMap(({ holdings }) => holdings),
    unknown: parts.flatMap(({ unknown }) => unknown),
    flows: parts.flatMap(({ flows }) => flows),
    gaps: [...own, ...parts.flatMap(({ gaps }) => gaps)],
  };
}

/** The timelines of all obligations that a wallet has or had. */
export async function walletTimelines(
  platform: Platform,
  session: Session,
  wallet: Address,
): Promise<{ readonly timelines: readonly ObligationTimeline[]; readonly complete: boolean }> {
  const [{ records, unreadable }, { events, complete }] = await Promise.all([
    scannedObligations(session, wallet, null),
    walletLendingEvents(platform, session, wallet),
  ]);
  const open = new Set(records.map(({ address }) => address));
  const closed = [...new Set(events.map(({ obligation }) => obligation))].filter((each) => !open.has(each));
  const timelines = await Promise.all([
    ...records.map((record) => timelineOf(platform, session, record)),
    ...closed.map((address) => timelineWithoutAccount(platform, session, address)),
  ]);
  return { timelines, complete: complete && unreadable.size === 0 };
}

async function ofTimeline(
  platform: Platform,
  session: Session,
  timeline: ObligationTimeline,
  times: IncomeTimes,
): Promise<IncomeSources> {
  const { events, address } = timeline;
  const [first] = events;
  if (first === undefined) return { holdings: [], unknown: [], flows: [], gaps: [] };
  const gaps: IncomeGap[] = timeline.complete ? [] : [{ reason: 'TRANSACTIONS_MISSING', address }];
  const midnights = midnightsUntil(first.time, times);
  const reserves = [...new Set(events.map(({ reserve }) => reserve))];
  const moments = momentsWith([...events.map(({ time }) => time), ...midnights], times);
  const db = platform.historyFor(session, WHAT);
  const { quotes } = await eventQuotes(db, session, momentsOf(reserves, moments), false);
  const divided = await session.work.run(obligationHoldings(events, quotes));
  if (!divided.complete) gaps.push({ reason: 'ORIGIN_UNKNOWN', address });
  const holdings: TokenHolding[] = [];
  const unknown: UnknownHolding[] = [];
  for (const { reserve, side, changes } of divided.holdings) {
    const token = tokenInView(session.view, reserve);
    if (token === undefined) gaps.push({ reason: 'ACCOUNT_UNREADABLE', address: reserve });
    else if (changes === null) {
      gaps.push({ reason: 'RATE_UNKNOWN', address: reserve });
      unknown.push({ token, side, ...spanOf(timeline, reserve, side) });
    } else {
      holdings.push({
        token,
        holding: reserveHolding({ reserve, token, side, changes, quotes }, times.now),
        accrualTimes: midnights,
      });
    }
  }
  const flows = divided.flows.flatMap((flow) => {
    const token = tokenInView(session.view, flow.reserve);
    return token === undefined ? [] : [{ ...flow, token }];
  });
  return { holdings, unknown, flows, gaps };
}

/** From the first event of a side until its last one, or without an end while the account has it. */
function spanOf({ events, record }: ObligationTimeline, reserve: Address, side: Holding['side']) {
  const own = events.filter(
    (event) => event.reserve === reserve && (event.side === 'debt') === (side === 'debt'),
  );
  const isOpen =
    record !== null &&
    (side === 'debt'
      ? activeBorrows(record.value).some(({ borrowReserve }) => borrowReserve === reserve)
      : activeDeposits(record.value).some(({ depositReserve }) => depositReserve === reserve));
  return {
    from: own[0]?.time ?? 0,
    until: isOpen ? Number.POSITIVE_INFINITY : (own.at(-1)?.time ?? 0) + 1,
  };
}

/** The market with the last known moment for later times. */
const upTo = (market: UnitMarket, now: number): UnitMarket => ({
  decimals: market.decimals,
  tokensPerUnit: (time) => market.tokensPerUnit(Math.min(time, now)),
  valueAt: (tokens, time) => market.valueAt(tokens, Math.min(time, now)),
});

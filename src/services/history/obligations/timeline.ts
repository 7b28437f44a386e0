import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { isCodedError, SluiceError } from '../../../errors/sluice-error.ts';
import {
  readObligationEvents,
  type StoredLendingEvent,
} from '../../../store/transactions/read-lending-events.ts';
import { marketInView } from '../../markets/markets.ts';
import type { Platform } from '../../platform/platform.ts';
import { ensureIngested, type IngestStatus } from '../../platform/transaction-source.ts';
import { perSession } from '../../request/per-session.ts';
import type { MarketRecord, ObligationRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';

/** All events of an obligation, and its current state. */
export interface ObligationTimeline {
  readonly address: Address;
  /** Current account; null when it is closed. */
  readonly record: ObligationRecord | null;
  /** Oldest first. */
  readonly events: readonly StoredLendingEvent[];
  /** Whether no transaction is missing. */
  readonly complete: boolean;
}

const WHAT = 'Obligation history';
const KEYS_PER_TURN = 20;

type TimelineKey = Pick<ObligationTimeline, 'address' | 'record'>;

const timelinesOf = perSession(
  (session, platform: Platform) =>
    new DataLoader<TimelineKey, ObligationTimeline, Address>(
      (keys) => readTimelines(platform, session, keys),
      { cacheKeyFn: ({ address }) => address },
    ),
);

/**
 * The timeline of an open obligation. Read once per request, batched with the others of the same tick.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function timelineOf(
  platform: Platform,
  session: Session,
  record: ObligationRecord,
): Promise<ObligationTimeline> {
  return timelinesOf(session, platform).load({ address: record.address, record });
}

/**
 * The timeline of an obligation that is closed, or whose account cannot be read.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function timelineWithoutAccount(
  platform: Platform,
  session: Session,
  address: Address,
): Promise<ObligationTimeline> {
  return timelinesOf(session, platform).load({ address, record: null });
}

/** A failure for one obligation does not affect the others. */
async function readTimelines(
  platform: Platform,
  session: Session,
  keys: readonly TimelineKey[],
): Promise<(ObligationTimeline | Error)[]> {
  const db = platform.historyFor(session, WHAT);
  const read = await ensureAllIngested(platform, session, keys);
  const events = await readObligationEvents(
    db,
    keys.map(({ address }) => address),
  );
  return keys.map(({ address, record }, i) => {
    const status = read[i];
    if (status instanceof Error) return status;
    return { address, record, events: events.get(address) ?? [], complete: status?.complete ?? false };
  });
}

/** Those of a turn share a statement. Each may be refused at once, with an error, so not all are asked for in one turn. */
async function ensureAllIngested(
  platform: Platform,
  session: Session,
  keys: readonly TimelineKey[],
): Promise<(IngestStatus | Error)[]> {
  const ensured = ({ address }: TimelineKey) =>
    ensureIngested(platform, session, address, 'obligation').catch(asError);
  const byTurn = Array.from({ length: Math.ceil(keys.length / KEYS_PER_TURN) }, (_, i) =>
    keys.slice(i * KEYS_PER_TURN, (i + 1) * KEYS_PER_TURN),
  );
  const started = await session.work.map(byTurn, 1, (some) => Promise.all(some.map(ensured)));
  return (await Promise.all(started)).flat();
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/**
 * The timeline of an open or closed obligation of a market.
 *
 * @throws KLEND_MARKET_NOT_FOUND, KLEND_OBLIGATION_NOT_FOUND, BAD_REQUEST for one of another market,
 *   HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function timelineInMarket(
  platform: Platform,
  session: Session,
  market: Address,
  address: Address,
): Promise<{ readonly market: MarketRecord; readonly timeline: ObligationTimeline }> {
  const found = marketInView(session.view, market);
  const timeline = await timelineAt(platform, session, address, market);
  return { market: found, timeline };
}

/**
 * The timeline of an open or closed obligation.
 *
 * @param market the obligation must belong to; null for any
 * @throws KLEND_OBLIGATION_NOT_FOUND, BAD_REQUEST for one of another market, HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function timelineAt(
  platform: Platform,
  session: Session,
  address: Address,
  market: Address | null,
): Promise<ObligationTimeline> {
  platform.historyFor(session, WHAT);
  const record = await openObligation(session, address);
  if (record !== null) {
    if (market !== null) requireMarket(address, record.value.lendingMarket, market);
    return await timelineOf(platform, session, record);
  }
  const timeline = await timelineWithoutAccount(platform, session, address);
  const [first] = timeline.events;
  if (first === undefined) throw new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: address });
  if (market !== null) requireMarket(address, first.market, market);
  return timeline;
}

/**
 * Null for an account that does not exist. Throws for one of another kind, which was never an obligation: a View does not
 * tell the two apart, so the chain is asked about an address at which it has no obligation.
 */
async function openObligation(session: Session, address: Address): Promise<ObligationRecord | null> {
  try {
    return (
      (await session.find('obligation', address)) ?? (await session.find('obligation', address, 'CHAIN'))
    );
  } catch (error) {
    if (isCodedError(error, 'ACCOUNT_WRONG_OWNER') || isCodedError(error, 'ACCOUNT_WRONG_DISCRIMINATOR')) {
      throw new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: address });
    }
    throw error;
  }
}

function requireMarket(obligation: Address, actual: Address, asked: Address): void {
  if (actual === asked) return;
  const reason = `Obligation ${obligation} belongs to market ${actual}, not ${asked}. Request it under that market.`;
  throw new SluiceError('BAD_REQUEST', { reason });
}

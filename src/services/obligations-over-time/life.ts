import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { isSluiceError, SluiceError } from '../../errors/sluice-error.ts';
import {
  readObligationEvents,
  type StoredLendingEvent,
} from '../../store/transactions/read-lending-events.ts';
import { marketInView } from '../markets.ts';
import type { Platform } from '../platform.ts';
import type { MarketRecord, ObligationRecord, Session } from '../records.ts';
import { ingested } from '../transaction-source.ts';

/** Everything that happened to an obligation, and what has become of it. */
export interface ObligationLife {
  readonly address: Address;
  /** As it is now; null when its account is closed. */
  readonly record: ObligationRecord | null;
  /** Oldest first. */
  readonly events: readonly StoredLendingEvent[];
  /** Whether no transaction of it is missing. */
  readonly complete: boolean;
}

const WHAT = 'The past of an obligation';

/** One of which a life is wanted. */
type Liver = Pick<ObligationLife, 'address' | 'record'>;

const ofSession = new WeakMap<Session, DataLoader<Liver, ObligationLife, Address>>();

/**
 * The life of an obligation that is there. Read once per request, however many of its facts are asked for, and together
 * with those of the others that are asked for in the same tick.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function lifeOf(
  platform: Platform,
  session: Session,
  record: ObligationRecord,
): Promise<ObligationLife> {
  return livesOf(platform, session).load({ address: record.address, record });
}

function livesOf(platform: Platform, session: Session): DataLoader<Liver, ObligationLife, Address> {
  const loader =
    ofSession.get(session) ??
    new DataLoader<Liver, ObligationLife, Address>((livers) => readLives(platform, session, livers), {
      cacheKeyFn: ({ address }) => address,
    });
  ofSession.set(session, loader);
  return loader;
}

/** What fails for one of them is the failure of that one. */
async function readLives(
  platform: Platform,
  session: Session,
  livers: readonly Liver[],
): Promise<(ObligationLife | Error)[]> {
  const db = platform.history.database(WHAT);
  const read = await Promise.allSettled(
    livers.map(({ address }) => ingested(platform, session, address, 'obligation')),
  );
  const events = await readObligationEvents(
    db,
    livers.map(({ address }) => address),
  );
  return livers.map(({ address, record }, i) => {
    const status = read[i];
    if (status?.status !== 'fulfilled') return asError(status?.reason);
    return { address, record, events: events.get(address) ?? [], complete: status.value.complete };
  });
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/**
 * The life of an obligation of a market, a closed one included.
 *
 * @throws KLEND_MARKET_NOT_FOUND, KLEND_OBLIGATION_NOT_FOUND, BAD_REQUEST for one of another market,
 *   HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function lifeInMarket(
  platform: Platform,
  session: Session,
  market: Address,
  address: Address,
): Promise<{ readonly market: MarketRecord; readonly life: ObligationLife }> {
  const found = marketInView(session.view, market);
  platform.history.database(WHAT);
  const record = await openObligation(session, address);
  if (record !== null) {
    requireMarket(address, record.value.lendingMarket, market);
    return { market: found, life: await lifeOf(platform, session, record) };
  }
  const life = await livesOf(platform, session).load({ address, record: null });
  const [first] = life.events;
  if (first === undefined) throw new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: address });
  requireMarket(address, first.market, market);
  return { market: found, life };
}

/** Null for an account that is not there. One of another kind was never an obligation: nobody's past is read for it. */
async function openObligation(session: Session, address: Address): Promise<ObligationRecord | null> {
  try {
    return await session.load('obligation', address);
  } catch (error) {
    if (isSluiceError(error, 'ACCOUNT_NOT_FOUND')) return null;
    if (isSluiceError(error, 'ACCOUNT_WRONG_OWNER') || isSluiceError(error, 'ACCOUNT_WRONG_DISCRIMINATOR')) {
      throw new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: address });
    }
    throw error;
  }
}

function requireMarket(obligation: Address, actual: Address, asked: Address): void {
  if (actual === asked) return;
  const reason = `Obligation ${obligation} belongs to market ${actual}, not ${asked}. Ask for it under that market.`;
  throw new SluiceError('BAD_REQUEST', { reason });
}

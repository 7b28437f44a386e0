import { obligationAddress } from '@sluice/protocol/klend/addresses';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../../chain/view/view.ts';
import { isCodedError } from '../../../errors/sluice-error.ts';
import { OBLIGATION_TAGS, type ObligationTag, tagNumber } from '../../obligations/tags.ts';
import type { Platform } from '../../platform/platform.ts';
import { oncePerSession } from '../../request/per-session.ts';
import type { ObligationRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { tokenInView } from './point.ts';
import { type ObligationTimeline, timelineWithoutAccount } from './timeline.ts';

/** Candidate ids; nearly every obligation has 0. */
const IDS = [0, 1, 2, 3];
const VANILLA = 0;
/** Seeds are mints (Multiply, Leverage, Lending), or reserves for fixed-rate tags. */
const PAIR_TAGS = [
  { tag: 1, of: 'mint' },
  { tag: 3, of: 'mint' },
  { tag: 2, of: 'mint' },
  { tag: 4, of: 'reserve' },
  { tag: 5, of: 'reserve' },
  { tag: 6, of: 'reserve' },
] as const;

const oncePerObligation = oncePerSession<ObligationTag | null>();

/**
 * The tag of an open or closed obligation that has transactions; null when it is unknown. Read once per request; the
 * accounts of one tick are one batch.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, and errors of the RPC
 */
export function tagOfObligation(
  platform: Platform,
  session: Session,
  obligation: Address,
): Promise<ObligationTag | null> {
  return oncePerObligation(session, obligation, async () => {
    const record = await readableObligation(session, obligation);
    const tag =
      record === null
        ? tagOf(session, await timelineWithoutAccount(platform, session, obligation))
        : tagNumber(record);
    return tag === null ? null : (OBLIGATION_TAGS[tag] ?? null);
  });
}

async function readableObligation(session: Session, address: Address): Promise<ObligationRecord | null> {
  try {
    return await session.load('obligation', address);
  } catch (error) {
    if (isCodedError(error) && error.code.startsWith('ACCOUNT_')) return null;
    throw error;
  }
}

/**
 * The tag of an obligation. For a closed account it is recovered from the address, which is derived from the tag: tries
 * the usual keys until one derives the address. Null when none does.
 */
export function tagOf({ view, programs }: Session, timeline: ObligationTimeline): number | null {
  const { record, events, address } = timeline;
  if (record !== null) return tagNumber(record);
  const owner = events.find((event) => event.owner !== null)?.owner;
  const market = events[0]?.market;
  if (!owner || market === undefined) return null;
  const derives = (tag: number, seed1: Address, seed2: Address) =>
    IDS.some(
      (id) => obligationAddress(programs.klend, owner, market, { tag, id, seed1, seed2 }).address === address,
    );
  if (derives(VANILLA, NO_ADDRESS, NO_ADDRESS)) return VANILLA;
  for (const { tag, of } of PAIR_TAGS) {
    const seeds = seedsOf(view, timeline, of);
    for (const one of seeds) for (const other of seeds) if (derives(tag, one, other)) return tag;
  }
  return null;
}

function seedsOf(view: View, { events }: ObligationTimeline, of: 'mint' | 'reserve'): Address[] {
  const reserves = [...new Set(events.map(({ reserve }) => reserve))];
  if (of === 'reserve') return reserves;
  return [...new Set(reserves.flatMap((reserve) => tokenInView(view, reserve)?.mint ?? []))];
}

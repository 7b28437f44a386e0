import type { Address } from '@solana/kit';
import type { View } from '../../chain/view.ts';
import { obligationAddress } from '../../programs/klend/addresses.ts';
import { NO_ADDRESS } from '../../programs/program-ids.ts';
import { tagNumber } from '../obligation-tags.ts';
import type { Session } from '../records.ts';
import { tokenInView } from './history-point.ts';
import type { ObligationLife } from './life.ts';

/** Ids that are tried; nearly every obligation has 0. */
const IDS = [0, 1, 2, 3];
const VANILLA = 0;
/** By mints (Multiply, Leverage, Lending), and by reserves where the rate is fixed. */
const PAIR_TAGS = [
  { tag: 1, of: 'mint' },
  { tag: 3, of: 'mint' },
  { tag: 2, of: 'mint' },
  { tag: 4, of: 'reserve' },
  { tag: 5, of: 'reserve' },
  { tag: 6, of: 'reserve' },
] as const;

/**
 * What an obligation is for, as a number. A closed account no longer says, but its address is derived from it: the key
 * that leads to the address is the right one. Null when none of the usual ones does.
 */
export function tagOf({ view, programs }: Session, life: ObligationLife): number | null {
  const { record, events, address } = life;
  if (record !== null) return tagNumber(record);
  const owner = events.find((event) => event.owner !== null)?.owner;
  const market = events[0]?.market;
  if (!owner || market === undefined) return null;
  const leads = (tag: number, seed1: Address, seed2: Address) =>
    IDS.some(
      (id) => obligationAddress(programs.klend, owner, market, { tag, id, seed1, seed2 }).address === address,
    );
  if (leads(VANILLA, NO_ADDRESS, NO_ADDRESS)) return VANILLA;
  for (const { tag, of } of PAIR_TAGS) {
    const seeds = seedsOf(view, life, of);
    for (const one of seeds) for (const other of seeds) if (leads(tag, one, other)) return tag;
  }
  return null;
}

function seedsOf(view: View, { events }: ObligationLife, of: 'mint' | 'reserve'): Address[] {
  const reserves = [...new Set(events.map(({ reserve }) => reserve))];
  if (of === 'reserve') return reserves;
  return [...new Set(reserves.flatMap((reserve) => tokenInView(view, reserve)?.mint ?? []))];
}

import { z } from 'zod';
import type { FeedSeal } from './feed-seal.ts';

/** Request of a follower to the reader: to read up to a slot, and perhaps a snapshot after that. */
export interface Ask {
  readonly slot: bigint;
  readonly snapshot: boolean;
  /**
   * Asks for a snapshot of positions: the entry of the one that cannot be used, or empty when there is none. Absent: none is
   * wanted.
   */
  readonly positions?: string | undefined;
}

const ASK = z.object({
  slot: z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt),
  snapshot: z.enum(['0', '1']),
  positions: z.union([z.literal('-'), z.string().regex(/^(\d{1,20}-\d{1,20})?$/)]),
});

const NO_POSITIONS = '-';

/** Names and values of an entry. */
export function askFields({ slot, snapshot, positions }: Ask, seal: FeedSeal): (string | Buffer)[] {
  const flag = snapshot ? '1' : '0';
  const wanted = positions ?? NO_POSITIONS;
  const tag = seal.tag('ask', String(slot), flag, wanted);
  return ['slot', String(slot), 'snapshot', flag, 'positions', wanted, 'tag', tag];
}

/** The request in an entry; null when no gateway with the same secret wrote it, or it is malformed. */
export function parseAsk(fields: ReadonlyMap<string, Buffer>, seal: FeedSeal): Ask | null {
  const text = (name: string) => fields.get(name)?.toString() ?? '';
  const [slot, snapshot, positions] = [text('slot'), text('snapshot'), text('positions')];
  const tag = fields.get('tag') ?? Buffer.alloc(0);
  const asked = ASK.safeParse({ slot, snapshot, positions });
  if (!asked.success || !seal.isGenuine(tag, 'ask', slot, snapshot, positions)) return null;
  return {
    slot: asked.data.slot,
    snapshot: snapshot === '1',
    ...(positions === NO_POSITIONS ? {} : { positions }),
  };
}

import { z } from 'zod';
import type { FeedSeal } from './feed-seal.ts';

/** Request of a follower to the reader: to read up to a slot, and perhaps a snapshot after that. */
export interface Ask {
  readonly slot: bigint;
  readonly snapshot: boolean;
}

const ASK = z.object({
  slot: z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt),
  snapshot: z.enum(['0', '1']),
});

/** Names and values of an entry. */
export function askFields({ slot, snapshot }: Ask, seal: FeedSeal): (string | Buffer)[] {
  const flag = snapshot ? '1' : '0';
  const tag = seal.tag('ask', String(slot), flag);
  return ['slot', String(slot), 'snapshot', flag, 'tag', tag];
}

/** The request in an entry; null when no gateway with the same secret wrote it, or it is malformed. */
export function parseAsk(fields: ReadonlyMap<string, Buffer>, seal: FeedSeal): Ask | null {
  const [slot = '', flag = ''] = [fields.get('slot')?.toString(), fields.get('snapshot')?.toString()];
  const tag = fields.get('tag') ?? Buffer.alloc(0);
  const asked = ASK.safeParse({ slot, snapshot: flag });
  if (!asked.success || !seal.isGenuine(tag, 'ask', slot, flag)) return null;
  return { slot: asked.data.slot, snapshot: flag === '1' };
}

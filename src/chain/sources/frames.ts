import { parseExactJson, textOf } from '@sluice/rpc-pool/transport/exact-json';
import { isAddress } from '@solana/kit';
import { z } from 'zod';

const U64_END = 1n << 64n;
const u64 = z
  .union([z.bigint(), z.int()])
  .transform(BigInt)
  .refine((value) => value >= 0n && value < U64_END);
const address = z.string().refine(isAddress);

/** Ids of ours are strings. */
const ANSWER = z.object({ id: z.string(), result: z.union([u64, z.boolean()]) });
const FAILURE = z.object({ id: z.string(), error: z.unknown() });
const ENVELOPE = z.object({ method: z.string().optional() });
const NOTIFICATION = z.object({
  method: z.literal('programNotification'),
  params: z.object({
    subscription: u64,
    result: z.object({
      context: z.object({ slot: u64 }),
      value: z.object({
        pubkey: address,
        account: z.object({
          owner: address,
          lamports: u64,
          data: z.tuple([z.string(), z.literal('base64')]),
        }),
      }),
    }),
  }),
});

/** A message of a WebSocket endpoint of which every field that anything reads has been checked. */
export type Frame = z.output<typeof ANSWER> | z.output<typeof NOTIFICATION>;

/**
 * Reads a frame; null for one that is not for us, such as an answer to a ping. The client library expects messages of the
 * right form: with others it throws where nothing can catch it, which would end the process.
 * @throws when the frame is malformed, or an endpoint refuses a subscription
 */
export function parseFrame(frame: Buffer): Frame | null {
  const message = parseExactJson(textOf(frame));
  const answer = ANSWER.safeParse(message);
  if (answer.success) return answer.data;
  if (FAILURE.safeParse(message).success) throw new TypeError('a call was refused');
  const { method } = ENVELOPE.parse(message);
  return method === 'programNotification' ? NOTIFICATION.parse(message) : null;
}

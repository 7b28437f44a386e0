import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { Rational } from '@sluice/protocol/numeric/rational';
import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';
import { KINDS, type Kind, type WantedAccount } from '../chain/view/kinds.ts';
import type { View } from '../chain/view/view.ts';
import type { AccountUpdate, SharedMoment, ViewUpdate } from '../chain/view/view-update.ts';
import { ERROR_CODES, type ErrorCode } from '../errors/codes.ts';
import type { ErrorContext } from '../errors/context.ts';
import { isCodedError, SluiceError } from '../errors/sluice-error.ts';
import { type FeedSeal, TAG_BYTES } from './feed-seal.ts';
import type { PositionsState } from './positions-state.ts';
import type { ViewDifferences } from './view-differences.ts';

/** Changes with the format, so that gateways of another format do not share Views. */
export const FEED_FORMAT = 3;

/** One View on its way between processes. */
export interface ViewMessage {
  /** Fencing token of the reader. */
  readonly token: bigint;
  /** Counts the Views of one token, from 1. */
  readonly sequence: number;
  /** Id of the View that the changes apply to; null when the message holds the whole View. */
  readonly previous: string | null;
  /** Highest slot that the reader has read so far. A later reader must not start before it. */
  readonly highestSlot: bigint;
  /** Followers discard Views of slots after this one, which the chain had not reached. Null when there are none to discard. */
  readonly discardAfter: bigint | null;
  /** Milliseconds after which the reader builds the next View. */
  readonly intervalMs: number;
  /** The state of its positions; null when it has none. They are in messages of their own. */
  readonly positions: PositionsState | null;
  readonly moment: SharedMoment;
}

/** Where a message was found: its entry in the stream, and whether as changes or as the snapshot. */
export interface MessagePlace {
  readonly kind: 'changes' | 'whole';
  /** `token-sequence`. */
  readonly entry: string;
}

/** A message that no gateway with the shared secret has sent, or not for this place; or a truncated or corrupted one. */
export class UnauthenticMessage extends Error {
  override readonly name = 'UnauthenticMessage';
}

/** A genuine message that cannot be used: malformed, or not based on the View at hand. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

const MAGIC = Buffer.from(`SLV${FEED_FORMAT}`);
/** Bounds memory. */
const MAX_BYTES = 1024 * 1024 * 1024;

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

const integer = z
  .string()
  .regex(/^-?\d{1,40}$/)
  .transform(BigInt);
const kind = z.custom<Kind>((value) => typeof value === 'string' && KINDS.some((each) => each === value));
const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value));
const code = z.custom<ErrorCode>((value) => typeof value === 'string' && Object.hasOwn(ERROR_CODES, value));
const context = z.custom<ErrorContext[ErrorCode]>((value) => typeof value === 'object' && value !== null);
const size = z.number().int().nonnegative();

const HEADER = z.object({
  token: integer,
  sequence: z.number().int().positive(),
  previous: z.string().nullable(),
  highestSlot: integer,
  discardAfter: integer.nullable(),
  intervalMs: z.number().nonnegative().max(3_600_000),
  positions: z.object({ count: size, checksum: size }).nullable(),
  moment: z.object({
    id: z.string().min(1),
    slot: integer,
    timestamp: integer,
    builtAtMs: z.number(),
    slotDurationMs: z.tuple([integer, integer]).transform(([n, d]) => Rational.of(n, d)),
    slotDurationAssumed: z.boolean().optional(),
    slotMin: integer,
    slotMax: integer,
    slotWhole: integer,
    torn: z.boolean(),
  }),
  /** The checksum is that of the bytes after XOR with those of the previous View; null when they are sent as they are. */
  accounts: z.array(z.tuple([kind, address, address, integer, size, z.number().nullable()])),
  failed: z.array(z.tuple([kind, address, code, context])),
  removed: z.array(z.tuple([kind, address])),
});

/**
 * The bytes of a message: magic, tag, then a compressed header and the bytes of its accounts. The tag covers the place of the
 * message, so that it is not valid under another token or sequence.
 */
export async function encodeMessage(
  message: ViewMessage,
  changes: ViewDifferences,
  seal: FeedSeal,
): Promise<Buffer> {
  const bodies: Uint8Array[] = [];
  const accounts = changes.accounts.map(({ kind, address, owner, slot, data, base }) => {
    // Accounts change a little at a time: the difference is nearly all zeros.
    const isDifference = base !== null && base.length === data.length;
    bodies.push(isDifference ? xor(data, base) : data);
    return [kind, address, owner, String(slot), data.length, isDifference ? crc32(data) : null];
  });
  const { moment } = message;
  const header = Buffer.from(
    JSON.stringify(
      {
        ...message,
        moment: { ...moment, slotDurationMs: [moment.slotDurationMs.n, moment.slotDurationMs.d] },
        accounts,
        failed: changes.failed.map(({ kind, address, error }) => [kind, address, error.code, error.context]),
        removed: changes.removed.map(({ kind, address }) => [kind, address]),
      },
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    ),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  const packed = await compress(Buffer.concat([length, header, ...bodies]), {
    level: constants.Z_BEST_SPEED,
  });
  const kind = message.previous === null ? 'whole' : 'changes';
  const tag = seal.tag(kind, `${message.token}-${message.sequence}`, MAGIC, packed);
  return Buffer.concat([MAGIC, tag, packed]);
}

/**
 * Reads a message. `base` is the View that changes apply to.
 * @throws UnauthenticMessage before anything of it is read
 * @throws UnreadableMessage
 */
export async function decodeMessage(
  bytes: Uint8Array,
  base: View | undefined,
  seal: FeedSeal,
  { kind, entry }: MessagePlace,
): Promise<{ readonly message: ViewMessage; readonly update: ViewUpdate }> {
  const magic = bytes.subarray(0, MAGIC.length);
  const tag = bytes.subarray(MAGIC.length, MAGIC.length + TAG_BYTES);
  const packed = bytes.subarray(MAGIC.length + TAG_BYTES);
  if (!seal.isGenuine(tag, kind, entry, magic, packed)) throw new UnauthenticMessage('its tag is wrong');
  try {
    const { accounts, failed, removed, ...message } = await headerAndBodies(packed, base);
    const whole = message.previous === null;
    return { message, update: { moment: message.moment, whole, accounts, failed, removed } };
  } catch (error) {
    if (error instanceof UnreadableMessage) throw error;
    throw new UnreadableMessage('its contents are malformed', { cause: error });
  }
}

async function headerAndBodies(packed: Uint8Array, base: View | undefined) {
  const plain = await expand(packed, { maxOutputLength: MAX_BYTES });
  const headerEnd = 4 + plain.readUInt32LE(0);
  const { accounts, failed, removed, ...message } = HEADER.parse(
    JSON.parse(plain.toString('utf8', 4, headerEnd)),
  );
  if (message.previous !== null && message.previous !== base?.moment.id)
    throw new UnreadableMessage('it changes another View');
  let at = headerEnd;
  const updates = accounts.map(([kind, address, owner, slot, length, checksum]): AccountUpdate => {
    const body = plain.subarray(at, at + length);
    at += length;
    if (body.length !== length) throw new UnreadableMessage('it ends early');
    const data = checksum === null ? Buffer.from(body) : patched(base, { kind, address }, body, checksum);
    return { kind, address, owner, slot, data };
  });
  if (at !== plain.length) throw new UnreadableMessage('it is too long');
  return {
    ...message,
    accounts: updates,
    failed: failed.map(([kind, address, code, context]) => ({
      kind,
      address,
      error: new SluiceError(code, context),
    })),
    removed: removed.map(([kind, address]) => ({ kind, address })),
  };
}

function patched(
  base: View | undefined,
  { kind, address }: WantedAccount,
  difference: Uint8Array,
  checksum: number,
): Uint8Array {
  const known = base?.find(kind, address);
  if (known === undefined || isCodedError(known) || known.data.length !== difference.length)
    throw new UnreadableMessage('it changes an account that is not there');
  const data = xor(difference, known.data);
  if (crc32(data) !== checksum) throw new UnreadableMessage('an account has other bytes');
  return data;
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  const result = new Uint8Array(a.length);
  for (let i = 0; i < a.length; i += 1) result[i] = (a[i] ?? 0) ^ (b[i] ?? 0);
  return result;
}

import { base58Of } from '@sluice/protocol/layout/base58-text';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { LocalChain, StoredAccount } from '../chain.ts';
import { RawJson, toText } from './json.ts';
import { type Config, integer, optionalText, record } from './params.ts';
import { parseAccountData } from './parsed-account.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';

/** `binary` is the default of nodes: bare base58. */
export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'jsonParsed';

/** Form in which a client wants an account's bytes. */
export interface AccountView {
  readonly encoding: AccountEncoding;
  /** Null for all bytes. */
  readonly slice: { readonly offset: number; readonly length: number } | null;
}

/**
 * Caches the encoding of large accounts, so that each is encoded once. Uses more memory than the accounts themselves,
 * for benches in which answers of the chain must take almost no processor time.
 */
export type EncodingCache = WeakMap<StoredAccount, Buffer>;

/** Encoding a smaller account is as fast as copying it from the cache. */
const MIN_CACHED_BYTES = 4_096;

/** Every account is rent-exempt, which nodes write as the maximum u64. */
const RENT_EPOCH = '18446744073709551615';
const MAX_BASE58_BYTES = 128;

/** A closed account. */
const CLOSED: StoredAccount = {
  owner: SYSTEM_PROGRAM,
  lamports: 0n,
  data: new Uint8Array(),
  executable: false,
};

export function parseAccountView(config: Config, fallback: AccountEncoding): AccountView {
  const encoding = optionalText(config, 'encoding') ?? fallback;
  if (encoding === 'base64+zstd') {
    throw invalidParams('Invalid params: the encoding base64+zstd is not supported here, ask for base64.');
  }
  if (encoding !== 'binary' && encoding !== 'base58' && encoding !== 'base64' && encoding !== 'jsonParsed') {
    throw invalidParams(
      `Invalid params: unknown variant \`${encoding}\`, expected one of \`binary\`, \`base58\`, \`base64\`, \`jsonParsed\`.`,
    );
  }
  const slice = config.dataSlice;
  if (slice === undefined || slice === null) return { encoding, slice: null };
  const { offset, length } = record(slice);
  return { encoding, slice: { offset: integer(offset), length: integer(length) } };
}

/**
 * An account in the shape of RPC responses; `undefined` means closed. Base64 is encoded when the response is
 * written.
 */
export function encodeAccount(
  chain: LocalChain,
  found: StoredAccount | undefined,
  view: AccountView,
  cache: EncodingCache | null = null,
): RawJson {
  const account = found ?? CLOSED;
  checkBase58Length(account, view);
  const isPlain = view.encoding === 'base64' && view.slice === null;
  if (cache === null || !isPlain || account.data.length < MIN_CACHED_BYTES)
    return new RawJson(() => accountText(chain, account, view));
  return new RawJson(() => {
    const bytes = cache.get(account) ?? Buffer.from(accountText(chain, account, view), 'latin1');
    cache.set(account, bytes);
    return bytes;
  });
}

/** An account with its address, as in scans and program subscriptions. */
export function encodeKeyedAccount(
  chain: LocalChain,
  address: Address,
  account: StoredAccount,
  view: AccountView,
): RawJson {
  checkBase58Length(account, view);
  return new RawJson(() => `{"account":${accountText(chain, account, view)},"pubkey":"${address}"}`);
}

function accountText(chain: LocalChain, account: StoredAccount, view: AccountView): string {
  const { data, executable, lamports, owner } = account;
  const parsed = view.encoding === 'jsonParsed' ? parseAccountData(chain, account) : null;
  const text = parsed === null ? dataText(data, view) : toText(parsed);
  return `{"data":${text},"executable":${executable},"lamports":${lamports},"owner":"${owner}","rentEpoch":${RENT_EPOCH},"space":${data.length}}`;
}

/** Base58 encoding takes quadratic time, so nodes only offer it for short data. */
function checkBase58Length({ data }: StoredAccount, { encoding, slice }: AccountView): void {
  if (encoding !== 'base58' && encoding !== 'binary') return;
  const { start, end } = range(data, slice);
  if (end - start <= MAX_BASE58_BYTES) return;
  throw new RpcError(
    RPC_CODES.invalidRequest,
    `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
  );
}

/** The range of the data that the client requested. */
function range(data: Uint8Array, slice: AccountView['slice']): { start: number; end: number } {
  if (slice === null) return { start: 0, end: data.length };
  const start = Math.min(slice.offset, data.length);
  return { start, end: Math.min(start + slice.length, data.length) };
}

function dataText(data: Uint8Array, { encoding, slice }: AccountView): string {
  const { start, end } = range(data, slice);
  if (encoding === 'binary') return `"${base58Of(data.subarray(start, end))}"`;
  if (encoding === 'base58') return `["${base58Of(data.subarray(start, end))}","base58"]`;
  // Discovery requests many accounts without data.
  if (start === end) return '["","base64"]';
  return `["${Buffer.from(data.buffer, data.byteOffset + start, end - start).toString('base64')}","base64"]`;
}

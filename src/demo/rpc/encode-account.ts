import type { Address } from '@solana/kit';
import { base58Of } from '../../programs/layout/base58-text.ts';
import { SYSTEM_PROGRAM } from '../../programs/program-ids.ts';
import type { Ledger, LedgerAccount } from '../ledger.ts';
import { RawJson, toText } from './json.ts';
import { type Config, integer, optionalText, record } from './params.ts';
import { parseAccountData } from './parsed-account.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';

/** `binary` is what nodes answer when nobody names an encoding: bare base58. */
export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'jsonParsed';

/** How a client wants to see an account's bytes. */
export interface AccountView {
  readonly encoding: AccountEncoding;
  /** Null for all bytes. */
  readonly slice: { readonly offset: number; readonly length: number } | null;
}

/**
 * Large accounts as they are written, by themselves, so that each is encoded once. It takes more memory than the accounts
 * do, and is for a chain whose answers are to cost its machine next to nothing.
 */
export type KeptEncodings = WeakMap<LedgerAccount, Buffer>;

/** Smaller ones are encoded as quickly as they are written from memory of their own. */
const KEPT_BYTES = 4_096;

/** Every account is exempt from rent, which nodes write as the greatest u64. */
const RENT_EPOCH = '18446744073709551615';
const MAX_BASE58_BYTES = 128;

/** What is left of an account after it was closed. */
const CLOSED: LedgerAccount = {
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

/** An account in the shape of RPC answers; `undefined` stands for a closed one. The base64 is made when it is written. */
export function encodeAccount(
  ledger: Ledger,
  found: LedgerAccount | undefined,
  view: AccountView,
  kept: KeptEncodings | null = null,
): RawJson {
  const account = found ?? CLOSED;
  checkBase58Length(account, view);
  const isPlain = view.encoding === 'base64' && view.slice === null;
  if (kept === null || !isPlain || account.data.length < KEPT_BYTES)
    return new RawJson(() => accountText(ledger, account, view));
  return new RawJson(() => {
    const bytes = kept.get(account) ?? Buffer.from(accountText(ledger, account, view), 'latin1');
    kept.set(account, bytes);
    return bytes;
  });
}

/** An account beside its address, as scans and program subscriptions list it. */
export function encodeKeyedAccount(
  ledger: Ledger,
  address: Address,
  account: LedgerAccount,
  view: AccountView,
): RawJson {
  checkBase58Length(account, view);
  return new RawJson(() => `{"account":${accountText(ledger, account, view)},"pubkey":"${address}"}`);
}

function accountText(ledger: Ledger, account: LedgerAccount, view: AccountView): string {
  const { data, executable, lamports, owner } = account;
  const parsed = view.encoding === 'jsonParsed' ? parseAccountData(ledger, account) : null;
  const text = parsed === null ? dataText(data, view) : toText(parsed);
  return `{"data":${text},"executable":${executable},"lamports":${lamports},"owner":"${owner}","rentEpoch":${RENT_EPOCH},"space":${data.length}}`;
}

/** Base58 takes a time that grows with the square of the length, so nodes give it for short data alone. */
function checkBase58Length({ data }: LedgerAccount, { encoding, slice }: AccountView): void {
  if (encoding !== 'base58' && encoding !== 'binary') return;
  const { start, end } = range(data, slice);
  if (end - start <= MAX_BASE58_BYTES) return;
  throw new RpcError(
    RPC_CODES.invalidRequest,
    `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
  );
}

/** The part of the data that the client wants. */
function range(data: Uint8Array, slice: AccountView['slice']): { start: number; end: number } {
  if (slice === null) return { start: 0, end: data.length };
  const start = Math.min(slice.offset, data.length);
  return { start, end: Math.min(start + slice.length, data.length) };
}

function dataText(data: Uint8Array, { encoding, slice }: AccountView): string {
  const { start, end } = range(data, slice);
  if (encoding === 'binary') return `"${base58Of(data.subarray(start, end))}"`;
  if (encoding === 'base58') return `["${base58Of(data.subarray(start, end))}","base58"]`;
  // Discovery asks for no bytes of very many accounts.
  if (start === end) return '["","base64"]';
  return `["${Buffer.from(data.buffer, data.byteOffset + start, end - start).toString('base64')}","base64"]`;
}

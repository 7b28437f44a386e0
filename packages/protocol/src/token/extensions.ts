import type { Address } from '@solana/kit';
import { malformed, type RawAccount, viewOf } from '../layout/account.ts';
import { publicKey, u16, u64 } from '../layout/codec.ts';
import { type StructOf, struct } from '../layout/struct.ts';
import { presentAddress, TOKEN_2022_PROGRAM } from '../program-ids.ts';
import { EXTENSION_TYPE } from './extension-types.ts';

/** One Token-2022 extension: its type number and its raw bytes. */
export interface Extension {
  readonly type: number;
  readonly data: Uint8Array;
}

/** Offset of the account type in an extended mint or token account: the length of the longer base layout. */
const ACCOUNT_TYPE_OFFSET = 165;
const MULTISIG_BYTES = 355;
const UNINITIALIZED = 0;
export const TRANSFER_FEE_CONFIG = 1;
export const TOKEN_METADATA = 19;
const FROZEN = 2;

/** The extensions after the base layout of a mint or token account. A malformed list is a typed error. */
export function readExtensions(
  name: string,
  account: RawAccount,
  baseBytes: number,
  accountType: number,
): Extension[] {
  const { data, owner } = account;
  if (owner !== TOKEN_2022_PROGRAM || data.length === baseBytes) return [];
  if (data.length === MULTISIG_BYTES) throw malformed(name, account, 'it has the length of a multisig');
  if (data.length <= ACCOUNT_TYPE_OFFSET || data[ACCOUNT_TYPE_OFFSET] !== accountType) {
    throw malformed(name, account, 'its account type byte is of another kind');
  }
  for (let i = baseBytes; i < ACCOUNT_TYPE_OFFSET; i += 1) {
    if (data[i] !== 0) throw malformed(name, account, 'there is data between the base and the extensions');
  }
  const view = viewOf(data);
  const extensions: Extension[] = [];
  let offset = ACCOUNT_TYPE_OFFSET + 1;
  while (offset + 2 <= data.length) {
    const type = u16.read(view, offset);
    if (type === UNINITIALIZED) break;
    const start = offset + 4;
    const length = start <= data.length ? u16.read(view, offset + 2) : 0;
    if (start + length > data.length) throw malformed(name, account, `extension ${type} runs past the end`);
    extensions.push({ type, data: data.subarray(start, start + length) });
    offset = start + length;
  }
  return extensions;
}

/** The base followed by its extensions, zero-padded to `size`; the base alone when there is nothing to append. */
export function encodeExtended(
  base: Uint8Array,
  accountType: number,
  extensions: readonly Extension[],
  size = base.length,
): Uint8Array {
  if (extensions.length === 0 && size <= base.length) return base;
  const parts: Uint8Array[] = [
    base,
    new Uint8Array(ACCOUNT_TYPE_OFFSET - base.length),
    Uint8Array.of(accountType),
  ];
  for (const { type, data } of extensions) {
    const header = new Uint8Array(4);
    u16.write(viewOf(header), 0, type);
    u16.write(viewOf(header), 2, data.length);
    parts.push(header, data);
  }
  const encoded = Buffer.concat(parts);
  return Uint8Array.from(Buffer.concat([encoded, new Uint8Array(Math.max(0, size - encoded.length))]));
}

const transferFee = struct({ epoch: u64, maximumFee: u64, basisPoints: u16 });
const transferFeeConfig = struct({
  configAuthority: publicKey,
  withdrawAuthority: publicKey,
  withheldAmount: u64,
  older: transferFee,
  newer: transferFee,
});

export type TransferFeeConfig = StructOf<typeof transferFeeConfig.fields>;

/** The transfer fee of a Token-2022 mint; null when it has none. */
export function readTransferFeeConfig(extensions: readonly Extension[]): TransferFeeConfig | null {
  const extension = extensions.find(
    ({ type, data }) => type === TRANSFER_FEE_CONFIG && data.length >= transferFeeConfig.size,
  );
  return extension === undefined ? null : transferFeeConfig.read(viewOf(extension.data), 0);
}

/** Whether new accounts of a mint start frozen, and only its authority can thaw them. */
export function startsFrozen({ extensions }: { readonly extensions: readonly Extension[] }): boolean {
  return extensions.find(({ type }) => type === EXTENSION_TYPE.defaultAccountState)?.data[0] === FROZEN;
}

/** Metadata stored in a Token-2022 mint. */
export interface TokenMetadata {
  readonly updateAuthority: Address | null;
  readonly mint: Address;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

/** Null when the mint stores no metadata, or it is malformed. */
export function readTokenMetadata(extensions: readonly Extension[]): TokenMetadata | null {
  const extension = extensions.find(({ type }) => type === TOKEN_METADATA);
  if (extension === undefined || extension.data.length < 64) return null;
  const view = viewOf(extension.data);
  const texts: string[] = [];
  let offset = 64;
  while (texts.length < 3) {
    if (offset + 4 > extension.data.length) return null;
    const start = offset + 4;
    const end = start + view.getUint32(offset, true);
    if (end > extension.data.length) return null;
    texts.push(new TextDecoder().decode(extension.data.subarray(start, end)));
    offset = end;
  }
  const [name = '', symbol = '', uri = ''] = texts;
  return {
    updateAuthority: presentAddress(publicKey.read(view, 0)),
    mint: publicKey.read(view, 32),
    name,
    symbol,
    uri,
  };
}

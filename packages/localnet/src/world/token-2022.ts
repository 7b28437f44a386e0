import { addressBytes } from '@sluice/protocol/layout/base58';
import { type Extension, TOKEN_METADATA, TRANSFER_FEE_CONFIG } from '@sluice/protocol/token/extensions';
import type { Address } from '@solana/kit';
import type { MintModel } from './model.ts';

const TRANSFER_FEE_AMOUNT = 2;
const IMMUTABLE_OWNER = 7;
const METADATA_POINTER = 18;

/** The extensions of a Token-2022 mint: its metadata, and a transfer fee if it has one. */
export function mintExtensions(
  mint: Address,
  authority: Address,
  name: string,
  symbol: string,
  transferFeeBps: number | null,
): Extension[] {
  const authorityBytes = addressBytes(authority);
  const mintBytes = addressBytes(mint);
  const extensions: Extension[] = [
    { type: METADATA_POINTER, data: Buffer.concat([authorityBytes, mintBytes]) },
  ];
  if (transferFeeBps !== null) {
    const fees = Buffer.alloc(44);
    for (const start of [8, 26]) {
      fees.writeBigUInt64LE(transferFeeBps === 0 ? 0n : 5_000_000_000n, start + 8);
      fees.writeUInt16LE(transferFeeBps, start + 16);
    }
    extensions.push({
      type: TRANSFER_FEE_CONFIG,
      data: Buffer.concat([authorityBytes, authorityBytes, fees]),
    });
  }
  const texts = [name, symbol, `https://tokens.invalid/${symbol.toLowerCase()}.json`].map(lengthPrefixed);
  extensions.push({
    type: TOKEN_METADATA,
    data: Buffer.concat([authorityBytes, mintBytes, ...texts, Buffer.alloc(4)]),
  });
  return extensions.map(({ type, data }) => ({ type, data: Uint8Array.from(data) }));
}

/** The extensions that the token program adds to every account of a mint. */
export function accountExtensions(mint: MintModel): Extension[] {
  if (mint.extensions.length === 0) return [];
  const immutableOwner: Extension = { type: IMMUTABLE_OWNER, data: new Uint8Array(0) };
  return mint.chargesTransferFees
    ? [immutableOwner, { type: TRANSFER_FEE_AMOUNT, data: new Uint8Array(8) }]
    : [immutableOwner];
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

import type { Address } from '@solana/kit';
import type { View } from '../chain/view.ts';
import type { PriceUsd } from '../domain/price.ts';
import { readText } from '../programs/layout/codec.ts';
import { readTokenMetadata } from '../programs/token/extensions.ts';
import type { MintRecord } from './records.ts';
import { Valuation } from './valuation.ts';

/** Priority of a token that nobody has ranked: behind all that have been. */
const UNRANKED = 1_000_000;

/** A token: its mint on the chain and what is known about it. */
export interface Token {
  readonly mint: Address;
  readonly record: MintRecord;
  readonly symbol: string;
  readonly name: string;
  readonly logoUrl: string | null;
  readonly verified: boolean;
  /** Lower comes first. */
  readonly priority: number;
  readonly tradingVolume24H: number | null;
  readonly marketCapUsd: number | null;
}

/** What the chain itself says about a token; nothing else is known of it. */
export function tokenOf(view: View, record: MintRecord): Token {
  return {
    mint: record.address,
    record,
    ...namesOnChain(view, record),
    logoUrl: null,
    verified: false,
    priority: UNRANKED,
    tradingVolume24H: null,
    marketCapUsd: null,
  };
}

export function tokenPrice(view: View, mint: Address): PriceUsd | null {
  return Valuation.of(view).tokenPrice(mint);
}

/** A name from the mint's own metadata, from the vault whose shares it is, or from a reserve; else from its address. */
function namesOnChain(view: View, { address, value }: MintRecord): { symbol: string; name: string } {
  const metadata = readTokenMetadata(value.extensions);
  if (metadata !== null && metadata.symbol.trim() !== '') {
    return { symbol: metadata.symbol.trim(), name: metadata.name.trim() || metadata.symbol.trim() };
  }
  const vault = view.vaultOfShares(address);
  if (vault !== undefined) {
    const symbol = `kv${reserveSymbol(view, vault.value.tokenMint) ?? shortened(vault.value.tokenMint)}`;
    return { symbol, name: readText(vault.value.name) || symbol };
  }
  const symbol = reserveSymbol(view, address) ?? shortened(address);
  return { symbol, name: symbol };
}

function reserveSymbol(view: View, mint: Address): string | undefined {
  for (const { value } of view.reservesOfMint(mint)) {
    const name = readText(value.config.tokenInfo.name);
    if (name !== '') return name;
  }
  return undefined;
}

function shortened(address: Address): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`;
}

import type { Address } from '@solana/kit';
import {
  EXCHANGE_AUTHORITY,
  EXCHANGE_EVENT_AUTHORITY,
  exchangeVault,
} from '../runtime/exchange/addresses.ts';
import { labelledAddress } from './prng.ts';
import { addHolding, isNative, newHolding } from './token-accounts.ts';
import type { World } from './world.ts';

/** Ten million SOL. */
const LAMPORTS = 10_000_000n * 1_000_000_000n;

/** Gives the exchange a quarter of each token's supply, of which the accounts of the world hold less than half. */
export function addExchangeVaults({ store, tokens }: World): void {
  for (const { mint } of tokens) {
    const amount = isNative(mint) ? LAMPORTS : mint.supply / 4n;
    addHolding(store, { ...newHolding(exchangeVault(mint), mint, EXCHANGE_AUTHORITY), amount });
  }
}

export const exchangeTable = (seed: string): Address => labelledAddress(seed, 'lookup-table', 'exchange');

export const exchangeTableEntries = ({ tokens, oracle }: World): Address[] => [
  EXCHANGE_AUTHORITY,
  EXCHANGE_EVENT_AUTHORITY,
  oracle.address,
  ...tokens.flatMap(({ mint }) => [mint.address, exchangeVault(mint)]),
];

import type { ClientRow } from './client-reads.ts';
import type { FootprintRow } from './footprint.ts';
import type { NestedRow } from './nested-read.ts';
import type { ThroughputRow } from './throughput.ts';
import type { WalletRow } from './wallets.ts';

/** All measurements of one run. Parts that were not selected are empty. */
export interface Results {
  readonly at: string;
  readonly node: string;
  readonly processors: number;
  readonly seconds: number;
  readonly world: { readonly vaults: number; readonly reserves: number; readonly markets: number };
  readonly answerBytes: number;
  readonly nested: readonly NestedRow[];
  readonly clients: readonly ClientRow[];
  readonly throughput: readonly ThroughputRow[];
  readonly wallets: readonly WalletRow[];
  readonly footprint: readonly FootprintRow[];
}

export const OURS = 'Sluice';
export const STREAMED = `${OURS}, with a stream`;
export const SDK = 'official SDK';

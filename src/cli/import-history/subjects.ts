import type { Address } from '@solana/kit';
import type { Rational } from '../../numeric/rational.ts';
import { MARKET_SERIES } from '../../store/history/market-series.ts';
import { RESERVE_SERIES } from '../../store/history/reserve-series.ts';
import type { SampledReward, Snapshot } from '../../store/history/samples.ts';
import { VAULT_SERIES } from '../../store/history/vault-series.ts';

export type Kind = 'market' | 'reserve' | 'vault';

export const TABLE_OF_KIND = {
  market: MARKET_SERIES.table,
  reserve: RESERVE_SERIES.table,
  vault: VAULT_SERIES.table,
} as const;

/** Something whose past the other deployment tells. */
export type ImportSubject = {
  readonly address: Address;
  /** Where its history is. */
  readonly path: string;
} & ({ readonly kind: 'market' | 'vault' } | { readonly kind: 'reserve'; readonly market: Address });

/** A bucket as the other deployment told it. */
export interface SourcePoint {
  /** Its start. */
  readonly bucket: Date;
  readonly sample: Partial<Pick<Snapshot, 'vaults' | 'reserves' | 'markets'>>;
  /** Of a vault: what its reserves paid in this bucket. */
  readonly reserveYields: readonly ReserveYield[];
}

/** Exact where the history of the reserve itself has a JSON number, and the only place that tells of rewards. */
export interface ReserveYield {
  readonly reserve: Address;
  readonly supplyApy: Rational;
  readonly rewards: readonly SampledReward[];
}

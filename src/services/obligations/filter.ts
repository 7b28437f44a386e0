import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { SortDirection } from '../paging/sorting.ts';
import type { ObligationTag } from './tags.ts';

export interface ObligationFilter {
  readonly tag?: ObligationTag | null | undefined;
  readonly depositReserve?: Address | null | undefined;
  readonly borrowReserve?: Address | null | undefined;
  /** Only obligations with debt and a health factor below this. */
  readonly healthBelow?: Rational | null | undefined;
  /** Whether the program lets a liquidator act on it at the prices of the View. */
  readonly liquidatable?: boolean | null | undefined;
}

export type ObligationOrderField = 'ADDRESS' | 'HEALTH' | 'DEPOSITED' | 'BORROWED' | 'NET_VALUE';

export interface ObligationOrder {
  readonly field: ObligationOrderField;
  readonly direction: SortDirection;
}

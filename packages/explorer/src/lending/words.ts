import type { ResultOf } from '@sluice/client';
import type { LIVE_RESERVE } from './live-reserve.ts';
import type { LOANS } from './loans-documents.ts';

type Price = NonNullable<ResultOf<typeof LIVE_RESERVE>['price']>;
type Check = NonNullable<Price['failedChecks']>[number];
type Tag = NonNullable<ResultOf<typeof LOANS>['obligations']['nodes'][number]['tag']>;

export const PRICE_SOURCES: Readonly<Record<Price['source'], string>> = {
  SCOPE: 'oracle',
  RESERVE: 'stored in the reserve',
};

/** Why the lending program refuses a price. */
export const FAILED_CHECKS: Readonly<Record<Check, string>> = {
  AGE: 'too old',
  BOUNDS: 'outside its bounds',
  LOADED: 'the oracle has none',
  TWAP_AGE: 'its average is too old',
  TWAP_DIVERGENCE: 'far from its average',
  USAGE: 'blocked by the reserve',
};

export const LOAN_TAGS: Readonly<Record<Tag, string>> = {
  VANILLA: 'General',
  LENDING: 'Lending',
  LENDING_FIXED_RATE: 'Lending, fixed rate',
  LEVERAGE: 'Leverage',
  LEVERAGE_FIXED_RATE: 'Leverage, fixed rate',
  MULTIPLY: 'Multiply',
  MULTIPLY_FIXED_RATE: 'Multiply, fixed rate',
};

/** Null for a reserve without a remark: it is open for use. */
export const STATUS_WORDS = {
  ACTIVE: null,
  HIDDEN: { name: 'Hidden', why: 'Open for use, but not listed by default' },
  OBSOLETE: { name: 'Obsolete', why: 'Closed for new positions' },
  UNKNOWN: { name: 'Unknown status', why: 'A status that this version of the gateway does not know' },
} as const;

export const NO_PRICE = 'No price is known for the token';

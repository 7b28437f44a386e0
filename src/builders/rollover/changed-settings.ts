import { viewOf } from '@sluice/protocol/layout/account';
import { type Codec, u8, u32, u64 } from '@sluice/protocol/layout/codec';
import { bpsInWords, durationInWords } from '../../domain/borrow-order-words.ts';
import type { RolloverTerms } from '../../domain/rollover-terms.ts';

/** One setting, as one instruction changes it. */
export interface ChangedSetting {
  readonly mode: number;
  readonly value: Uint8Array;
  /** The rest of a sentence that begins with "For the debt". */
  readonly summary: string;
  /** The terms with this change and those before it. */
  readonly terms: RolloverTerms;
  /** Whether the program checks the terms after it: not for a flag that is switched off. */
  readonly isChecked: boolean;
}

interface Row<K extends keyof RolloverTerms> {
  readonly field: K;
  readonly mode: number;
  readonly codec: Codec<RolloverTerms[K]>;
  readonly summary: (value: RolloverTerms[K]) => string;
}

const row = <K extends keyof RolloverTerms>(
  mode: number,
  field: K,
  codec: Codec<RolloverTerms[K]>,
  summary: (value: RolloverTerms[K]) => string,
): Row<K> => ({ field, mode, codec, summary });

const allow = (value: number) => (value === 0 ? 'forbid' : 'allow');

const ENABLED = row(
  0,
  'autoRolloverEnabled',
  u8,
  (value) => `${allow(value)} a rollover at the end of its term`,
);
const MIGRATION = row(
  4,
  'migrationToFixedEnabled',
  u8,
  (value) => `${allow(value)} a move to a fixed term at any time`,
);
const RATE = row(
  1,
  'maxBorrowRateBps',
  u32,
  (value) => `set the maximum rate after a rollover to ${bpsInWords(value)} a year`,
);
const TERM = row(
  2,
  'minDebtTermSeconds',
  u64,
  (value) => `set the minimum term after a rollover to ${durationInWords(value)}`,
);
const OPEN_TERM = row(
  3,
  'openTermAllowed',
  u8,
  (value) => `${allow(value)} a rollover to a debt without a term`,
);
const WINDOW = row(5, 'fixedTermRolloverWindowDurationDays', u8, (value) =>
  value === 0
    ? 'use the window of the market for a rollover'
    : `set the window for a rollover to ${value} ${value === 1 ? 'day' : 'days'}`,
);

/**
 * The changes in an order in which the program accepts each: it switches off first and on last, because it checks the
 * terms as a whole after every change while a rollover is allowed.
 */
export function changedSettings(before: RolloverTerms, after: RolloverTerms): ChangedSetting[] {
  const changes: ChangedSetting[] = [];
  let terms = before;
  const change = <K extends keyof RolloverTerms>(
    { field, mode, codec, summary }: Row<K>,
    isChecked: boolean,
  ) => {
    const value = after[field];
    if (terms[field] === value) return;
    terms = termsWith(terms, field, value);
    const bytes = new Uint8Array(codec.size);
    codec.write(viewOf(bytes), 0, value);
    changes.push({ mode, value: bytes, summary: summary(value), terms, isChecked });
  };
  if (after.autoRolloverEnabled === 0) change(ENABLED, false);
  if (after.migrationToFixedEnabled === 0) change(MIGRATION, false);
  change(RATE, true);
  change(TERM, true);
  change(OPEN_TERM, true);
  change(WINDOW, true);
  change(ENABLED, true);
  change(MIGRATION, true);
  return changes;
}

/** Decoded terms are lazy, so each field is named. */
function termsWith<K extends keyof RolloverTerms>(
  terms: RolloverTerms,
  field: K,
  value: RolloverTerms[K],
): RolloverTerms {
  return {
    autoRolloverEnabled: terms.autoRolloverEnabled,
    openTermAllowed: terms.openTermAllowed,
    migrationToFixedEnabled: terms.migrationToFixedEnabled,
    fixedTermRolloverWindowDurationDays: terms.fixedTermRolloverWindowDurationDays,
    maxBorrowRateBps: terms.maxBorrowRateBps,
    minDebtTermSeconds: terms.minDebtTermSeconds,
    [field]: value,
  };
}

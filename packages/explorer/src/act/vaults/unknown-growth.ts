import type { Backtest } from './vault-plan-documents.ts';

type Unknown = NonNullable<Backtest['given']['unknown']>;

/** Why a backtest knows no growth. */
const REASONS: Readonly<Record<Unknown, string>> = {
  NOTHING_COMPARED: 'The weights above have no result to compare with.',
  NOT_RECORDED_THEN: 'There is no record at one end of the period.',
  NO_SHARES: 'The vault had no shares at one end of the period.',
  RESERVE_NOT_RECORDED: 'A reserve with a weight has no record in this time.',
  TOO_FEW_RECORDS: 'The reserves share fewer than two records in this time.',
};

export const unknownText = (unknown: Unknown | null): string =>
  unknown === null ? 'Unknown' : REASONS[unknown];

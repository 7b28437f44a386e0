import type { Decimal } from '@sluice/client';
import { health, part, type Shown, usd } from '../../format/numbers.ts';
import type { PriceShock, Supposed } from './what-if-documents.ts';

/** Least and greatest change of a price that the page offers, in percent. */
export const CHANGE_RANGE = { least: -90, most: 100, step: 5 } as const;
export const MOST_DAYS = 3_650;

export interface LoanToken {
  readonly mint: string;
  readonly symbol: string;
}

interface Side {
  readonly reserve: { readonly token: LoanToken } | null;
}

/** Tokens of a loan, each once. One whose reserve cannot be read has no price to change. */
export function loanTokens({
  deposits,
  borrows,
}: {
  readonly deposits: readonly Side[];
  readonly borrows: readonly Side[];
}): readonly LoanToken[] {
  const tokens = new Map<string, LoanToken>();
  for (const { reserve } of [...deposits, ...borrows])
    if (reserve !== null) tokens.set(reserve.token.mint, reserve.token);
  return [...tokens.values()];
}

/** Percent by mint. */
export type Changes = Readonly<Record<string, number>>;

/** The tokens of a loan whose price is supposed to change. */
export const priceShocks = (tokens: readonly LoanToken[], changes: Changes): readonly PriceShock[] =>
  tokens.flatMap(({ mint }) => {
    const change = changes[mint] ?? 0;
    return change === 0 ? [] : [{ mint, changePct: String(change) }];
  });

/** Days that were typed. Null when they are none. */
export function typedDays(text: string): number | null {
  if (!/^\d{1,4}$/.test(text.trim())) return null;
  const days = Number(text);
  return days > MOST_DAYS ? null : days;
}

export const signedPercent = (change: number): string => `${change > 0 ? '+' : ''}${change}%`;

export interface WhatIfRow {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly show: (value: Decimal) => Shown;
}

export function whatIfRows(before: Supposed, after: Supposed): readonly WhatIfRow[] {
  const row = (
    name: string,
    field:
      | 'healthFactor'
      | 'loanToValue'
      | 'liquidationLtv'
      | 'depositedUsd'
      | 'borrowedUsd'
      | 'netValueUsd'
      | 'badDebtUsd',
    show: WhatIfRow['show'],
  ): WhatIfRow => ({ name, before: before[field], after: after[field], show });
  return [
    row('Health factor', 'healthFactor', health),
    row('Loan to value', 'loanToValue', part),
    row('Liquidation at', 'liquidationLtv', part),
    row('Deposits', 'depositedUsd', usd),
    row('Debts', 'borrowedUsd', usd),
    row('Net value', 'netValueUsd', usd),
    row('Bad debt', 'badDebtUsd', usd),
  ];
}

const UNKNOWN: Readonly<Record<NonNullable<Supposed['unknown']>, string>> = {
  MARKET_UNREADABLE: 'The market cannot be read.',
  PRICE_UNKNOWN: 'A token of the loan has no price.',
  RESERVE_UNREADABLE: 'A reserve of the loan cannot be read.',
};

/** Why a value is not known. */
export const whyUnknown = ({ unknown }: Pick<Supposed, 'unknown'>): string =>
  unknown === null ? 'No debt of any value' : UNKNOWN[unknown];

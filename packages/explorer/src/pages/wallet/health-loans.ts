import { Decimal } from '@sluice/client';
import { health, part, usd } from '../../format/numbers.ts';
import { distanceOf, RISK_WORDS, type Risk, riskOfDistance } from '../../format/risk.ts';
import { loanLabel } from './loan-label.ts';
import type { Loan } from './wallet-documents.ts';
import { distanceThen, type SupposedLoan } from './what-if.ts';

/** A loan in the picture of all loans. */
export interface PicturedLoan {
  readonly address: string;
  readonly name: string;
  readonly health: string;
  readonly owedUsd: string | null;
  readonly distance: Decimal;
  readonly risk: Risk;
  /** In the what-if. Null when nothing is supposed, and when it is not known. */
  readonly supposed: Decimal | null;
}

/** Loans with a known health, in the order of their cards. */
export function picturedLoans(
  loans: readonly Loan[],
  states: readonly SupposedLoan[],
  isSupposing: boolean,
): readonly PicturedLoan[] {
  return loans.flatMap((loan): PicturedLoan[] => {
    if (loan.healthFactor === null) return [];
    const distance = distanceOf(Decimal.of(loan.healthFactor));
    const state = isSupposing ? states.find(({ address }) => address === loan.address) : undefined;
    return [
      {
        address: loan.address,
        name: loanLabel(loan, loans),
        health: health(Decimal.of(loan.healthFactor)).text,
        owedUsd: loan.stats?.userTotalBorrowUsd ?? null,
        distance,
        risk: riskOfDistance(distance),
        supposed: state === undefined ? null : distanceThen(state.supposed),
      },
    ];
  });
}

export const detailOf = ({ owedUsd, health: factor }: PicturedLoan): string =>
  owedUsd === null ? `health ${factor}` : `${usd(Decimal.of(owedUsd)).text} owed, health ${factor}`;

export const distanceShown = (distance: Decimal): string =>
  distance.isZero || distance.isNegative ? 'liquidatable' : part(distance).text;

/** The sentence that a screen reader hears in place of the picture. */
export function pictureSentence(loans: readonly PicturedLoan[]): string {
  const each = loans.map(({ name, distance, supposed }) => {
    const now = distanceShown(distance);
    if (supposed === null) return `${name}: ${now}.`;
    const later = distanceShown(supposed);
    return later === now
      ? `${name}: ${now} now and in the what-if.`
      : `${name}: ${now} now, ${later} in the what-if.`;
  });
  return `Distance of each loan to liquidation. ${each.join(' ')}`;
}

const ORDER: readonly Risk[] = ['danger', 'caution', 'safe'];

/** "Both safe", "1 of 2 in danger". */
export function overallRisk(
  loans: readonly PicturedLoan[],
): { readonly risk: Risk; readonly words: string } | null {
  const risk = ORDER.find((each) => loans.some((loan) => loan.risk === each));
  if (risk === undefined) return null;
  const affected = loans.filter((loan) => loan.risk === risk).length;
  const word = RISK_WORDS[risk].toLowerCase();
  if (loans.length === 1) return { risk, words: RISK_WORDS[risk] };
  if (affected < loans.length) return { risk, words: `${affected} of ${loans.length} in ${word}` };
  const all = loans.length === 2 ? 'Both' : `All ${loans.length}`;
  return { risk, words: risk === 'safe' ? `${all} safe` : `${all} in ${word}` };
}

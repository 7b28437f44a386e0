import { Decimal } from '@sluice/client';
import { health, part, type Shown, usd } from '../../format/numbers.ts';
import { distanceOf, type Risk, riskOfDistance } from '../../format/risk.ts';
import type { Supposed, WalletWhatIf } from './what-if-documents.ts';

/** −20%, 0%, +5%. */
export const signedPercent = (change: number): string =>
  part(Decimal.of(String(change)).dividedBy(Decimal.of('100'), 2), { change: true, whole: true }).text;

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

/** A loan now and as supposed. */
export interface SupposedLoan {
  readonly address: string;
  readonly present: Supposed;
  readonly supposed: Supposed;
}

export function supposedLoans({ present, supposed }: WalletWhatIf): readonly SupposedLoan[] {
  return (present?.obligations ?? []).flatMap((now) => {
    const address = now.obligation?.address;
    const then = supposed?.obligations.find(({ obligation }) => obligation?.address === address);
    return address === undefined || then === undefined ? [] : [{ address, present: now, supposed: then }];
  });
}

/** Distance to liquidation; null without debt and while it is unknown. A debt that has ended leaves none. */
export function distanceThen({ healthFactor, liquidatable }: Supposed): Decimal | null {
  if (liquidatable === true) return Decimal.of('0');
  return healthFactor === null ? null : distanceOf(Decimal.of(healthFactor));
}

/** The distance of the loan that is nearest to liquidation. Null without any. */
export function nearestOf(states: readonly Supposed[]): Decimal | null {
  const distances = states.flatMap((state) => {
    const distance = distanceThen(state);
    return distance === null ? [] : [distance];
  });
  const [first, ...others] = distances;
  return first === undefined ? null : Decimal.min(first, ...others);
}

const RISKS: readonly Risk[] = ['danger', 'caution', 'safe'];

/** "both loans stay safe", "1 of 2 loans can be liquidated", "2 of 3 loans are in danger". Null when nothing is known. */
export function outcomeText(
  states: readonly Supposed[],
): { readonly subject: string; readonly state: string } | null {
  const owing = states.filter((state) => distanceThen(state) !== null);
  const count = owing.length;
  if (count === 0) return null;
  const liquidatable = owing.filter((state) => state.liquidatable === true).length;
  if (liquidatable > 0) return { subject: someOf(liquidatable, count), state: 'can be liquidated' };
  const risks = owing.map((state) => riskOfDistance(distanceThen(state) ?? Decimal.of('0')));
  const worst = RISKS.find((risk) => risks.includes(risk)) ?? 'safe';
  const affected = risks.filter((risk) => risk === worst).length;
  if (worst === 'safe')
    return { subject: `${everyOf(count)} ${count === 1 ? 'stays' : 'stay'}`, state: 'safe' };
  const isOne = affected === 1;
  return worst === 'danger'
    ? { subject: `${someOf(affected, count)} ${isOne ? 'is' : 'are'}`, state: 'in danger' }
    : { subject: `${someOf(affected, count)} ${isOne ? 'needs' : 'need'}`, state: 'caution' };
}

const everyOf = (count: number): string =>
  count === 1 ? 'your loan' : count === 2 ? 'both loans' : `all ${count} loans`;

const someOf = (some: number, all: number): string =>
  some === all ? everyOf(all) : `${some} of ${all} loans`;

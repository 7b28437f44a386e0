import { placePoint } from '@sluice/protocol/numeric/decimal';
import { nearestQuotient, Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { OrderTerms } from './obligation-orders.ts';
import type { OrderHindrance, OrderOutlook } from './order-outlook.ts';

/** An order in sentences, for explanations, reads and previews. */

const FULL_PERCENT = Rational.of(100n, 1n);
const DIGITS = 8;
const MOST_PLACES = 24;

/** A number with at most eight significant digits, or all digits of its whole part. */
export function inDigits({ n, d }: Rational): string {
  const size = n < 0n ? -n : n;
  let places = 0;
  while (size * 10n ** BigInt(places) < d * 10n ** BigInt(DIGITS - 1) && places < MOST_PLACES) places += 1;
  return placePoint(nearestQuotient(n * 10n ** BigInt(places), d), places);
}

export const inPercent = (value: Rational | null): string =>
  `${value === null ? '?' : inDigits(value.mul(FULL_PERCENT))}%`;

const inNumber = (value: Rational | null) => (value === null ? '?' : inDigits(value));

/** `when the loan-to-value is above 75%`. */
export function conditionInWords({ condition, threshold }: OrderTerms): string {
  switch (condition) {
    case 'NEVER':
      return 'never';
    case 'LTV_ABOVE':
      return `when the loan-to-value is above ${inPercent(threshold)}`;
    case 'LTV_BELOW':
      return `when the loan-to-value is below ${inPercent(threshold)}`;
    case 'PRICE_RATIO_ABOVE':
      return `when the price of the debt in collateral is above ${inNumber(threshold)}`;
    case 'PRICE_RATIO_BELOW':
      return `when the price of the debt in collateral is below ${inNumber(threshold)}`;
    case 'ALWAYS':
      return 'at any time';
    case 'LIQUIDATION_LTV_CLOSER_THAN':
      return `when the loan-to-value is closer than ${inPercent(threshold)} to liquidation`;
    case null:
      return 'on an unknown condition';
  }
}

/**
 * `sell collateral to repay all debt`.
 *
 * @param amount the amount of the order with its token, used by an order that has one
 */
export function opportunityInWords({ opportunity, targetLtv }: OrderTerms, amount: string): string {
  switch (opportunity) {
    case 'DELEVERAGE_AMOUNT':
      return `sell collateral to repay ${amount}`;
    case 'DELEVERAGE_ALL':
      return 'sell collateral to repay all debt';
    case 'DELEVERAGE_TO_LTV':
      return `sell collateral to lower the loan-to-value to ${inPercent(targetLtv)}`;
    case 'LEVER_UP_AMOUNT':
      return `borrow ${amount} for more collateral`;
    case 'LEVER_UP_TO_LTV':
      return `borrow for more collateral to raise the loan-to-value to ${inPercent(targetLtv)}`;
    case null:
      return 'an unknown action';
  }
}

/** One sentence: the condition, the action and the bonus. */
export function orderInWords(terms: OrderTerms, amount: string): string {
  const { minBonus, maxBonus } = terms;
  const condition = conditionInWords(terms);
  const bonus = minBonus.equals(maxBonus)
    ? inPercent(minBonus)
    : `${inPercent(minBonus)} to ${inPercent(maxBonus)}`;
  const action = opportunityInWords(terms, amount);
  return `${condition.charAt(0).toUpperCase()}${condition.slice(1)}: ${action}, for a bonus of ${bonus} to whoever executes it.`;
}

const HINDRANCES: Readonly<Record<OrderHindrance, string>> = {
  UNKNOWN_TERMS: 'This gateway does not know the terms of the order.',
  EXECUTION_DISABLED: 'The market has switched off the execution of orders.',
  NO_DEBT: 'There is no debt to repay.',
  POSITIONS: 'The order does not fit the number of deposits and debts of the obligation.',
  LIQUIDATED_FIRST: 'The obligation is liquidated before the threshold is reached.',
  PRICE_TRIGGERS_DISABLED:
    'The market has switched off everything that prices trigger, liquidations included.',
};

export const hindranceInWords = (hindrance: OrderHindrance): string => HINDRANCES[hindrance];

/**
 * What is watched now, and what would trigger the order.
 *
 * @param nameOf the symbol of the token in a reserve
 */
export function outlookInWords(
  terms: OrderTerms,
  { watched, isMet, hindrance, prices }: OrderOutlook,
  nameOf: (reserve: Address) => string,
): string {
  const state = stateInWords(terms, watched, isMet);
  if (hindrance !== null) return `${HINDRANCES[hindrance]}${state === '' ? '' : ` ${state}`}`;
  if (isMet !== false) return state;
  const crossings = prices.flatMap(({ reserve, triggerUsd, side }) =>
    triggerUsd === null || side === null
      ? []
      : [
          `${nameOf(reserve)} ${side === 'BELOW' ? 'falls below' : 'rises above'} ${inDigits(triggerUsd)} USD`,
        ],
  );
  if (crossings.length === 0) return `${state} No price of a collateral alone triggers the order.`;
  return `${state} With other prices unchanged, the order triggers when ${crossings.join(', or when ')}.`;
}

function stateInWords(terms: OrderTerms, watched: Rational | null, isMet: boolean | null): string {
  if (terms.condition === 'ALWAYS') return 'Anyone may execute the order now.';
  if (watched === null) return 'It is unknown whether the condition holds: a value is unknown.';
  const figure = figureInWords(terms, watched);
  return isMet === true ? `The condition holds now: ${figure}.` : `Now ${figure}.`;
}

function figureInWords({ condition }: OrderTerms, watched: Rational): string {
  switch (condition) {
    case 'LIQUIDATION_LTV_CLOSER_THAN':
      return `the loan-to-value is ${inPercent(watched)} from liquidation`;
    case 'PRICE_RATIO_ABOVE':
    case 'PRICE_RATIO_BELOW':
      return `the price of the debt in collateral is ${inDigits(watched)}`;
    default:
      return `the loan-to-value is ${inPercent(watched)}`;
  }
}

import { durationInWords } from './borrow-order-words.ts';
import { dateInWords } from './dates.ts';
import type { DebtEnd } from './debt-end.ts';

/**
 * One or two sentences: when the debt ends, what others may do then, and what to do about it.
 *
 * @param timestamp Unix seconds
 */
export function debtEndInWords(end: DebtEnd, timestamp: bigint): string {
  return `${ending(end, timestamp)} ${consequence(end, timestamp)}`;
}

function ending({ cause, at }: DebtEnd, timestamp: bigint): string {
  const subject = cause === 'TERM' ? 'The term of the debt' : 'The reserve';
  const [will, did] = cause === 'TERM' ? ['ends', 'ended'] : ['matures', 'matured'];
  return `${subject} ${timestamp < at ? will : did} on ${dateInWords(at)}.`;
}

function consequence({ cause, at, liquidatableFrom, wholeFrom }: DebtEnd, timestamp: bigint): string {
  const isOver = timestamp >= at;
  if (liquidatableFrom === null || wholeFrom === null) {
    const then = isOver ? 'Nothing more' : 'From then on nothing more';
    return `${then} can be borrowed${cause === 'TERM' ? ' on it' : ''}; the market has switched off liquidations for this reason, and interest goes on.`;
  }
  const isGradual = wholeFrom > liquidatableFrom && timestamp < wholeFrom;
  const part = isGradual
    ? `a part that grows to all of it in ${durationInWords(wholeFrom - liquidatableFrom)}`
    : 'all of it';
  const then = isOver ? 'Anyone may liquidate' : 'From then on anyone may liquidate';
  const remedy = cause === 'TERM' ? 'Repay it or roll it over' : 'Repay it';
  return `${then} ${part}, however healthy the loan is. ${remedy}${isOver ? '.' : ' before.'}`;
}

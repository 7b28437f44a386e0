import { Rational } from '../../numeric/rational.ts';
import type { VaultEvent } from '../transactions/events.ts';
import { between, type Sample } from './series.ts';

/** Tokens per share of a vault over time (unix seconds). */
export type SharePrice = (time: number) => Rational;

/**
 * The share price from what was recorded, and from deposits of anybody before recording began (the crank's part, a few
 * base units, is in what they paid). Between two known prices it lies on the line; before the first and after the last it
 * is theirs. Null when nothing at all is known, which is before the vault's first deposit.
 */
export function sharePriceOver(
  recorded: readonly Sample[],
  events: readonly VaultEvent[],
): SharePrice | null {
  const began = recorded[0]?.time ?? Number.POSITIVE_INFINITY;
  const early = events
    .filter(({ kind, time, shares }) => kind === 'deposit' && time < began && shares > 0n)
    .flatMap(({ time, tokens, shares }) =>
      tokens === null ? [] : { time, value: Rational.of(tokens, shares).reduced() },
    )
    .sort((a, b) => a.time - b.time);
  const [first, ...others] = [...early, ...recorded];
  return first === undefined ? null : between([first, ...others]);
}

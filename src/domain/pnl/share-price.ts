import { Rational } from '@sluice/protocol/numeric/rational';
import type { VaultEvent } from '@sluice/protocol/transactions/events';
import { interpolate, type Sample } from './series.ts';

/** Tokens per share of a vault over time (unix seconds). */
export type SharePrice = (time: number) => Rational;

/**
 * The share price from recorded samples, and from anyone's deposits before recording began (which include the crank fee of
 * a few base units). Interpolated linearly; constant before the first and after the last known price. Null without any
 * known price, that is, before the vault's first deposit.
 */
export function sharePriceFrom(
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
  const [first, ...rest] = [...early, ...recorded];
  return first === undefined ? null : interpolate([first, ...rest]);
}

/** Integers of base units and of scaled fractions. */

export const atLeastZero = (value: bigint): bigint => (value > 0n ? value : 0n);

export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Quotient of non-negative integers, rounded up. */
export const ceilDivide = (n: bigint, d: bigint): bigint => (n + d - 1n) / d;

/** The least integer from `from` to `to` where a condition holds that, once it holds, keeps holding. Null when it never does. */
export function leastWhere(from: bigint, to: bigint, holds: (value: bigint) => boolean): bigint | null {
  const search = leastWhereBySteps(from, to, holds);
  for (;;) {
    const { done, value } = search.next();
    if (done === true) return value;
  }
}

/** `leastWhere`, yielding before each evaluation. */
export function* leastWhereBySteps(
  from: bigint,
  to: bigint,
  holds: (value: bigint) => boolean,
): Generator<void, bigint | null> {
  if (from > to) return null;
  yield;
  if (!holds(to)) return null;
  let [below, least] = [from - 1n, to];
  while (least - below > 1n) {
    yield;
    const middle = (below + least) / 2n;
    if (holds(middle)) least = middle;
    else below = middle;
  }
  return least;
}

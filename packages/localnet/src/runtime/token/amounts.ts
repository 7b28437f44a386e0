import { ensure } from '../anchor.ts';
import { TOKEN_ERROR } from './token-errors.ts';

const U64_MAX = (1n << 64n) - 1n;

/** The sum, or the program's overflow error. */
export function addChecked(a: bigint, b: bigint): bigint {
  const sum = a + b;
  ensure(sum <= U64_MAX, TOKEN_ERROR.overflow);
  return sum;
}

/** The difference, or the program's overflow error. */
export function subtractChecked(a: bigint, b: bigint): bigint {
  ensure(a >= b, TOKEN_ERROR.overflow);
  return a - b;
}

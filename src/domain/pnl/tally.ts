import { Rational } from '../../numeric/rational.ts';
import { total } from '../arithmetic.ts';

/** A long exact sum: terms of one denominator are added as integers, so that thousands of samples stay cheap. */
export class Tally {
  readonly #numerators = new Map<bigint, bigint>();

  add({ n, d }: Rational): void {
    if (n !== 0n) this.#numerators.set(d, (this.#numerators.get(d) ?? 0n) + n);
  }

  value(): Rational {
    return total([...this.#numerators].map(([d, n]) => Rational.of(n, d)));
  }
}

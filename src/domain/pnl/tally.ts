import { nearestQuotient, Rational } from '../../numeric/rational.ts';

/** Twice as many places as are ever published. */
const PLACES = 60n;
const UNITS = 10n ** PLACES;

/**
 * A long sum. Each term is kept to 60 places, which leaves every decimal of the record as it is: values in SOL have prices
 * as denominators, another each time, and a year of them added exactly would be a fraction of a hundred thousand digits.
 */
export class Tally {
  #units = 0n;

  add({ n, d }: Rational): void {
    this.#units += nearestQuotient(n * UNITS, d);
  }

  value(): Rational {
    return Rational.of(this.#units, UNITS);
  }
}

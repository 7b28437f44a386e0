import { nearestQuotient, Rational } from '@sluice/protocol/numeric/rational';

/** Twice the stored places. */
const PLACES = 60n;
const UNITS = 10n ** PLACES;

/**
 * A sum of many terms, each rounded to 60 places, which is exact for recorded decimals. Values in SOL have a different
 * price as denominator each time; the exact sum of a year would be a fraction of a hundred thousand digits.
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

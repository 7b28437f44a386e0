import { nearestQuotient, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { type Denominated, minus, NOTHING, plus, times } from './denominated.ts';

/** The units that are given up first: the oldest ones, or an equal part of all. */
export type CostMethod = 'FIFO' | 'AVERAGE';

/** Units acquired together. Their cost is `base`, and the interest of one unit since the start for each of them. */
interface Lot {
  units: Rational;
  base: Denominated;
}

/** Units that were given up. */
export interface Released {
  readonly cost: Denominated;
  /** Units beyond those held, which `cost` does not include. */
  readonly missing: Rational;
}

/** Exact sums of quotients by prices would grow with each one. */
const PLACES = 60n;

/**
 * The units of a position and what they cost. Interest adds to the cost of the units that earned it, because it is income
 * by itself: what remains as a gain is the change of prices alone. Each operation takes constant time on average.
 */
export class Lots {
  readonly #method: CostMethod;
  /** Oldest first, from `#first` on; with average cost at most one. */
  #lots: Lot[] = [];
  #first = 0;
  #units = ZERO;
  /** Sum of the bases. */
  #base = NOTHING;
  /** Interest of one unit that was held since the start. */
  #growth = NOTHING;

  constructor(method: CostMethod) {
    this.#method = method;
  }

  get units(): Rational {
    return this.#units;
  }

  /** Null in a denomination in which the cost of some units is unknown. */
  get cost(): Denominated {
    // A sum that had an unknown part stays unknown when that part is gone.
    if (this.#base.usd === null || this.#base.sol === null) {
      this.#base = this.#lots.slice(this.#first).reduce((sum, { base }) => plus(sum, base), NOTHING);
    }
    return this.#grown(this.#units, this.#base);
  }

  acquire(units: Rational, cost: Denominated): void {
    if (units.isZero) return;
    const base = shortened(minus(cost, times(this.#growth, units)));
    const last = this.#method === 'AVERAGE' ? this.#lots[this.#first] : undefined;
    if (last === undefined) this.#lots.push({ units, base });
    else {
      last.units = last.units.add(units).reduced();
      last.base = plus(last.base, base);
    }
    this.#units = this.#units.add(units).reduced();
    this.#base = plus(this.#base, base);
  }

  /** Adds interest in equal parts to all units; there must be some. */
  grow(interest: Denominated): void {
    const perUnit = times(interest, Rational.of(this.#units.d, this.#units.n));
    this.#growth = shortened(plus(this.#growth, perUnit));
  }

  release(units: Rational): Released {
    let cost = NOTHING;
    let left = units;
    while (!left.isZero) {
      const oldest = this.#lots[this.#first];
      if (oldest === undefined) return { cost, missing: left };
      const isWhole = oldest.units.compare(left) <= 0;
      const taken = isWhole ? oldest.units : left;
      const base = isWhole ? oldest.base : shortened(times(oldest.base, taken.div(oldest.units)));
      cost = plus(cost, this.#grown(taken, base));
      left = left.sub(taken).reduced();
      if (isWhole) this.#drop();
      else {
        oldest.units = oldest.units.sub(taken).reduced();
        oldest.base = minus(oldest.base, base);
      }
      this.#units = this.#units.sub(taken).reduced();
      this.#base = minus(this.#base, base);
    }
    return { cost, missing: ZERO };
  }

  #grown(units: Rational, base: Denominated): Denominated {
    return units.isZero ? NOTHING : plus(base, times(this.#growth, units));
  }

  /** Removes the oldest lot. The list is shortened when half of it is gone. */
  #drop(): void {
    this.#first += 1;
    if (this.#first * 2 < this.#lots.length) return;
    this.#lots = this.#lots.slice(this.#first);
    this.#first = 0;
  }
}

function shortened({ usd, sol, token }: Denominated): Denominated {
  return { usd: usd && short(usd), sol: sol && short(sol), token: short(token) };
}

/** Rounded to `PLACES`, far below what is published. */
function short({ n, d }: Rational): Rational {
  const unit = 10n ** PLACES;
  return Rational.of(nearestQuotient(n * unit, d), unit).reduced();
}

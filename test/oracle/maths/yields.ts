import { Decimal } from 'decimal.js';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';

/** Far beyond what is published, so that no rounding of ours or theirs shows. */
const Precise = Decimal.clone({ precision: 120, toExpNeg: -1e9, toExpPos: 1e9 });

const RATES = [
  '0',
  '0.00000001',
  '0.001',
  '0.0391',
  '0.05',
  '0.123456789',
  '0.9',
  '1',
  '2.5',
  '10',
  '-0.02',
  '-0.9',
];

/** (1 + apr / periods)^periods - 1 by exponential and logarithm at 120 digits. */
function compounded(apr: string, periods: number): string {
  const one = new Precise(1);
  return one.add(new Precise(apr).div(periods)).ln().mul(periods).exp().sub(one).toFixed(60);
}

export function yieldCases(): Json[] {
  const prng = new Prng('maths/yields');
  const random = Array.from({ length: 20 }, () =>
    new Precise(`${prng.between(0n, 10n ** 20n)}`).div('1e19').toFixed(),
  );
  return [63_072_000, 365].flatMap((periods) =>
    [...RATES, ...random].map((apr) => ({ apr, periods, apy: compounded(apr, periods) })),
  );
}

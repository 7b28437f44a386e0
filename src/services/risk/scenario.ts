import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { PriceShocks } from '../../domain/risk/price-shock.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { reserveInView } from '../reserves/reserves.ts';
import { type GivenShock, priceShocks } from './price-shocks.ts';

/** Supposed rates of a reserve as the caller gives them. A missing one is the current rate. */
export interface GivenRate {
  readonly reserve: Address;
  /** Per year, as a fraction. */
  readonly supplyApy?: Rational | null | undefined;
  readonly borrowApy?: Rational | null | undefined;
}

export interface GivenScenario {
  readonly prices?: readonly GivenShock[] | null | undefined;
  readonly rates?: readonly GivenRate[] | null | undefined;
  readonly days?: number | null | undefined;
}

/** A supposed future: interest of some days at some rates, then other prices. */
export interface Scenario {
  readonly prices: PriceShocks;
  readonly rates: ReadonlyMap<Address, GivenRate>;
  readonly days: number;
}

export const MOST_DAYS = 3_650;
/** 100,000 %. */
const MOST_APY = integer(1_000n);

/** Checks a scenario. @throws SluiceError when a part of it makes no sense */
export function scenarioOf(view: View, given: GivenScenario): Scenario {
  const days = given.days ?? 0;
  if (!Number.isInteger(days) || days < 0 || days > MOST_DAYS) {
    const range = { min: '0', max: String(MOST_DAYS) };
    throw new SluiceError('NUMBER_OUT_OF_RANGE', { what: 'days', value: String(days), ...range });
  }
  return {
    prices: priceShocks(view, given.prices ?? []),
    rates: supposedRates(view, given.rates ?? []),
    days,
  };
}

function supposedRates(view: View, given: readonly GivenRate[]): ReadonlyMap<Address, GivenRate> {
  const rates = new Map<Address, GivenRate>();
  for (const each of given) {
    const { reserve } = each;
    reserveInView(view, reserve);
    const invalid = (reason: string) => new SluiceError('RATE_INVALID', { reserve, reason });
    if (rates.has(reserve)) throw invalid('is given twice. Name each reserve once');
    for (const apy of [each.supplyApy, each.borrowApy]) {
      if (apy && (apy.isNegative || apy.compare(MOST_APY) > 0)) {
        throw invalid(
          `is ${toDecimalString(apy)}. It is a fraction per year, from 0 to ${toDecimalString(MOST_APY)}`,
        );
      }
    }
    rates.set(reserve, each);
  }
  return rates;
}

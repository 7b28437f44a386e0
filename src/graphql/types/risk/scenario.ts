import type { ArgBuilder } from '@pothos/core';
import { builder, type SchemaTypes } from '../../builder.ts';
import { PriceShockInput } from './price-shock.ts';

const ReserveRatesInput = builder.inputType('ReserveRates', {
  description: 'Supposed rates of a reserve.',
  fields: (t) => ({
    reserve: t.field({ type: 'Address', required: true, description: 'Address of the reserve.' }),
    supplyApy: t.field({
      type: 'Decimal',
      description: 'Yield of suppliers per year, as a fraction from 0 to 1000. Defaults to the current one.',
    }),
    borrowApy: t.field({
      type: 'Decimal',
      description: 'Cost for borrowers per year, as a fraction from 0 to 1000. Defaults to the current one.',
    }),
  }),
});

/** The arguments of every what-if. */
export function scenarioArgs(t: ArgBuilder<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>>) {
  return {
    prices: t({
      type: [PriceShockInput],
      description: 'Supposed prices. All other prices stay as they are. Name each mint once.',
    }),
    rates: t({
      type: [ReserveRatesInput],
      description: 'Supposed rates for the time of `days`. Name each reserve once.',
    }),
    days: t.int({
      defaultValue: 0,
      description:
        'Days of interest before the prices change, 0 to 3650, without rewards: at the current rates or those of `rates`, compounded.',
    }),
  };
}

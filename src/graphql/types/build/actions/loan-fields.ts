import type { BuilderTypes } from '../../../builder.ts';
import { BuildOptionsRef, ObligationChoiceRef } from './build-inputs.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<BuilderTypes, 'InputObject'>;

/** The fields of every input of an action on an obligation by its owner. */
export function loanFields(
  t: InputFields,
  obligation = 'Obligation to use.',
  byDefault = 'the VANILLA obligation with id 0',
) {
  return {
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Owner of the obligation, who signs the transaction and pays its fee unless there is another fee payer.',
    }),
    market: t.field({ type: 'Address', required: true, description: 'Address of the market.' }),
    obligation: t.field({
      type: ObligationChoiceRef,
      description: `${obligation} Defaults to ${byDefault}.`,
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  };
}

import { elevationAction } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { BuildOptionsRef, choiceOf, ObligationChoiceRef } from './build-inputs.ts';

const ElevationGroupInputRef = builder.inputType('RequestElevationGroupInput', {
  description: 'Input of a move to an elevation group.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Owner of the obligation, who signs the transaction and pays its fee unless there is another fee payer.',
    }),
    market: t.field({ type: 'Address', required: true, description: 'Address of the market.' }),
    obligation: t.field({
      type: ObligationChoiceRef,
      description: 'Obligation to move. Defaults to the VANILLA obligation with id 0.',
    }),
    group: t.int({
      required: true,
      description: 'Number of the elevation group, 1 to 32; 0 to leave the present one.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

export const ELEVATION_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'requestElevationGroup',
    mutation: 'buildRequestElevationGroup',
    kind: 'REQUEST_ELEVATION_GROUP',
    builds:
      'Builds a move of an obligation to an elevation group, or out of one. Anything that prevents the move is reported as a warning of the preview.',
    input: ElevationGroupInputRef,
    actionOf: (source, { wallet, market, obligation, group }) =>
      elevationAction(source, { wallet, market, group, ...choiceOf(obligation) }),
  }),
];

import { elevationAction } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { choiceOf } from './build-inputs.ts';
import { loanFields } from './loan-fields.ts';

const ElevationGroupInputRef = builder.inputType('RequestElevationGroupInput', {
  description: 'Input of a move to an elevation group.',
  fields: (t) => ({
    ...loanFields(t, 'Obligation to move.'),
    group: t.int({
      required: true,
      description: 'Number of the elevation group, 1 to 32; 0 to leave the present one.',
    }),
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

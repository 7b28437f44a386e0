import type { BuildSource } from '../../../../services/builds/build-source.ts';
import type { Action, BuildOptions } from '../../../../services/builds/builds.ts';
import { builder } from '../../../builder.ts';
import type { ActionField } from './action-field.ts';
import { CLAIM_FIELDS } from './claim.ts';
import { ELEVATION_FIELDS } from './elevation.ts';
import { LENDING_FIELDS } from './lending.ts';
import { LEVERAGE_FIELDS } from './leverage.ts';
import { LIQUIDATE_FIELDS } from './liquidate.ts';
import { STAKING_FIELDS } from './staking.ts';
import { VAULT_FIELDS } from './vault.ts';

/** By the name of the field; the others are absent. */
type Given = Readonly<Record<string, object | null | undefined>>;

/** Every action that can be built, alone or in a plan. */
const ACTION_FIELDS: readonly ActionField[] = [
  ...LENDING_FIELDS,
  ...LEVERAGE_FIELDS,
  ...VAULT_FIELDS,
  ...LIQUIDATE_FIELDS,
  ...STAKING_FIELDS,
  ...CLAIM_FIELDS,
  ...ELEVATION_FIELDS,
];

const inputRef = builder.inputRef<Given>('BuildAction');

export const BuildActionRef = inputRef.implement({
  description: 'An action. Pass exactly one field.',
  isOneOf: true,
  fields: (t) =>
    Object.fromEntries(
      ACTION_FIELDS.map(({ name, description, input }) => [name, t.field({ type: input, description })]),
    ),
});

/** The action that an input asks for, and the options inside it. */
export async function chosenAction(
  source: BuildSource,
  input: Given,
): Promise<{ readonly action: Action; readonly options: BuildOptions }> {
  for (const field of ACTION_FIELDS) {
    const given = input[field.name];
    if (given === null || given === undefined) continue;
    return { action: await field.actionOf(source, given), options: field.optionsOf(given) };
  }
  throw new RangeError('the action is empty');
}

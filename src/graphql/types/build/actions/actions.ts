import type { BuildSource } from '../../../../services/builds/build-source.ts';
import type { Action, BuildOptions } from '../../../../services/builds/builds.ts';
import { builder } from '../../../builder.ts';
import type { ActionField } from './action-field.ts';
import { BORROW_ORDER_FIELDS } from './borrow-orders.ts';
import { CLAIM_FIELDS } from './claim.ts';
import { CURATOR_FIELDS } from './curator.ts';
import { ELEVATION_FIELDS } from './elevation.ts';
import { LENDING_FIELDS } from './lending.ts';
import { LEVERAGE_FIELDS } from './leverage.ts';
import { LIQUIDATE_FIELDS } from './liquidate.ts';
import { ORDER_FIELDS } from './orders.ts';
import { OWNERSHIP_FIELDS } from './ownership.ts';
import { POSITION_SWAP_FIELDS } from './position-swap.ts';
import { QUEUE_FIELDS } from './queue.ts';
import { REFERRAL_FIELDS } from './referral.ts';
import { REPAY_WITHDRAW_FIELDS } from './repay-withdraw.ts';
import { ROLLOVER_FIELDS } from './rollover.ts';
import { STAKING_FIELDS } from './staking.ts';
import { VAULT_FIELDS } from './vault.ts';

/** By the name of the field; the others are absent. */
type Given = Readonly<Record<string, object | null | undefined>>;

/** Every action that can be built, alone or in a plan. */
const ACTION_FIELDS: readonly ActionField[] = [
  ...LENDING_FIELDS,
  ...REPAY_WITHDRAW_FIELDS,
  ...LEVERAGE_FIELDS,
  ...POSITION_SWAP_FIELDS,
  ...VAULT_FIELDS,
  ...LIQUIDATE_FIELDS,
  ...STAKING_FIELDS,
  ...CURATOR_FIELDS,
  ...CLAIM_FIELDS,
  ...ELEVATION_FIELDS,
  ...ORDER_FIELDS,
  ...BORROW_ORDER_FIELDS,
  ...OWNERSHIP_FIELDS,
  ...ROLLOVER_FIELDS,
  ...QUEUE_FIELDS,
  ...REFERRAL_FIELDS,
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

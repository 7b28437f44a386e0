import type { InputRef } from '@pothos/core';
import { actionOptions, type VaultDepositOptions } from '../../../../services/builds/action-options.ts';
import { ACTION_KINDS, type ActionKind } from '../../../../services/builds/actions.ts';
import { BuildSource } from '../../../../services/builds/build-source.ts';
import { type Action, type BuildOptions, prepare } from '../../../../services/builds/builds.ts';
import { builder } from '../../../builder.ts';
import { BuildResultRef, planned } from '../results/build-result.ts';
import { type GivenOptions, optionsOf } from './build-inputs.ts';

/** An action of the graph: a field of `BuildAction`, and a mutation that builds it alone. */
export interface ActionField {
  /** Name of the field. */
  readonly name: string;
  readonly description: string;
  readonly input: InputRef<object>;
  /** The action that the input asks for. Throws when the input contradicts itself. */
  readonly actionOf: (source: BuildSource, input: object) => Action | Promise<Action>;
  readonly optionsOf: (input: object) => BuildOptions;
}

interface Declaration<I> {
  readonly name: string;
  readonly mutation: string;
  readonly kind: ActionKind;
  /** Description of the mutation: `Builds a deposit into a reserve.` */
  readonly builds: string;
  readonly input: InputRef<I>;
  /** Whether the action takes `minSharesOut` and `slippageBps`. All others refuse them. */
  readonly isVaultDeposit?: boolean;
  readonly actionOf: (
    source: BuildSource,
    input: I,
    options: VaultDepositOptions,
  ) => Action | Promise<Action>;
}

/** Declares an action and its mutation. */
export function actionField<I extends object & { readonly options?: GivenOptions }>(
  declaration: Declaration<I>,
): ActionField {
  const { name, mutation, kind, builds, input: ref, isVaultDeposit = false } = declaration;
  const actionOf = (source: BuildSource, input: I) =>
    declaration.actionOf(source, input, actionOptions(input.options, isVaultDeposit));
  builder.mutationField(mutation, (t) =>
    t.field({
      type: BuildResultRef,
      description: builds,
      args: {
        input: t.arg({
          type: ref as InputRef<object>,
          required: true,
          description: 'Wallet, target and amount of the action.',
        }),
      },
      resolve: (_root, args, { session, platform }) => {
        const input = args.input as I;
        const source = new BuildSource(session, platform);
        return planned(
          async () => await prepare(source, await actionOf(source, input), optionsOf(input.options)),
        );
      },
    }),
  );
  return {
    name,
    description: ACTION_KINDS[kind],
    input: ref as InputRef<object>,
    actionOf: (source, input) => actionOf(source, input as I),
    optionsOf: (input) => optionsOf((input as I).options),
  };
}

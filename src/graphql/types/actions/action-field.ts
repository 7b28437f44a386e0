import type { InputRef } from '@pothos/core';
import { type Action, type BuildOptions, prepare } from '../../../services/builds.ts';
import type { Session } from '../../../services/records.ts';
import { builder } from '../../builder.ts';
import { type GivenOptions, optionsOf } from '../build-inputs.ts';
import { BuildResultRef, planned } from '../build-result.ts';

/** An action of the graph: a field of `BuildAction`, and a mutation that builds it alone. */
export interface ActionField {
  /** Name of the field. */
  readonly name: string;
  readonly description: string;
  readonly input: InputRef<object>;
  /** The action that the input asks for. Throws when the input contradicts itself. */
  readonly actionOf: (session: Session, input: object) => Action | Promise<Action>;
  readonly optionsOf: (input: object) => BuildOptions;
}

interface Declaration<I> {
  readonly name: string;
  readonly mutation: string;
  /** Of the field: `Deposit into a reserve.` */
  readonly description: string;
  /** Of the mutation: `Builds a deposit into a reserve.` */
  readonly builds: string;
  readonly input: InputRef<I>;
  readonly actionOf: (session: Session, input: I) => Action | Promise<Action>;
}

/** Declares an action and its mutation. */
export function actionField<I extends object & { readonly options?: GivenOptions }>(
  declaration: Declaration<I>,
): ActionField {
  const { name, mutation, description, builds, input: ref, actionOf } = declaration;
  builder.mutationField(mutation, (t) =>
    t.field({
      type: BuildResultRef,
      nullable: false,
      description: builds,
      args: {
        input: t.arg({
          type: ref as InputRef<object>,
          required: true,
          description: 'Wallet, target and amount of the action.',
        }),
      },
      resolve: (_root, args, { session }) => {
        const input = args.input as I;
        return planned(
          async () => await prepare(session, await actionOf(session, input), optionsOf(input.options)),
        );
      },
    }),
  );
  return {
    name,
    description,
    input: ref as InputRef<object>,
    actionOf: (session, input) => actionOf(session, input as I),
    optionsOf: (input) => optionsOf((input as I).options),
  };
}

import type { z } from '@hono/zod-openapi';
import { actionOptions, type VaultDepositOptions } from '../../services/builds/action-options.ts';
import { BuildSource } from '../../services/builds/build-source.ts';
import { type Action, type PreparedBuild, prepare } from '../../services/builds/builds.ts';
import { buildOptions } from '../../services/builds/options-input.ts';
import type { RequestedStep } from '../../services/builds/requested-plan.ts';
import { bundleOf } from '../../services/builds/results.ts';
import { singleTransactionOf } from '../../services/builds/single-transaction.ts';
import { BUILDER_ERRORS } from '../operation/error-shapes.ts';
import { type Call, type ExampleAddresses, type Operation, operation } from '../operation/operation.ts';
import type { options } from './body-parts.ts';
import { givenActionOptions } from './option-schemas.ts';
import { BuiltTransaction, InstructionBundle } from './schemas.ts';

type ActionBody = z.ZodObject<{ readonly options: typeof options }>;

interface Declaration<B extends ActionBody> {
  /** Name of the action in a plan, as in GraphQL. */
  readonly name: string;
  readonly path: `/ktx/${string}`;
  readonly id: string;
  /** The equivalent GraphQL mutation. */
  readonly mutation: string;
  readonly purpose: string;
  readonly body: B;
  readonly example: (addresses: ExampleAddresses) => z.input<B>;
  /** Whether the action takes `minSharesOut` and `slippageBps`. All others refuse them. */
  readonly isVaultDeposit?: boolean;
  readonly actionOf: (
    source: BuildSource,
    body: z.output<B>,
    options: VaultDepositOptions,
  ) => Action | Promise<Action>;
}

/** An action of the REST API. */
export interface KtxAction {
  readonly name: string;
  readonly body: z.ZodObject;
  /** One returns a whole transaction, the other instructions. */
  readonly operations: readonly Operation[];
  readonly stepOf: (source: BuildSource, body: object) => Promise<RequestedStep>;
}

/** Declares an action with its two operations. */
export function ktxAction<B extends ActionBody>(declaration: Declaration<B>): KtxAction {
  const { name, body } = declaration;
  return {
    name,
    body,
    operations: bothOutputs(declaration),
    // The body was parsed by the schema beside it.
    stepOf: async (source, given) => {
      const parsed = given as z.output<B>;
      return { action: await actionOf(declaration, source, parsed), options: buildOptions(parsed.options) };
    },
  };
}

async function actionOf<B extends ActionBody>(
  { isVaultDeposit = false, actionOf }: Declaration<B>,
  source: BuildSource,
  body: z.output<B>,
): Promise<Action> {
  return await actionOf(source, body, actionOptions(givenActionOptions(body.options), isVaultDeposit));
}

const NOTE =
  'Balances, minimums, caps and health are not checked. The gateway never signs, and a builder sends nothing.';

const common = { method: 'post', tag: 'Builders', family: BUILDER_ERRORS, holds: 'never' } as const;

async function prepared<B extends ActionBody>(
  { session, platform }: Pick<Call, 'session' | 'platform'>,
  action: Declaration<B>,
  body: z.output<B>,
): Promise<PreparedBuild> {
  const source = new BuildSource(session, platform);
  return await prepare(source, await actionOf(action, source, body), buildOptions(body.options));
}

function bothOutputs<B extends ActionBody>(action: Declaration<B>): Operation[] {
  const { id, path, mutation, purpose, body } = action;
  const example = (addresses: ExampleAddresses) => ({ body: action.example(addresses) });
  return [
    operation({
      ...common,
      id,
      path,
      graph: `mutation { ${mutation}(input) { ... on TransactionPlan { transactions { base64 } } } }`,
      summary: `Unsigned transaction to ${purpose}`,
      description: `${NOTE} An action that does not fit into one transaction of 1232 bytes fails with TRANSACTION_SIZE_ERROR.`,
      body,
      response: BuiltTransaction,
      example,
      async answer(call, input) {
        const { base64 } = await singleTransactionOf(call.session, await prepared(call, action, input.body));
        return { transaction: base64 };
      },
    }),
    operation({
      ...common,
      id: `${id}Instructions`,
      path: `${path}-instructions`,
      graph: `mutation { ${mutation}(input) { ... on TransactionPlan { bundle { instructions lutsByAddress } } } }`,
      summary: `Instructions and lookup tables to ${purpose}`,
      description: NOTE,
      body,
      response: InstructionBundle,
      example,
      async answer(call, input) {
        return bundleOf(await prepared(call, action, input.body));
      },
    }),
  ];
}

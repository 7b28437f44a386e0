import { z } from '@hono/zod-openapi';
import { SluiceError } from '../../errors/sluice-error.ts';
import { BuildSource } from '../../services/builds/build-source.ts';
import type { PreparedBuild } from '../../services/builds/builds.ts';
import { type RequestedStep, requestedPlan } from '../../services/builds/requested-plan.ts';
import { bundleOf, transactionsOf } from '../../services/builds/results.ts';
import { BUILDER_ERRORS } from '../operation/error-shapes.ts';
import { type Call, type ExampleAddresses, type Operation, operation } from '../operation/operation.ts';
import { BuildOptionsBody } from './option-schemas.ts';
import { PlannedTransactions } from './plan-schemas.ts';
import { KTX_ACTIONS } from './routes.ts';
import { InstructionBundle } from './schemas.ts';

const NOT_AN_OBJECT = 'must be an object with exactly one action';

const PlanAction = z
  .object(Object.fromEntries(KTX_ACTIONS.map(({ name, body }) => [name, body.optional()])), {
    error: NOT_AN_OBJECT,
  })
  .openapi('PlanAction', {
    description:
      'An action, as the body of its own builder. Pass exactly one field. Its `options` may only have `unwrapSol`, `minSharesOut` and `slippageBps`.',
  });

const PlanBody = z
  .object(
    {
      actions: z
        .array(PlanAction, { error: 'must be a list of actions' })
        .openapi({ description: 'One to six actions of one wallet, in order.' }),
      options: BuildOptionsBody.optional(),
    },
    { error: 'The body must be a JSON object with the documented fields.' },
  )
  .openapi('PlanBody');

type GivenAction = z.output<typeof PlanAction>;

/** The action that is given, with its body. */
function stepOf(source: BuildSource, given: GivenAction): Promise<RequestedStep> {
  const [only, ...others] = Object.entries(given).filter(([, body]) => body !== undefined);
  const [name, body] = only ?? [];
  const action = KTX_ACTIONS.find((each) => each.name === name);
  if (body === undefined || action === undefined || others.length > 0) {
    throw new SluiceError('BUILD_REFUSED', { reason: 'pass exactly one action per step' });
  }
  return action.stepOf(source, body);
}

function prepared(
  { session, platform }: Call,
  { actions, options }: z.output<typeof PlanBody>,
): Promise<PreparedBuild> {
  const source = new BuildSource(session, platform);
  return requestedPlan(
    source,
    actions.map((given) => () => stepOf(source, given)),
    options,
  );
}

/** The transactions of a plan, in order. */
export async function plannedTransactions(
  { session }: Call,
  plan: PreparedBuild,
): Promise<z.input<typeof PlannedTransactions>> {
  const transactions = await transactionsOf(session, plan);
  return {
    transactions: transactions.map(({ base64, steps, setupOnly, split }) => ({
      transaction: base64,
      steps: [...steps],
      setupOnly,
      splitReason: split,
    })),
  };
}

const NOTE =
  'Later actions see the effects of earlier ones. Set-up and refreshes are shared. A plan is checked: with `options.strict` false, what the programs would refuse is built all the same. An error has the index of the step that it comes from. The gateway never signs, and a builder sends nothing.';

const common = {
  method: 'post',
  tag: 'Builders',
  family: BUILDER_ERRORS,
  holds: 'never',
  body: PlanBody,
  example: ({ wallet, market, depositReserve, borrowReserve }: ExampleAddresses) => ({
    body: {
      actions: [
        { lendingDeposit: { wallet, market, reserve: depositReserve, amount: '0.5' } },
        { lendingBorrow: { wallet, market, reserve: borrowReserve, amount: '1.5' } },
      ],
    },
  }),
} as const;

/** Several actions in one plan, in the two forms of the builders. */
export const KTX_PLAN_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'buildPlan',
    path: '/ktx/plan',
    graph:
      'mutation { buildPlan(actions, options) { ... on TransactionPlan { transactions { base64 steps setupOnly splitReason } } } }',
    summary: 'Unsigned transactions for up to six actions',
    description: `${NOTE} One transaction where everything fits, otherwise several, to be sent and confirmed in order.`,
    response: PlannedTransactions,
    async answer(call, { body }) {
      return await plannedTransactions(call, await prepared(call, body));
    },
  }),
  operation({
    ...common,
    id: 'buildPlanInstructions',
    path: '/ktx/plan-instructions',
    graph:
      'mutation { buildPlan(actions, options) { ... on TransactionPlan { bundle { instructions lutsByAddress } } } }',
    summary: 'Instructions and lookup tables of up to six actions',
    description: `${NOTE} The instructions of all transactions, in order; \`/ktx/plan\` says which steps share one.`,
    response: InstructionBundle,
    async answer(call, { body }) {
      return bundleOf(await prepared(call, body));
    },
  }),
];

import type { z } from '@hono/zod-openapi';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { BuildSource } from '../../services/builds/build-source.ts';
import type { PreparedBuild } from '../../services/builds/builds.ts';
import { buildOptions } from '../../services/builds/options-input.ts';
import { bundleOf, type Change, type PreviewAllocation } from '../../services/builds/results.ts';
import {
  prepareRebalance,
  type VaultRebalance as Rebalance,
  type VaultRebalanceRequest,
  vaultRebalance,
} from '../../services/builds/vault-rebalance.ts';
import { BUILDER_ERRORS } from '../operation/error-shapes.ts';
import { type Call, type ExampleAddresses, type Operation, operation } from '../operation/operation.ts';
import { decimal } from '../values/decimal.ts';
import { parseAmount } from './body-parts.ts';
import { plannedTransactions } from './plan-routes.ts';
import { PlannedTransactions } from './plan-schemas.ts';
import { RebalanceBody, VaultRebalance } from './rebalance-schemas.ts';
import { InstructionBundle } from './schemas.ts';

type Body = z.output<typeof RebalanceBody>;

const requestOf = ({ wallet, kvault, targets, ...idle }: Body): VaultRebalanceRequest => ({
  wallet,
  vault: kvault,
  targets: targets.map(({ reserve, weight, cap, collateralCap, remove }) => ({
    reserve,
    ...(weight === undefined ? {} : { weight }),
    ...(cap === undefined ? {} : { cap: parseAmount(cap) }),
    ...(collateralCap === undefined ? {} : { collateralCap: parseAmount(collateralCap) }),
    remove: remove === true,
  })),
  ...(idle.unallocatedWeight === undefined ? {} : { unallocatedWeight: idle.unallocatedWeight }),
  ...(idle.unallocatedCap === undefined ? {} : { unallocatedCap: parseAmount(idle.unallocatedCap) }),
});

async function prepared({ session, platform }: Call, body: Body): Promise<PreparedBuild> {
  const source = new BuildSource(session, platform);
  const plan = await vaultRebalance(source, requestOf(body));
  return await prepareRebalance(source, plan, buildOptions(body.options));
}

const side = (value: Change['before']) => (value === null ? null : toDecimalString(value));

const changeOf = ({ before, after }: Change) => ({ before: side(before), after: side(after) });

const allocationOf = ({ reserve, weight, cap, collateralCap, tokens, targetTokens }: PreviewAllocation) => ({
  reserve,
  weight: changeOf(weight),
  cap: changeOf(cap),
  collateralCap: changeOf(collateralCap),
  tokens: changeOf(tokens),
  targetTokens: changeOf(targetTokens),
});

const answerOf = (plan: Rebalance): z.input<typeof VaultRebalance> => ({
  wallet: plan.wallet,
  moves: plan.moves.map(({ kind, summary, reserve, allocation, idleTokens }) => ({
    kind,
    summary,
    reserve,
    allocation: allocation && allocationOf(allocation),
    idleTokens: changeOf(idleTokens),
  })),
  obstacles: plan.obstacles.map(({ reserve, code, message, tokens }) => ({
    reserve,
    code,
    message,
    tokens: decimal(tokens),
  })),
  exposures: plan.exposures.map(({ allocation, share }) => ({
    reserve: allocation.reserve,
    share: changeOf(share),
    allocation: allocationOf(allocation),
  })),
  idleTokens: changeOf(plan.assets.idleTokens),
  targetIdleTokens: changeOf(plan.assets.targetIdleTokens),
  idleShare: changeOf(plan.idleShare),
  interestApy: changeOf(plan.interestApy),
  reserveRewardsApy: { ...changeOf(plan.reserveRewardsApy), reason: plan.reserveRewardsApy.reason },
});

const NOTE =
  'First terms of reserves, then what leaves reserves, since it frees tokens, then what enters others, and removals last. A move that the programs would refuse is left out, and one that they accept in part is cut; `/ktx/kvault/rebalance-plan` says why.';

const common = {
  method: 'post',
  tag: 'Builders',
  family: BUILDER_ERRORS,
  holds: 'never',
  body: RebalanceBody,
  example: ({ vaultAdmin, vault, reserve }: ExampleAddresses) => ({
    body: { wallet: vaultAdmin, kvault: vault, targets: [{ reserve, weight: '300' }] },
  }),
} as const;

/** The moves that reach the targets of a vault: what they change, and the two forms of the builders. */
export const KTX_REBALANCE_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'planVaultRebalance',
    path: '/ktx/kvault/rebalance-plan',
    graph:
      'query { vault(address) { plan(targets, unallocatedWeight, unallocatedCap, wallet) { ... on VaultRebalance { wallet moves { kind summary reserve allocation { ... } idleTokens { ... } } obstacles { reserve code message tokens } exposures { reserve share { ... } allocation { ... } } idleTokens { ... } targetIdleTokens { ... } idleShare { ... } interestApy { ... } reserveRewardsApy { before after reason } } } } }',
    summary: 'Moves that reach target weights and caps of a vault, and what they change',
    description: `${NOTE} Nothing is built.`,
    response: VaultRebalance,
    async answer({ session, platform }, { body }) {
      return answerOf(await vaultRebalance(new BuildSource(session, platform), requestOf(body)));
    },
  }),
  operation({
    ...common,
    id: 'rebalanceVault',
    path: '/ktx/kvault/rebalance',
    graph:
      'mutation { buildVaultRebalance(input) { ... on TransactionPlan { transactions { base64 steps setupOnly splitReason } } } }',
    summary: 'Unsigned transactions that move a vault towards target weights and caps',
    description: `${NOTE} The gateway never signs, and a builder sends nothing.`,
    response: PlannedTransactions,
    async answer(call, { body }) {
      return await plannedTransactions(call, await prepared(call, body));
    },
  }),
  operation({
    ...common,
    id: 'rebalanceVaultInstructions',
    path: '/ktx/kvault/rebalance-instructions',
    graph:
      'mutation { buildVaultRebalance(input) { ... on TransactionPlan { bundle { instructions lutsByAddress } } } }',
    summary: 'Instructions and lookup tables that move a vault towards target weights and caps',
    description: `${NOTE} The gateway never signs, and a builder sends nothing.`,
    response: InstructionBundle,
    async answer(call, { body }) {
      return bundleOf(await prepared(call, body));
    },
  }),
];

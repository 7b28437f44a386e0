import type { z } from '@hono/zod-openapi';
import { actionOptions } from '../../services/builds/action-options.ts';
import { BuildSource } from '../../services/builds/build-source.ts';
import { type PreparedBuild, preparePlan } from '../../services/builds/builds.ts';
import { buildOptions } from '../../services/builds/options-input.ts';
import { bundleOf } from '../../services/builds/results.ts';
import { vaultExit } from '../../services/builds/vault-exit.ts';
import { BUILDER_ERRORS } from '../operation/error-shapes.ts';
import { type Call, type ExampleAddresses, type Operation, operation } from '../operation/operation.ts';
import { ALL, parseAmount } from './body-parts.ts';
import { givenActionOptions } from './option-schemas.ts';
import { plannedTransactions } from './plan-routes.ts';
import { PlannedTransactions } from './plan-schemas.ts';
import { InstructionBundle } from './schemas.ts';
import { vaultBody } from './vault-actions.ts';

const VaultExitBody = vaultBody('VaultExitBody', `Shares to take out, in whole shares. ${ALL}`);

async function prepared(
  { session, platform }: Call,
  { wallet, kvault, amount, options }: z.output<typeof VaultExitBody>,
): Promise<PreparedBuild> {
  const source = new BuildSource(session, platform);
  const { actions, warnings } = await vaultExit(source, {
    wallet,
    vault: kvault,
    amount: { shares: parseAmount(amount) },
    ...actionOptions(givenActionOptions(options), false),
  });
  return await preparePlan(source, actions, buildOptions(options), { notes: warnings });
}

const NOTE =
  'A withdrawal of what the vault can pay now, then an exchange of the other shares for collateral tokens of up to two reserves of the vault, and a ticket in the withdraw queue of each. A millionth of the collateral tokens stays in the wallet, because their number is only known at execution. The plan is checked: with `options.strict` false, what the programs would refuse is built all the same. The gateway never signs, and a builder sends nothing.';

const common = {
  method: 'post',
  tag: 'Builders',
  family: BUILDER_ERRORS,
  holds: 'never',
  body: VaultExitBody,
  example: ({ wallet, vault }: ExampleAddresses) => ({ body: { wallet, kvault: vault, amount: '1.5' } }),
} as const;

/** An exit from a vault that takes what is there and queues the rest, in the two forms of the builders. */
export const KTX_EXIT_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'exitVault',
    path: '/ktx/kvault/exit',
    graph:
      'mutation { buildVaultExit(input) { ... on TransactionPlan { transactions { base64 steps setupOnly splitReason } } } }',
    summary: 'Unsigned transactions to leave a vault, and to queue what it cannot pay',
    description: NOTE,
    response: PlannedTransactions,
    async answer(call, { body }) {
      return await plannedTransactions(call, await prepared(call, body));
    },
  }),
  operation({
    ...common,
    id: 'exitVaultInstructions',
    path: '/ktx/kvault/exit-instructions',
    graph:
      'mutation { buildVaultExit(input) { ... on TransactionPlan { bundle { instructions lutsByAddress } } } }',
    summary: 'Instructions and lookup tables to leave a vault, and to queue what it cannot pay',
    description: NOTE,
    response: InstructionBundle,
    async answer(call, { body }) {
      return bundleOf(await prepared(call, body));
    },
  }),
];

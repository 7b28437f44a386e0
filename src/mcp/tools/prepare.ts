import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { InputSchemas } from '../schemas/input-schema.ts';
import { dataOf, READS, type Tool, tool } from '../tool.ts';
import { actionsInput, planOptions } from './actions-input.ts';

/** Unsigned transactions. */
export function prepare(schema: GraphQLSchema): Tool {
  const input = z
    .strictObject({
      actions: actionsInput(schema).optional(),
      rebalance: new InputSchemas(schema)
        .fieldsOf('VaultRebalanceInput', { without: ['options'] })
        .optional()
        .describe(
          'Target weights and caps of a vault, instead of actions: builds the moves that reach them. `simulate` shows them first.',
        ),
      options: planOptions(schema)
        .optional()
        .describe(
          'Options of the transactions. `strict: false` turns what the programs would refuse into warnings.',
        ),
    })
    .refine(({ actions, rebalance }) => (actions === undefined) !== (rebalance === undefined), {
      error: 'Give exactly one of actions, rebalance.',
    });
  return tool({
    name: 'prepare',
    title: 'Prepare unsigned transactions',
    description:
      'Builds unsigned transactions for one action, a plan of up to six, or the moves that bring a vault to target weights, with preview, simulation, warnings and each instruction in words. Nothing is signed or sent: show the result to the user, whose wallet signs. If `simulation.success` is false or a warning has level ERROR, tell the user before anything else.',
    // A second call builds another transaction, with another blockhash.
    annotations: { ...READS, idempotentHint: false },
    input,
    data: () => dataOf(schema, ['prepare', 'prepare-rebalance']),
    whole: ['transactions', 'signers', 'warnings'],
    async answer({ actions, rebalance, options }, caller) {
      const asked =
        rebalance === undefined
          ? await caller.ask('prepare', { actions, options }, {})
          : await caller.ask('prepare-rebalance', { input: { ...rebalance, options } }, {});
      return { ...asked, summary: outcome(asked.data.buildPlan ?? asked.data.buildVaultRebalance) };
    },
  });
}

const Plan = z.object({
  transactions: z.array(z.unknown()),
  simulation: z.object({ success: z.boolean() }).nullish(),
  warnings: z.array(z.object({ level: z.string(), code: z.string() })),
});

function outcome(built: unknown): string {
  const { transactions, simulation, warnings } = Plan.parse(built);
  const count = `${transactions.length} unsigned ${transactions.length === 1 ? 'transaction' : 'transactions'}`;
  const simulated = !simulation ? 'could not run' : simulation.success ? 'succeeds' : 'FAILS';
  const codes = warnings.map(({ level, code }) => `${level} ${code}`).join(', ');
  return `${count}, nothing signed or sent. Simulation: ${simulated}. Warnings: ${codes || 'none'}.`;
}

import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { dataOf, READS, type Tool, tool } from '../tool.ts';
import { actionsInput, planOptions } from './actions-input.ts';

/** Unsigned transactions. */
export function prepare(schema: GraphQLSchema): Tool {
  const input = z.strictObject({
    actions: actionsInput(schema),
    options: planOptions(schema)
      .optional()
      .describe(
        'Options of the transactions. `strict: false` turns what the programs would refuse into warnings.',
      ),
  });
  return tool({
    name: 'prepare',
    title: 'Prepare unsigned transactions',
    description:
      'Builds unsigned transactions for one action or a plan of up to six, with preview, simulation, warnings and each instruction in words. Nothing is signed or sent: show the result to the user, whose wallet signs. If `simulation.success` is false or a warning has level ERROR, tell the user before anything else.',
    // A second call builds another transaction, with another blockhash.
    annotations: { ...READS, idempotentHint: false },
    input,
    data: dataOf(schema, ['prepare']),
    whole: ['transactions', 'signers', 'warnings'],
    async answer(args, caller) {
      const asked = await caller.ask('prepare', args, {});
      return { ...asked, summary: outcome(asked.data.buildPlan) };
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

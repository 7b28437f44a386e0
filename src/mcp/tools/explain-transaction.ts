import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { CURSOR, dataOf, READS, type Tool, tool } from '../tool.ts';

/** A transaction of anybody, in words. */
export function explainTransaction(schema: GraphQLSchema): Tool {
  const input = z.strictObject({
    transaction: z.string().describe('The transaction in base64, signed or not, legacy or version 0.'),
    wallet: z.string().optional().describe('The wallet that is asked to sign. By default the fee payer.'),
    cursor: CURSOR,
  });
  return tool({
    name: 'explain_transaction',
    title: 'Explain a transaction',
    description:
      'Explains a transaction before it is signed: its instructions in words, accounts by role, unknown parts, what to look at, a simulation with balance changes, and its effects on loans and vault positions. No warning is no proof that it is harmless.',
    annotations: READS,
    input,
    data: () => dataOf(schema, ['explain-transaction']),
    whole: ['warnings', 'signers', 'programs'],
    async answer({ transaction, wallet }, caller) {
      const asked = await caller.ask('explain-transaction', { transaction, wallet }, {});
      return { ...asked, summary: findings(asked.data.explainTransaction) };
    },
  });
}

const Explanation = z.object({
  instructions: z.array(z.unknown()),
  unknown: z.object({ programs: z.array(z.unknown()) }),
  warnings: z.array(z.object({ code: z.string() })),
  simulation: z.object({ success: z.boolean() }).nullish(),
});

function findings(explained: unknown): string {
  const { instructions, unknown, warnings, simulation } = Explanation.parse(explained);
  const simulated = !simulation ? 'could not run' : simulation.success ? 'succeeds' : 'FAILS';
  const codes = warnings.map(({ code }) => code).join(', ');
  return `${instructions.length} instructions, ${unknown.programs.length} unknown programs. Simulation: ${simulated}. Warnings: ${codes || 'none'}.`;
}

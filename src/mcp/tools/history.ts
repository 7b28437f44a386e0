import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { InputSchemas } from '../schemas/input-schema.ts';
import { CURSOR, dataOf, READS, STATE, type Tool, tool } from '../tool.ts';
import { ADDRESS, findKind, KINDS } from './address-kind.ts';

const DEFAULT_POINTS = 60;
const MAX_POINTS = 1_000;

/** Recorded figures over time. */
export function history(schema: GraphQLSchema): Tool {
  const types = new InputSchemas(schema);
  const input = z.strictObject({
    ...ADDRESS,
    wallet: z.string().optional().describe('With a vault: the history of the position of this wallet in it.'),
    last: types.of('Period').optional().describe('Period up to now. Not together with `range`.'),
    range: types.of('TimeRange').optional().describe('Period between two times in ISO 8601.'),
    interval: types
      .of('Interval')
      .optional()
      .describe('Width of the buckets. Chosen by the period by default.'),
    maxPoints: z.int().min(1).max(MAX_POINTS).default(DEFAULT_POINTS).describe('Most points of the series.'),
    ...STATE,
    cursor: CURSOR,
  });
  return tool({
    name: 'history',
    title: 'History of an address',
    description:
      'Recorded figures over time: value, share price and yield of a vault; rates, use and price of a reserve; totals of a market; value and loan-to-value of an obligation; staking yield of a token; vault earnings of a wallet, or its position in one vault.',
    annotations: READS,
    input,
    data: dataOf(schema, [...KINDS.map((kind) => `history-${kind}`), 'history-position']),
    async answer({ address, kind: given, wallet, last, range, interval, maxPoints, view, minSlot }, caller) {
      const asWanted = wallet === undefined ? given : 'vault';
      const { kind, state } = await findKind(caller, { address, kind: asWanted }, { view, minSlot });
      const series = { address, last, range, interval, maxPoints };
      const asked =
        wallet === undefined
          ? await caller.ask(`history-${kind}`, series, state)
          : await caller.ask('history-position', { ...series, wallet }, state);
      return { ...asked, summary: `History of ${kind} ${address}.` };
    },
  });
}

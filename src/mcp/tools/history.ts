import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { SluiceError } from '../../errors/sluice-error.ts';
import { InputSchemas } from '../schemas/input-schema.ts';
import { CURSOR, dataOf, READS, STATE, type Tool, tool } from '../tool.ts';
import { ADDRESS, type AddressKind, findKind, KINDS } from './address-kind.ts';

const DEFAULT_ITEMS = 60;
const MAX_POINTS = 1_000;
/** Most items that a page of a list may have. */
const MAX_PAGE = 100;

const FIGURES = [...KINDS.map((kind) => `history-${kind}`), 'history-position'];
/** Documents of transactions, by what is shown and the kind of the address. */
const TRANSACTIONS: Readonly<Record<string, readonly AddressKind[]>> = {
  'vault-transactions': ['vault', 'wallet'],
  'lending-transactions': ['obligation', 'wallet'],
};
const SHOWN = ['figures', 'vault-transactions', 'lending-transactions'] as const;

/** Recorded figures over time, and transactions. */
export function history(schema: GraphQLSchema): Tool {
  const types = new InputSchemas(schema);
  const input = z.strictObject({
    ...ADDRESS,
    show: z
      .enum(SHOWN)
      .default('figures')
      .describe(
        'Figures over time; transactions with a vault, of a vault or wallet; or loan transactions, of an obligation or wallet. Transactions come newest first.',
      ),
    wallet: z.string().optional().describe('With a vault: the figures of the position of this wallet in it.'),
    last: types
      .of('Period')
      .optional()
      .describe('Period of the figures up to now. Not together with `range`.'),
    range: types.of('TimeRange').optional().describe('Period of the figures between two times in ISO 8601.'),
    interval: types
      .of('Interval')
      .optional()
      .describe('Width of the buckets. Chosen by the period by default.'),
    maxPoints: z
      .int()
      .min(1)
      .max(MAX_POINTS)
      .default(DEFAULT_ITEMS)
      .describe('Most points of the figures; most transactions, at most 100.'),
    after: z.string().optional().describe('Continue transactions: `pageInfo.endCursor` of their last page.'),
    ...STATE,
    cursor: CURSOR,
  });

  return tool({
    name: 'history',
    title: 'History of an address',
    description:
      'Recorded figures over time: value, share price and yield of a vault; rates, use and price of a reserve; totals of a market; value and loan-to-value of an obligation; staking yield of a token; vault earnings of a wallet, or its position in one vault. Or transactions of a vault, obligation or wallet.',
    annotations: READS,
    input,
    data: () =>
      dataOf(schema, [
        ...FIGURES,
        ...Object.entries(TRANSACTIONS).flatMap(([show, kinds]) => kinds.map((kind) => `${show}-${kind}`)),
      ]),
    async answer(args, caller) {
      const { address, show, wallet, last, range, interval, maxPoints, after, view, minSlot } = args;
      const given = wallet === undefined ? args.kind : 'vault';
      const { kind, state } = await findKind(caller, { address, kind: given }, { view, minSlot });
      const summary = `${show} of ${kind} ${address}.`;
      if (show === 'figures') {
        const series = { address, last, range, interval, maxPoints };
        const asked =
          wallet === undefined
            ? await caller.ask(`history-${kind}`, series, state)
            : await caller.ask('history-position', { ...series, wallet }, state);
        return { ...asked, summary };
      }
      const kinds = TRANSACTIONS[show] ?? [];
      if (!kinds.includes(kind)) {
        const reason = `A ${kind} has no ${show}; these have: ${kinds.join(', ')}.`;
        throw new SluiceError('BAD_REQUEST', { reason });
      }
      const page = { address, first: Math.min(maxPoints, MAX_PAGE), after };
      return { ...(await caller.ask(`${show}-${kind}`, page, state)), summary };
    },
  });
}

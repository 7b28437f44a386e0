import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { exactlyOne, InputSchemas } from '../schemas/input-schema.ts';
import { dataOf, READS, STATE, type Tool, tool } from '../tool.ts';

const DEFAULT_ITEMS = 10;
const MAX_ITEMS = 50;
const KINDS = ['vaults', 'reserves', 'markets', 'obligations'] as const;

/** Lists of vaults, reserves, markets or loans. */
export function discover(schema: GraphQLSchema): Tool {
  const types = new InputSchemas(schema);
  const search = (filter: string, orderBy?: string) =>
    z.strictObject({
      filter: types.of(filter).optional(),
      ...(orderBy === undefined ? {} : { orderBy: types.of(orderBy).optional() }),
    });
  const what = exactlyOne(
    z.strictObject({
      vaults: search('VaultFilter', 'VaultOrder')
        .optional()
        .describe('Earn vaults. Default order: by value.'),
      reserves: search('ReserveFilter', 'ReserveOrder')
        .optional()
        .describe('Reserves: one token in one market, to supply or borrow. Default order: by supply.'),
      markets: search('MarketFilter').optional().describe('Lending markets.'),
      obligations: search('ObligationFilter', 'ObligationOrder')
        .extend({ scope: types.of('ObligationScope') })
        .optional()
        .describe('Loans of an owner or a market.'),
    }),
  );
  const input = z.strictObject({
    find: what.describe(
      'Subject of the search: exactly one of vaults, reserves, markets, obligations. `{}` finds all.',
    ),
    first: z.int().min(1).max(MAX_ITEMS).default(DEFAULT_ITEMS).describe('Most items in the answer.'),
    after: z.string().optional().describe('Continue a list: `pageInfo.endCursor` of its last page.'),
    ...STATE,
  });
  return tool({
    name: 'discover',
    title: 'Find vaults, reserves, markets or loans',
    description:
      'Lists vaults, reserves, markets or obligations (loans) by filter and order, with their main figures, page by page.',
    annotations: READS,
    input,
    data: () =>
      dataOf(
        schema,
        KINDS.map((kind) => `discover-${kind}`),
      ),
    async answer({ find, first, after, view, minSlot }, caller) {
      const [kind, criteria = {}] = Object.entries(find).find(([, given]) => given !== undefined) ?? [
        'vaults',
      ];
      const asked = await caller.ask(`discover-${kind}`, { ...criteria, first, after }, { view, minSlot });
      return { ...asked, summary: found(kind, asked.data[kind]) };
    },
  });
}

const Page = z.object({ totalCount: z.int().nullish(), edges: z.array(z.unknown()) });

function found(kind: string, list: unknown): string {
  const page = Page.safeParse(list);
  if (!page.success) return `Found ${kind}.`;
  const { edges, totalCount } = page.data;
  return `${edges.length} of ${totalCount ?? 'an unknown number of'} ${kind}.`;
}

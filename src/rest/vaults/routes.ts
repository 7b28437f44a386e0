import { z } from '@hono/zod-openapi';
import { continuedView, paginate } from '../../services/paging/paging.ts';
import { ALL_VAULTS, listVaults } from '../../services/vaults/list.ts';
import { requireReadableReserves } from '../../services/vaults/vaults.ts';
import { LOOKUP_ERRORS, READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { nextPage } from '../values/pagination.ts';
import { vaultAccount } from './account-answers.ts';
import { vaultAllocationsAnswer } from './allocation-answers.ts';
import { VaultAllocations } from './allocation-schemas.ts';
import { listedVaultMetrics, vaultMetrics } from './metrics-answers.ts';
import { Vault, VaultMetrics, VaultMetricsPage, VaultMetricsQuery, VaultParams } from './schemas.ts';

const common = { method: 'get', tag: 'Vaults', holds: 'view' } as const;

export const VAULT_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listVaults',
    path: '/kvaults/vaults',
    summary: 'All earn vaults',
    description: 'Every vault with its account as stored on chain, most valuable first.',
    graph: 'query { vaults(first) { nodes { address programId nameVerified state { ... } } } }',
    family: READ_ERRORS,
    response: z.array(Vault),
    example: () => ({}),
    answer: async ({ session }) => listVaults(session.view).map((vault) => vaultAccount(session.view, vault)),
  }),
  operation({
    ...common,
    id: 'getVault',
    path: '/kvaults/vaults/{pubkey}',
    summary: 'One earn vault by its address',
    description: 'The account as stored on chain. Amounts are in base units.',
    graph: 'query { vault(address) { address programId nameVerified state { ... } } }',
    family: LOOKUP_ERRORS,
    params: VaultParams,
    response: Vault,
    example: ({ vault }) => ({ params: { pubkey: vault } }),
    answer: async ({ session }, { params }) =>
      vaultAccount(session.view, await session.load('vault', params.pubkey)),
  }),
  operation({
    ...common,
    id: 'getVaultMetrics',
    path: '/kvaults/vaults/{pubkey}/metrics',
    summary: 'Current metrics of an earn vault',
    description:
      'Yields, prices, amounts, interest and fees, with interest up to now. Amounts are in whole tokens and whole shares. A vault with a reserve that this release cannot interpret is an ACCOUNT_MALFORMED error that names the reserve.',
    graph:
      'query { vault(address) { currentApy { base farmRewards reserveRewards incentives } realisedInterestApy(over) { apy } holders theoreticalApy { base } idle { ... } invested { ... } tokensPerShare sharePriceUsd sharesIssued interest { ... } fees { ... } token { price { usd } } } }',
    family: LOOKUP_ERRORS,
    params: VaultParams,
    response: VaultMetrics,
    example: ({ vault }) => ({ params: { pubkey: vault } }),
    async answer(call, { params }) {
      const vault = await call.session.load('vault', params.pubkey);
      requireReadableReserves(call.session.view, vault);
      return await vaultMetrics(call, vault);
    },
  }),
  operation({
    ...common,
    id: 'listVaultMetrics',
    path: '/kvaults/vaults/metrics',
    summary: 'Current metrics of all earn vaults',
    description:
      'The metrics of each vault, most valuable vault first, in pages. All pages are read from the View of the first one while a gateway retains it, and from the newest View after that; `X-View` names the View of each page. No vault is repeated or missed in either case. Numbers of a vault that depend on an unreadable reserve are zeros that `X-Unknown` names.',
    graph:
      'query { vaults(first, after) { nodes { address currentApy { base farmRewards reserveRewards incentives } realisedInterestApy(over) { apy } holders theoreticalApy { base } idle { ... } invested { ... } tokensPerShare sharePriceUsd sharesIssued interest { ... } fees { ... } token { price { usd } } } pageInfo { hasNextPage endCursor } } }',
    family: READ_ERRORS,
    query: VaultMetricsQuery,
    response: VaultMetricsPage,
    continues: ({ query }) => continuedView(ALL_VAULTS, query.paginationToken),
    example: () => ({ query: { limit: '2' } }),
    async answer(call, { query: { limit, paginationToken } }) {
      const page = paginate(call.session, ALL_VAULTS, { first: limit, after: paginationToken });
      const listed = page.items.map(({ item }) => item);
      return { result: await listedVaultMetrics(call, listed), ...nextPage(page) };
    },
  }),
  operation({
    ...common,
    id: 'getVaultAllocations',
    path: '/kvaults/vaults/{pubkey}/allocations',
    summary: 'Allocation of an earn vault to its reserves',
    description:
      'Where the tokens of a vault are, with their targets, caps and yields, and with interest up to now. Percentages are from 0 to 100; `actualPct` of all reserves and `unallocated.pct` add up to 100. A vault with a reserve that this release cannot interpret is an ACCOUNT_MALFORMED error that names the reserve.',
    graph:
      'query { chain { blockTime } vault(address) { invested { usd } utilization idle { amount usd } unallocatedShare token { mint symbol } allocations { reserveAddress targetShare actualShare invested { amount usd } cap { amount } reserve { marketAddress market { name } utilization supplyApy { base farmRewards reserveRewards incentives } acceptedCollateral { token { symbol } } } } } }',
    family: LOOKUP_ERRORS,
    params: VaultParams,
    response: VaultAllocations,
    example: ({ vault }) => ({ params: { pubkey: vault } }),
    async answer({ session }, { params }) {
      const vault = await session.load('vault', params.pubkey);
      requireReadableReserves(session.view, vault);
      return vaultAllocationsAnswer(session.view, vault);
    },
  }),
];

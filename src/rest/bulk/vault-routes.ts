import { z } from '@hono/zod-openapi';
import { EVENT_INSTRUCTIONS } from '@sluice/protocol/transactions/read-transaction';
import { allVaultTransactions } from '../../services/history/vault-positions/all-vault-transactions.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { checkedRange } from '../values/date.ts';
import { nextToken } from '../values/pagination.ts';
import { vaultProgramId } from '../values/program-id.ts';
import { vaultTransactionRow } from '../vaults/transaction-routes.ts';
import { vaultTransactionFields } from '../vaults/transaction-schemas.ts';
import { bulkBody, bulkRequest, includeRawJson, rawJsonOut, withRawJson } from './bulk-read.ts';

const BulkVaultQuery = z.object({ programId: vaultProgramId, includeRawJson });

const AllVaultTransactionsBody = bulkBody(EVENT_INSTRUCTIONS.vault, 'buy').openapi(
  'AllVaultTransactionsBody',
);

const BulkVaultTransaction = z
  .strictObject({ ...vaultTransactionFields, rawJson: rawJsonOut })
  .openapi('BulkVaultTransaction');

const AllVaultTransactionsPage = z
  .strictObject({
    result: z.array(BulkVaultTransaction).openapi({
      description: 'At most 1,000; 100 with `includeRawJson`. A page may be empty and still have a next one.',
    }),
    paginationToken: nextToken(),
  })
  .openapi('AllVaultTransactionsPage');

export const ALL_VAULT_TRANSACTIONS = operation({
  id: 'listAllVaultTransactions',
  method: 'post',
  path: '/kvaults/transactions',
  tag: 'Vaults',
  summary: 'Transactions of all earn vaults, by instruction',
  description:
    'Newest first, at most 1,000 rows in an answer, valued at the prices recorded at that time. Needs an API key of the operator, also as HTTP Basic. Transactions that have not been read yet are read from the chain: the answer comes as soon as there are some, the others follow in later pages. `X-Complete: false` says that not all have been read yet.',
  graph:
    'query { vaultTransactions(instruction, range, first, after) { nodes { createdAt signature wallet { address } vault { address } reserveAddress reserve { marketAddress } tokens { amount } shares sharePriceUsd tokenPriceUsd solPriceUsd } pageInfo { hasNextPage endCursor } complete } }',
  family: READ_ERRORS,
  holds: 'never',
  needsKey: true,
  query: BulkVaultQuery,
  body: AllVaultTransactionsBody,
  response: AllVaultTransactionsPage,
  example: () => ({ body: { instruction: 'buy' } }),
  exampleAnswer: {
    result: [
      {
        ix: {
          solPrice: '171.25',
          sharePrice: '1.0412',
          tokenPrice: '0.9998',
          tokenAmount: '250.5',
          numberOfShares: '240.539',
        },
        timestamp: '2026-05-30T11:58:20.000Z',
        signature: '4hXTCkRzt9WyecNzV1XPgCDfGAZzQKNxLXgynz5QDuWWPSAZBZSHptvWRL3BjCvzUXRHKvHL2b7yGrRrQVyyaqsc',
        kvault: '6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWnq',
        wallet: 'DfJA4R4zd1sxAndK3Rktry25T1K3sxYbNM2NiVXjiPcw',
      },
    ],
  },
  async answer(call, { query, body }) {
    const { platform, session } = call;
    platform.requireVaultProgram(query.programId);
    const filter = { instruction: body.instruction, range: checkedRange(session, body) };
    const request = bulkRequest({ query, body });
    const { events, next } = await allVaultTransactions(platform, session, filter, request);
    const rows = events.map((each) => vaultTransactionRow(session, each));
    const signatures = events.map(({ event }) => event.signature);
    return {
      result: await withRawJson(call, rows, signatures, query.includeRawJson),
      ...(next === null ? {} : { paginationToken: next }),
    };
  },
});

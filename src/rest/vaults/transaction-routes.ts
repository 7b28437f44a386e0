import {
  type VAULT_INSTRUCTIONS,
  vaultInstructions,
} from '../../services/history/vault-positions/vault-instructions.ts';
import type { VaultTransaction as Transaction } from '../../services/history/vault-positions/vault-transactions.ts';
import type { Session } from '../../services/request/session.ts';
import { LOOKUP_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { checkedRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import { VaultParams } from './schemas.ts';
import {
  type VaultTransaction,
  VaultTransactionsBody,
  VaultTransactionsPage,
} from './transaction-schemas.ts';

const KINDS = { deposit: 'DEPOSIT', withdraw: 'WITHDRAW', invest: 'INVEST' } as const satisfies Record<
  string,
  (typeof VAULT_INSTRUCTIONS)[number]
>;

export function vaultTransactionRow(
  { view }: Session,
  transaction: Transaction,
): AnswerOf<typeof VaultTransaction> {
  const { event, tokens, shares, sharePrice, tokenPrice, solPrice } = transaction;
  const { reserve } = event;
  const market = reserve === null ? undefined : view.get('reserve', reserve)?.value.lendingMarket;
  return {
    ix: {
      ...(market === undefined ? {} : { market }),
      ...(reserve === null ? {} : { reserve }),
      solPrice: decimal(solPrice),
      sharePrice: decimal(sharePrice),
      tokenPrice: decimal(tokenPrice),
      tokenAmount: decimal(tokens.amount),
      numberOfShares: decimal(shares),
    },
    timestamp: new Date(event.time * 1_000).toISOString(),
    signature: event.signature,
    kvault: event.vault,
    wallet: event.wallet,
  };
}

export const VAULT_TRANSACTIONS = operation({
  id: 'listVaultTransactions',
  method: 'post',
  path: '/kvaults/vaults/{pubkey}/transactions',
  tag: 'Vaults',
  summary: 'Transactions of an earn vault',
  description:
    'Deposits, withdrawals and investments of all wallets, at most 1,000 in an answer, valued at the prices recorded at that time. The first request reads the newest ones from the chain and answers as soon as there are some; the others follow in later pages. `X-Complete: false` says that not all have been read yet. With `direction: asc` all of them are read first.',
  graph:
    'query { vault(address) { transactions(filter: { kinds: [DEPOSIT, WITHDRAW, INVEST], range }, first, after) { nodes { createdAt signature wallet { address } vault { address } reserveAddress reserve { marketAddress } tokens { amount } shares sharePriceUsd tokenPriceUsd solPriceUsd } pageInfo { hasNextPage endCursor } complete } } }',
  family: LOOKUP_ERRORS,
  holds: 'never',
  params: VaultParams,
  body: VaultTransactionsBody,
  response: VaultTransactionsPage,
  example: ({ vault }) => ({ params: { pubkey: vault }, body: { instruction: 'deposit' as const } }),
  async answer({ session, platform }, { params, body }) {
    const { instruction, direction = 'desc', paginationToken } = body;
    const range = checkedRange(session, body);
    const { address } = await session.load('vault', params.pubkey);
    const query = { kind: instruction && KINDS[instruction], range, direction };
    const { transactions, next } = await vaultInstructions(
      platform,
      session,
      address,
      query,
      paginationToken,
    );
    return {
      result: transactions.map((each) => vaultTransactionRow(session, each)),
      ...(next === null ? {} : { paginationToken: next }),
    };
  },
});

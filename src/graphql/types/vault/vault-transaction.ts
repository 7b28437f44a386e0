import { connectionPage } from '../../../services/history/bulk-page.ts';
import { requireInstruction } from '../../../services/history/instructions.ts';
import { allVaultTransactions } from '../../../services/history/vault-positions/all-vault-transactions.ts';
import { isLatestPosition } from '../../../services/history/vault-positions/latest-position.ts';
import {
  transactionId,
  transactionOfId,
  vaultTransactionPage,
} from '../../../services/history/vault-positions/transaction-pages.ts';
import type { VaultTransaction } from '../../../services/history/vault-positions/vault-transactions.ts';
import { pageSize } from '../../../services/paging/paging.ts';
import { builder } from '../../builder.ts';
import { connectionOf, forwardArgs, pageArgs } from '../../connections.ts';
import { ReserveRef, reserveLink, VaultRef, WalletRef } from '../../node-refs.ts';
import { requireKey } from '../../require-key.ts';
import { addCompleteField, BULK, NO_HISTORY } from '../history/history-fields.ts';
import { TimeRangeInput } from '../history/time.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const VaultTransactionKindRef = builder.enumType('VaultTransactionKind', {
  description: 'Kind of a vault transaction.',
  values: {
    DEPOSIT: { description: 'A wallet deposited tokens and received shares.' },
    WITHDRAW: { description: 'A wallet redeemed shares and received tokens.' },
    TRANSFER_IN: { description: 'A wallet received shares from another wallet.' },
    TRANSFER_OUT: { description: 'A wallet sent shares to another wallet, or burned them.' },
    INVEST: { description: 'Tokens moved between the vault and a reserve. No wallet\u2019s shares changed.' },
  } as const,
});

const TransactionFilterInput = builder.inputType('TransactionFilter', {
  description: 'Filter for vault transactions. All conditions must hold.',
  fields: (t) => ({
    kinds: t.field({
      type: [VaultTransactionKindRef],
      description: 'Transactions of these kinds. Defaults to all.',
    }),
    range: t.field({ type: TimeRangeInput, description: 'Transactions in this time range.' }),
    vault: t.field({ type: 'Address', description: 'Transactions of this vault.' }),
  }),
});

const VaultTransactionRef = builder.objectRef<VaultTransaction>('VaultTransaction');

builder.node(VaultTransactionRef, {
  description: 'A change of a vault or of its shares, valued at the prices recorded at that time.',
  id: { resolve: ({ event }) => transactionId(event) },
  loadOne: (id, { platform, session }) =>
    transactionOfId(platform, session, id) as Promise<VaultTransaction | null>,
  fields: (t) => ({
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time of the block.',
      resolve: ({ event }) => new Date(event.time * 1_000),
    }),
    kind: t.expose('kind', { type: VaultTransactionKindRef, description: 'Kind of the transaction.' }),
    vault: t.expose('vault', {
      type: VaultRef,
      nullable: true,
      description: 'Current state of the vault. Null, with an error, when it cannot be read.',
    }),
    wallet: t.field({
      type: WalletRef,
      description: 'The wallet whose shares changed. For an INVEST, the fee payer of the transaction.',
      resolve: ({ event }) => ({ address: event.wallet }),
    }),
    reserveAddress: t.field({
      type: 'Address',
      nullable: true,
      description:
        'Address of the reserve that tokens were moved to or from. Null when only idle tokens or shares moved.',
      resolve: ({ event }) => event.reserve,
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'Current state of that reserve. Null when only idle tokens or shares moved; null with an error when it cannot be read.',
      resolve: ({ event }, _args, { session }) =>
        event.reserve === null ? null : reserveLink(session, event.reserve),
    }),
    tokens: t.expose('tokens', {
      type: TokenAmountRef,
      description:
        'Tokens deposited or withdrawn. For an INVEST, the tokens moved. For a transfer, the value of the shares in tokens; 0 when unknown. USD and SOL values use the prices at that time.',
    }),
    shares: t.expose('shares', {
      type: 'Decimal',
      description: 'Shares minted, burned or transferred, in whole shares. 0 for an INVEST.',
    }),
    sharePriceUsd: t.expose('sharePrice', {
      type: 'Decimal',
      nullable: true,
      description:
        'Price of one share in USD at that time. Null when no price was recorded, and for an INVEST.',
    }),
    tokenPriceUsd: t.expose('tokenPrice', {
      type: 'Decimal',
      nullable: true,
      description: 'Price of one token in USD at that time. Null when none was recorded.',
    }),
    solPriceUsd: t.expose('solPrice', {
      type: 'Decimal',
      nullable: true,
      description: 'Price of one SOL in USD at that time. Null when none was recorded.',
    }),
    valueUsd: t.field({
      type: 'Decimal',
      nullable: true,
      description: '`tokens` in USD, at the price at that time. Null when none was recorded.',
      resolve: ({ tokens }) => tokens.usd,
    }),
    signature: t.string({
      description: 'Signature of the transaction, base58.',
      resolve: ({ event }) => event.signature,
    }),
    slot: t.field({ type: 'U64', description: 'Slot of the block.', resolve: ({ event }) => event.slot }),
    latestPosition: t.boolean({
      description:
        'Whether it belongs to the wallet\u2019s current position in the vault, which means that the wallet has held shares ever since. False for an INVEST, and once all shares were withdrawn.',
      resolve: ({ event }, _args, { platform, session }) => isLatestPosition(platform, session, event),
    }),
  }),
});

const VaultTransactionConnection = connectionOf('VaultTransaction', VaultTransactionRef);

addCompleteField(VaultTransactionConnection);

builder.objectFields(WalletRef, (t) => ({
  vaultTransactions: t.field({
    type: VaultTransactionConnection,
    nullable: true,
    description: `Vault transactions of the wallet, newest first. An INVEST is listed under its fee payer. The first request for a wallet reads its transactions from the chain. ${NO_HISTORY}`,
    args: {
      filter: t.arg({ type: TransactionFilterInput, description: 'Filter. Defaults to all transactions.' }),
      ...pageArgs(t.arg),
    },
    resolve: async ({ address }, { filter, ...page }, { platform, session }) =>
      (await vaultTransactionPage(platform, session, { wallet: address }, filter ?? {}, page)) as never,
  }),
}));

builder.objectFields(VaultRef, (t) => ({
  transactions: t.field({
    type: VaultTransactionConnection,
    nullable: true,
    description: `Transactions of the vault, newest first. They are not counted: \`totalCount\` is null. ${NO_HISTORY}`,
    args: {
      filter: t.arg({ type: TransactionFilterInput, description: 'Filter. Defaults to all transactions.' }),
      ...pageArgs(t.arg),
    },
    resolve: async ({ address }, { filter, ...page }, { platform, session }) =>
      (await vaultTransactionPage(platform, session, { vault: address }, filter ?? {}, page)) as never,
  }),
}));

builder.queryField('vaultTransactions', (t) =>
  t.field({
    type: VaultTransactionConnection,
    nullable: true,
    description: `Transactions of all vaults by one instruction, newest first. ${BULK} ${NO_HISTORY}`,
    args: {
      instruction: t.arg.string({
        required: true,
        description:
          'Name of an instruction of the vault program that deposits, withdraws or invests, such as `buy`.',
      }),
      range: t.arg({
        type: TimeRangeInput,
        description: 'Transactions in this time range. Defaults to all.',
      }),
      ...forwardArgs(t.arg),
    },
    async resolve(_root, { instruction, range, ...page }, { platform, session, allowance }) {
      requireKey(allowance, 'Transactions of all vaults');
      requireInstruction('vault', instruction);
      const filter = { instruction, range: range ?? {} };
      const request = { limit: pageSize(page), after: page.after };
      return connectionPage(await allVaultTransactions(platform, session, filter, request), page.after);
    },
  }),
);

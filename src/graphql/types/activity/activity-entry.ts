import type {
  ActivityEntry,
  FarmEntry,
  LendingEntry,
  QueueEntry,
  UnreadEntry,
  VaultEntry,
} from '../../../services/history/activity/activity-entry.ts';
import { builder } from '../../builder.ts';
import { VaultRef, vaultLink, WalletRef } from '../../node-refs.ts';
import { LendingSideRef } from '../obligation/lending-side.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { ActivityKindRef, ActivityUnknownRef } from './activity-kinds.ts';

export const ActivityEntryRef = builder.interfaceRef<ActivityEntry>('ActivityEntry').implement({
  description:
    'One thing that a wallet did, or that happened to a position of it. Amounts have the value of their time, and are null where nothing of the sort moved, or `unknown` says why.',
  fields: (t) => ({
    kind: t.field({
      type: ActivityKindRef,
      description: 'Kind of the entry.',
      resolve: ({ kind }) => kind,
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the block. Null for an UNREAD transaction only.',
      resolve: ({ createdAt }) => createdAt,
    }),
    sent: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'Tokens that the wallet sent to the program. Null when it sent none.',
      resolve: ({ sent }) => sent,
    }),
    received: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Tokens that the wallet received from the program, without rewards. Null when it received none.',
      resolve: ({ received }) => received,
    }),
    reward: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'Reward that the wallet received. Null without one.',
      resolve: ({ reward }) => reward,
    }),
    fee: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Fee of the program, which is not part of `sent` or `received`: for a BORROW, the debt beyond the tokens received. Fees of the network are not included. Null without one.',
      resolve: ({ fee }) => fee,
    }),
    unknown: t.field({
      type: [ActivityUnknownRef],
      description: 'Parts of the entry that are unknown. Empty when all are known.',
      resolve: ({ unknown }) => [...unknown],
    }),
    signature: t.field({
      type: 'String',
      description: 'Signature of the transaction, base58.',
      resolve: ({ key }) => key.signature,
    }),
    slot: t.field({ type: 'U64', description: 'Slot of the block.', resolve: ({ key }) => key.slot }),
    final: t.field({
      type: 'Boolean',
      description: 'False while the cluster may still drop the transaction.',
      resolve: ({ final }) => final,
    }),
  }),
  resolveType: ({ product }) => TYPES[product ?? 'UNREAD'],
});

const TYPES = {
  VAULT: 'VaultActivity',
  LENDING: 'LendingActivity',
  FARM: 'FarmActivity',
  WITHDRAW_QUEUE: 'WithdrawQueueActivity',
  UNREAD: 'UnreadActivity',
} as const;

builder.objectRef<VaultEntry>('VaultActivity').implement({
  description: 'Something that a wallet did in a vault. Stakes of its shares are entries of the farm.',
  interfaces: [ActivityEntryRef],
  fields: (t) => ({
    vaultAddress: t.expose('vault', { type: 'Address', description: 'Address of the vault.' }),
    vault: t.field({
      type: VaultRef,
      nullable: true,
      description: 'Current state of the vault. Null, with an error, when it cannot be read.',
      resolve: ({ vault }, _args, { session }) => vaultLink(session, vault),
    }),
    sharesChange: t.expose('sharesChange', {
      type: 'BigInt',
      description:
        'Change of the wallet\u2019s shares, in base units of the share mint: negative for shares that it gave away, 0 for a VAULT_INVEST.',
    }),
    tokens: t.expose('tokens', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Tokens of the vault that were paid, or that the shares stood for. For a VAULT_INVEST, the tokens moved. Null when the vault cannot be read or no share price of that time is known.',
    }),
    counterparty: t.field({
      type: WalletRef,
      nullable: true,
      description: 'The other wallet of a transfer of shares. Null for other kinds and for burnt shares.',
      resolve: ({ counterparty }) => counterparty && { address: counterparty },
    }),
  }),
});

builder.objectRef<LendingEntry>('LendingActivity').implement({
  description: 'A change of one side of an obligation of a wallet.',
  interfaces: [ActivityEntryRef],
  fields: (t) => ({
    marketAddress: t.expose('market', { type: 'Address', description: 'Address of the lending market.' }),
    obligationAddress: t.expose('obligation', {
      type: 'Address',
      description: 'Address of the obligation. The account may have been closed since.',
    }),
    reserveAddress: t.expose('reserve', { type: 'Address', description: 'Address of the reserve.' }),
    side: t.field({
      type: LendingSideRef,
      description: 'Side that changed. It distinguishes the two entries of a LIQUIDATION.',
      resolve: ({ side }) => (side === 'debt' ? 'DEBT' : 'COLLATERAL'),
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Tokens by which the position changed, also when another wallet paid or took them. In collateral tokens when they were moved without redemption. Null when the reserve cannot be read.',
    }),
    liquidity: t.expose('liquidity', {
      type: TokenAmountRef,
      nullable: true,
      description:
        '`amount` in tokens of the reserve, also where collateral tokens were moved without redemption: these count at their exchange rate at that time. Null when that rate is unknown, or the reserve no longer exists.',
    }),
    collateralChange: t.expose('collateralChange', {
      type: 'BigInt',
      description:
        'Change of the deposit, in base units of the reserve\u2019s collateral token. 0 for a debt.',
    }),
    debtChange: t.expose('debtChange', {
      type: 'BigInt',
      description:
        'Change of the debt, with `fee`, in base units of the reserve\u2019s token. 0 for a deposit.',
    }),
    signer: t.field({
      type: WalletRef,
      description:
        'The wallet that signed: the owner, the payer of a REPAYMENT, the liquidator, or the wallet that filled an order or rolled a debt over.',
      resolve: ({ signer }) => ({ address: signer }),
    }),
  }),
});

builder.objectRef<FarmEntry>('FarmActivity').implement({
  description: 'Something that a wallet did in a farm.',
  interfaces: [ActivityEntryRef],
  fields: (t) => ({
    farmAddress: t.expose('farm', {
      type: 'Address',
      description: 'Address of the farm. The account may have been closed since.',
    }),
    tokenMint: t.expose('mint', {
      type: 'Address',
      nullable: true,
      description:
        'Mint of the token staked, returned or paid out. Null for an UNSTAKE of a farm that can no longer be read.',
    }),
    stakeChange: t.expose('stakeChange', {
      type: 'BigInt',
      nullable: true,
      description:
        'Change of the active stake, in base units of the token. Null for an UNSTAKE of everything, which does not name an amount.',
    }),
  }),
});

builder.objectRef<QueueEntry>('WithdrawQueueActivity').implement({
  description: 'Something that happened to a ticket of a wallet in the withdraw queue of a reserve.',
  interfaces: [ActivityEntryRef],
  fields: (t) => ({
    ticketAddress: t.expose('ticket', {
      type: 'Address',
      description: 'Address of the ticket. The account is closed once it is paid.',
    }),
    marketAddress: t.expose('market', { type: 'Address', description: 'Address of the lending market.' }),
    reserveAddress: t.expose('reserve', { type: 'Address', description: 'Address of the reserve.' }),
    fromVaultAddress: t.expose('vault', {
      type: 'Address',
      nullable: true,
      description: 'The vault whose redemption entered the queue. Null for none.',
    }),
    ticketChange: t.expose('ticketChange', {
      type: 'BigInt',
      description:
        'Change of the ticket, in base units of the reserve\u2019s collateral token: negative for tokens that left it.',
    }),
    liquidity: t.expose('liquidity', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'What entered or left the ticket, in tokens of the reserve: collateral tokens count at their exchange rate at that time. Null when that rate is unknown, or the reserve no longer exists.',
    }),
    signer: t.field({
      type: WalletRef,
      description: 'The wallet that signed: the owner, or the payer of a payment or return.',
      resolve: ({ signer }) => ({ address: signer }),
    }),
  }),
});

builder.objectRef<UnreadEntry>('UnreadActivity').implement({
  description:
    'A transaction that is in the list of the wallet, or of an obligation of it, and that no RPC node has returned. It is requested again.',
  interfaces: [ActivityEntryRef],
  fields: (t) => ({
    reason: t.exposeString('reason', { description: 'Reason of the last failure to read it.' }),
  }),
});

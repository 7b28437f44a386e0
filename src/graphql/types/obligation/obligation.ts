import { presentAddress } from '@sluice/protocol/program-ids';
import { groupsOfMarket } from '../../../services/markets/markets.ts';
import { borrowOrder, borrowOrders } from '../../../services/obligations/borrow-orders.ts';
import { leverageOrders } from '../../../services/obligations/leverage-orders.ts';
import * as obligations from '../../../services/obligations/obligations.ts';
import { ownershipTransfer } from '../../../services/obligations/ownership-transfer.ts';
import { obligationTag, tagNumber } from '../../../services/obligations/tags.ts';
import { accountBase64 } from '../../../services/request/records.ts';
import { builder } from '../../builder.ts';
import { ElevationGroupRef, MarketRef, marketLink, ObligationRef, WalletRef } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { ValueRef } from '../wallet/wallet.ts';
import { BorrowOrderRef } from './borrow-order.ts';
import { LeverageOrderRef } from './leverage-order.ts';
import {
  ObligationBorrowRef,
  ObligationDepositRef,
  ObligationStatsRef,
  ObligationTagRef,
} from './obligation-parts.ts';
import { OwnershipTransferRef } from './ownership-transfer.ts';

ObligationRef.implement({
  description:
    'A borrowing position in one lending market: deposits as collateral, and debts. Valued at the slot of the View.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the obligation.' }),
    owner: t.field({
      type: WalletRef,
      description: 'The wallet that owns it.',
      resolve: ({ value }) => ({ address: value.owner }),
    }),
    ownershipTransfer: t.field({
      type: OwnershipTransferRef,
      nullable: true,
      description: 'Transfer of the obligation to another wallet. Null when none is under way.',
      resolve: ({ value }) => ownershipTransfer(value),
    }),
    marketAddress: t.field({
      type: 'Address',
      description: 'Address of the market.',
      resolve: ({ value }) => value.lendingMarket,
    }),
    market: t.field({
      type: MarketRef,
      nullable: true,
      description: 'The market of the obligation. Null, with an error, when it cannot be read.',
      resolve: ({ value }, _args, { session }) => marketLink(session, value.lendingMarket),
    }),
    borrowOrder: t.field({
      type: BorrowOrderRef,
      nullable: true,
      description: 'The open borrow order with index 0. Null without one. `borrowOrders` has all of them.',
      resolve: (record) => borrowOrder(record),
    }),
    borrowOrders: t.field({
      type: [BorrowOrderRef],
      description:
        'The borrow orders, at most 3, by index. Expired ones stay until the obligation is refreshed: see `isExpired`.',
      resolve: (record) => borrowOrders(record),
    }),
    orders: t.field({
      type: [LeverageOrderRef],
      description:
        'Active orders to lower or raise the leverage of the obligation, such as a stop-loss or a take-profit. At most 2, by index.',
      resolve: (record, _args, { session }) => leverageOrders(obligations.valueObligation(session, record)),
    }),
    tag: t.field({
      type: ObligationTagRef,
      nullable: true,
      description:
        'Purpose of the obligation. Null when the tag number is unknown to this version of the gateway.',
      resolve: (record) => obligationTag(record),
    }),
    tagNumber: t.int({
      description: 'Purpose of the obligation as the number stored on chain.',
      resolve: (record) => tagNumber(record),
    }),
    elevationGroup: t.field({
      type: ElevationGroupRef,
      nullable: true,
      description:
        'The elevation group of the obligation. Null when it is in none, or its market cannot be read.',
      resolve: ({ value }, _args, { session }) => {
        const market = session.view.get('market', value.lendingMarket);
        return market
          ? (groupsOfMarket(market).find(({ number }) => number === value.elevationGroup) ?? null)
          : null;
      },
    }),
    referrer: t.field({
      type: 'Address',
      nullable: true,
      description: 'Referrer of the owner. Null when there is none.',
      resolve: ({ value }) => presentAddress(value.referrer),
    }),
    deposits: t.field({
      type: [ObligationDepositRef],
      description: 'Deposits, at most 8, in the order of the account.',
      resolve: (record, _args, { session }) =>
        obligations.obligationDeposits(obligations.valueObligation(session, record)),
    }),
    borrows: t.field({
      type: [ObligationBorrowRef],
      description: 'Debts, at most 5, in the order of the account.',
      resolve: (record, _args, { session }) =>
        obligations.obligationBorrows(obligations.valueObligation(session, record)),
    }),
    stats: t.field({
      type: ObligationStatsRef,
      nullable: true,
      description: 'Totals and ratios of the obligation. Null when one of its reserves or prices is unknown.',
      resolve: (record, _args, { session }) => {
        const valued = obligations.valueObligation(session, record);
        const { stats } = valued;
        return stats && { stats, potentialGroup: () => obligations.potentialGroup(valued) };
      },
    }),
    maxLtv: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Maximum loan-to-value for borrowing: borrow limit / deposits that count for borrowing. 0 without such deposits. Null when a value is unknown.',
      resolve: (record, _args, { session }) =>
        obligations.maxLtv(obligations.valueObligation(session, record)),
    }),
    healthFactor: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Liquidation limit / debt adjusted by borrow factors. At 1 and below the obligation can be liquidated. Null without debt, and when a value is unknown.',
      resolve: (record, _args, { session }) =>
        obligations.health(obligations.valueObligation(session, record)),
    }),
    loanToValue: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Debt adjusted by borrow factors / all deposits, as a fraction: the ratio that the lending program computes and previews state. `stats.loanToValue` leaves out deposits that do not count for borrowing. 0 without deposits. Null when a value is unknown.',
      resolve: (record, _args, { session }) =>
        obligations.loanToValue(obligations.valueObligation(session, record)),
    }),
    liquidatable: t.boolean({
      nullable: true,
      description:
        'Whether the obligation can be liquidated now: its debt has reached the liquidation limit, or a debt has ended in a market that lets ended debts be liquidated (`debtEnds`). False while its market, or a reserve of it, is in emergency mode. Null when a value is unknown.',
      resolve: (record, _args, { session }) =>
        obligations.liquidatable(obligations.valueObligation(session, record)),
    }),
    bufferToLiquidation: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Fraction by which the value of all collateral can fall before liquidation. Null without debt, and when a value is unknown.',
      resolve: (record, _args, { session }) =>
        obligations.liquidationBuffer(obligations.valueObligation(session, record)),
    }),
    netValue: t.field({
      type: ValueRef,
      nullable: true,
      description: 'Deposits less debts, in USD and SOL. Null when a value is unknown.',
      resolve: (record, _args, { session }) =>
        obligations.netValue(obligations.valueObligation(session, record)),
    }),
    netValueSol: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Deposits less debts, in SOL. Null when a value is unknown.',
      args: {
        useStakeRate: t.arg.boolean({
          defaultValue: false,
          description: 'Value liquid-staking tokens at their stake rate instead of their price.',
        }),
      },
      resolve: (record, { useStakeRate }, { session }) =>
        obligations.netValueSol(obligations.valueObligation(session, record), useStakeRate ?? false),
    }),
    netApy: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Net yield per year on the net value, as a fraction: yield of the deposits less cost of the debts, both with all rewards. Null when a value is unknown.',
      resolve: (record, _args, { session }) =>
        obligations.netApy(obligations.valueObligation(session, record)),
    }),
    maxBorrow: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Maximum that can be borrowed from a reserve now, given collateral, liquidity and all caps, after the origination fee. Null when a value that it depends on is unknown.',
      args: {
        reserve: t.arg({ type: 'Address', required: true, description: 'A reserve of the same market.' }),
      },
      resolve: async (record, args, { session }) =>
        obligations.maxBorrow(
          obligations.valueObligation(session, record),
          await session.load('reserve', args.reserve),
        ),
    }),
    maxWithdraw: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Maximum that can be withdrawn from a deposit now. 0 without such a deposit. Null when a value that it depends on is unknown.',
      args: {
        reserve: t.arg({
          type: 'Address',
          required: true,
          description: 'A reserve in which the obligation has a deposit.',
        }),
      },
      resolve: async (record, args, { session }) =>
        obligations.maxWithdraw(
          obligations.valueObligation(session, record),
          await session.load('reserve', args.reserve),
        ),
    }),
    accountData: t.field({
      type: 'Base64',
      description: 'The raw account data.',
      resolve: (record, _args, { objects }, info) => objects.takeText(accountBase64(record), info),
    }),
    lastUpdateSlot: t.field({
      type: 'U64',
      description: 'Slot at which the program last refreshed the obligation.',
      resolve: ({ value }) => value.lastUpdate.slot,
    }),
  }),
});

builder.queryField('obligation', (t) =>
  t.field({
    type: ObligationRef,
    nullable: true,
    description:
      'Fetches an obligation by its address, from the chain. Null, with an error, when there is none or it cannot be read.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the obligation.' }) },
    resolve: (_root, { address }) => address,
  }),
);

import { type BorrowOrder, obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { setBorrowOrderV2 } from '@sluice/protocol/klend/order-instructions';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import { INSTRUCTIONS_SYSVAR } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { borrowOrderSlots, isExpiredOrder, isPlacedOrder } from '../../domain/borrow-orders.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { type Action, type BuiltStep, once, type StepContext } from '../action.ts';
import { type BuiltAction, instruction } from '../built-instruction.ts';
import type { KnownAccounts, KnownReserve } from '../known-accounts.ts';
import { NO_BORROW_ORDER } from '../lending/changes.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import { existingObligation, marketAt, obligationReserves } from '../lending/request.ts';
import type { Preview } from '../preview.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { createTokenAccount } from '../token-instructions.ts';
import { usableTables } from '../transaction/lookup-tables.ts';
import {
  type BorrowOrderAccounts,
  borrowOrderAccounts,
  describedOrder,
  placedOrder,
  type TokenReserve,
} from './accounts.ts';
import { cancelPreview, setPreview } from './preview.ts';
import {
  type BorrowOrderRequest,
  checkBorrowOrderIndex,
  checkBorrowTerms,
  firstBorrowOrderReads,
  knownReserves,
  refused,
  reservesOfToken,
  secondBorrowOrderReads,
  type WantedBorrowOrder,
} from './request.ts';
import { valuingReserve, wantedOrder } from './terms.ts';

/** Kinds of action in this folder, with their descriptions. */
export const BORROW_ORDER_ACTIONS = {
  SET_BORROW_ORDER: 'Place or change an order to borrow a token on given terms.',
  CANCEL_BORROW_ORDER: 'Cancel a borrow order of an obligation.',
  FILL_BORROW_ORDER: 'Fill a borrow order of an obligation from a reserve.',
} as const;

interface BorrowOrderPlace {
  readonly wallet: Address;
  readonly market: Address;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
}

export interface SetBorrowOrderRequest extends BorrowOrderPlace, WantedBorrowOrder {
  /** 0 to 2; changes an order that is there. By default the first empty place. */
  readonly index?: number;
}

export interface CancelBorrowOrderRequest extends BorrowOrderPlace {
  readonly index: number;
}

/**
 * A new borrow order, or other terms of one. Its token account is the wallet's own.
 *
 * @throws BUILD_REFUSED for an index or terms that the program does not accept
 * @example
 * const terms = { mint, amount, maxBorrowRateBps: 500, minTermSeconds: 0n, fillableUntil, autoRollover: false };
 * setBorrowOrderAction(known, { wallet, market, ...terms });
 */
export function setBorrowOrderAction(known: KnownAccounts, request: SetBorrowOrderRequest): Action {
  if (request.index !== undefined) checkBorrowOrderIndex(request.index);
  checkBorrowTerms(request);
  const { market, mint } = request;
  return orderAction(
    known,
    request,
    'SET_BORROW_ORDER',
    knownReserves(known, market, mint),
    () => reservesOfToken(known, market, mint),
    (accounts, { moment }) => {
      const { timestamp } = moment;
      const index = request.index ?? freeIndex(accounts, timestamp);
      const stored = placedOrder(accounts.obligation, index);
      const before = stored !== null && isExpiredOrder(stored, timestamp) ? null : stored;
      const order = wantedOrder(accounts, before, request, timestamp);
      const reserve = valuingReserve(accounts, order, timestamp);
      const described = describedOrder(accounts.symbolOf, reserve.value, order);
      return {
        index,
        order,
        reserve,
        // A fill between build and execution must not add to what is asked for.
        minExpected: before?.remainingDebtAmount ?? 0n,
        summary: `${before === null ? 'Place' : 'Change'} borrow order ${index} of the obligation: ${described}`,
        preview: () => setPreview(accounts, { index, before, order, reserve }, timestamp),
      };
    },
  );
}

/**
 * The cancellation of a borrow order.
 *
 * @throws BUILD_REFUSED when there is none
 * @example
 * cancelBorrowOrderAction(known, { wallet, market, index: 0 });
 */
export function cancelBorrowOrderAction(known: KnownAccounts, request: CancelBorrowOrderRequest): Action {
  const { index, market } = request;
  checkBorrowOrderIndex(index);
  const reservesOf = (asked: BorrowOrderRequest, read: ReadAccounts) => {
    const order = placedOrder(existingObligation(asked, read).obligation, index);
    if (order === null) throw refused(`the obligation has no borrow order ${index}`);
    return reservesOfToken(known, market, order.debtLiquidityMint);
  };
  return orderAction(known, request, 'CANCEL_BORROW_ORDER', [], reservesOf, (accounts) => {
    const [reserve] = accounts.reserves;
    return {
      index,
      order: NO_BORROW_ORDER,
      reserve,
      minExpected: 0n,
      summary: `Cancel borrow order ${index} of the obligation`,
      preview: () => cancelPreview(accounts, index),
    };
  });
}

interface BorrowOrderChange {
  readonly index: number;
  readonly order: BorrowOrder;
  /** Values the order. */
  readonly reserve: TokenReserve;
  readonly minExpected: bigint;
  readonly summary: string;
  readonly preview: () => Preview;
}

function orderAction(
  known: KnownAccounts,
  { wallet, market, obligation = DEFAULT_OBLIGATION }: BorrowOrderPlace,
  kind: keyof typeof BORROW_ORDER_ACTIONS,
  /** The reserves of the token, if it is known before the reads. */
  expected: readonly KnownReserve[],
  reservesOf: (request: BorrowOrderRequest, read: ReadAccounts) => readonly [KnownReserve, ...KnownReserve[]],
  changeOf: (accounts: BorrowOrderAccounts, at: StepContext) => BorrowOrderChange,
): Action {
  const { programs } = known;
  const request = { programs, wallet, market, obligation, lookupTables: known.tablesOfMarket(market) };
  return {
    wallet,
    named: firstBorrowOrderReads(request),
    expected: secondBorrowOrderReads(request, expected),
    needed(read) {
      marketAt(read, market, programs.klend);
      return secondBorrowOrderReads(request, reservesOf(request, read));
    },
    build(read, at): BuiltStep {
      const accounts = borrowOrderAccounts(request, reservesOf(request, read), read);
      const change = changeOf(accounts, at);
      return {
        kind,
        action: builtChange(accounts, change, at.payer),
        tables: usableTables(request.lookupTables, read, at.slot),
        walletTokens: [],
        preview: once(change.preview),
        after: once(() => orderChanges(accounts, change, at, read)),
        fresh: at.fresh,
        references: {
          obligation: accounts.obligationAddress,
          addresses: obligationReserves(accounts.obligation),
        },
      };
    },
  };
}

/** The token account of an order that can be set: the stored one cannot be changed. */
const destinationOf = ({ ownToken }: BorrowOrderAccounts, { order }: BorrowOrderChange): Address =>
  isPlacedOrder(order) ? order.filledDebtDestination : ownToken;

/** The program demands no refresh. */
function builtChange(accounts: BorrowOrderAccounts, change: BorrowOrderChange, payer: Address): BuiltAction {
  const { request, obligationAddress, ownToken, tokenProgram } = accounts;
  const { index, order, reserve, minExpected, summary } = change;
  const { programs, wallet, market } = request;
  const { mintPubkey } = reserve.value.liquidity;
  const destination = destinationOf(accounts, change);
  const opening = createTokenAccount(
    { wallet, payer },
    ownToken,
    mintPubkey,
    tokenProgram,
    'the borrowed tokens',
  );
  return {
    // Nothing is paid or received.
    amount: 0n,
    all: false,
    wrappedSol: null,
    instructions: [
      ...(destination === ownToken ? [opening] : []),
      instruction(
        setBorrowOrderV2,
        programs.klend,
        {
          owner: wallet,
          obligation: obligationAddress,
          lendingMarket: market,
          reserve: reserve.address,
          filledDebtDestination: destination,
          debtLiquidityMint: mintPubkey,
          instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
          eventAuthority: eventAuthority(programs.klend).address,
          program: programs.klend,
        },
        {
          orderIdx: index,
          remainingDebtAmount: order.remainingDebtAmount,
          maxBorrowRateBps: order.maxBorrowRateBps,
          minDebtTermSeconds: order.minDebtTermSeconds,
          fillableUntilTimestamp: order.fillableUntilTimestamp,
          enableAutoRolloverOnFilledBorrows: order.enableAutoRolloverOnFilledBorrows !== 0,
          minExpectedCurrentRemainingDebtAmount: minExpected,
        },
        { summary },
      ),
    ],
  };
}

/** The slot for a new order: the first that is empty or expired. @throws BUILD_REFUSED when all are used */
function freeIndex({ obligation }: BorrowOrderAccounts, timestamp: bigint): number {
  const slots = borrowOrderSlots(obligation);
  const index = slots.findIndex((order) => !isPlacedOrder(order) || isExpiredOrder(order, timestamp));
  if (index >= 0) return index;
  throw refused(
    `the obligation has ${slots.length} borrow orders already; name the index of the one to change, or cancel one`,
  );
}

/** The obligation with the order in its place. */
function orderChanges(
  accounts: BorrowOrderAccounts,
  change: BorrowOrderChange,
  { payer }: StepContext,
  read: ReadAccounts,
): AccountChanges {
  const { obligation, obligationAddress, request, ownToken, tokenProgram, reserves } = accounts;
  const changes = new ChangedAccounts(read, payer);
  const mint = reserves[0].value.liquidity.mintPubkey;
  if (destinationOf(accounts, change) === ownToken) {
    changes.openTokens(ownToken, { owner: request.wallet, mint, tokenProgram });
  }
  const slots = borrowOrderSlots(obligation).map((each, i) => (i === change.index ? change.order : each));
  const [headBorrowOrder, ...tailBorrowOrders] = slots;
  changes.patch(obligationAddress, obligationLayout, { headBorrowOrder, tailBorrowOrders });
  return changes.changes;
}

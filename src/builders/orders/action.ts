import { type ObligationOrder, obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { setObligationOrder } from '@sluice/protocol/klend/order-instructions';
import type { Address } from '@solana/kit';
import { orderTerms } from '../../domain/obligation-orders.ts';
import { orderOutlook } from '../../domain/order-outlook.ts';
import { conditionInWords, opportunityInWords } from '../../domain/order-words.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { type Action, type BuiltStep, once, type StepContext } from '../action.ts';
import { type BuiltAction, instruction } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { NO_ORDER } from '../lending/changes.ts';
import { expectedObligationReads, knownOracles } from '../lending/expected-reads.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import { obligationReserves } from '../lending/request.ts';
import type { Preview } from '../preview.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { usableTables } from '../transaction/lookup-tables.ts';
import { type OrderAccounts, orderAccounts, valuedPositions } from './accounts.ts';
import { amountInWords, cancelPreview, setPreview } from './preview.ts';
import { freeIndex, refuseHindered } from './refusals.ts';
import {
  checkBonus,
  checkIndex,
  firstOrderReads,
  type OrderRequest,
  secondOrderReads,
  type WantedOrder,
} from './request.ts';
import { encodedOrder } from './terms.ts';

/** Kinds of action in this folder, with their descriptions. */
export const ORDER_ACTIONS = {
  SET_OBLIGATION_ORDER: 'Set a stop-loss or take-profit order of an obligation.',
  CANCEL_OBLIGATION_ORDER: 'Cancel an order of an obligation.',
} as const;

interface OrderPlace {
  readonly wallet: Address;
  readonly market: Address;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
}

export interface SetOrderRequest extends OrderPlace, WantedOrder {
  /** 0 or 1; replaces an order that is there. By default the first empty place. */
  readonly index?: number;
}

export interface CancelOrderRequest extends OrderPlace {
  readonly index: number;
}

/** The version whose instruction demands one argument more, and gives the numbers of an order another meaning. */
const OTHER_TERMS_VERSION = '1.26.0';

/**
 * A stop-loss or take-profit order.
 *
 * @throws BUILD_REFUSED for an index or a bonus that the program does not accept
 * @example
 * const stopLoss = { condition: 'LTV_ABOVE', threshold: parseDecimal('0.7'), amount: { all: true } } as const;
 * setOrderAction(known, { wallet, market, ...stopLoss, minBonusBps: 50, maxBonusBps: 200 });
 */
export function setOrderAction(known: KnownAccounts, request: SetOrderRequest): Action {
  if (request.index !== undefined) checkIndex(request.index);
  checkBonus(request);
  return orderAction(known, request, 'SET_OBLIGATION_ORDER', (accounts, { moment }) => {
    const index = request.index ?? freeIndex(accounts);
    const order = encodedOrder(accounts, request);
    const terms = orderTerms(order);
    const valued = valuedPositions(accounts, moment);
    const { hindrance } = orderOutlook(terms, accounts.market, valued.positions, valued.stats);
    refuseHindered(hindrance, terms, valued);
    const units = amountInWords(accounts, terms.amount?.floor() ?? 0n);
    return {
      index,
      order,
      summary: `Set order ${index} of the obligation: ${opportunityInWords(terms, units)} ${conditionInWords(terms)}`,
      preview: () => setPreview(accounts, index, order, valued, moment),
    };
  });
}

/**
 * The cancellation of an order.
 *
 * @throws BUILD_REFUSED for an index that no order has
 * @example
 * cancelOrderAction(known, { wallet, market, index: 0 });
 */
export function cancelOrderAction(known: KnownAccounts, request: CancelOrderRequest): Action {
  const { index } = request;
  checkIndex(index);
  return orderAction(known, request, 'CANCEL_OBLIGATION_ORDER', (accounts) => ({
    index,
    order: NO_ORDER,
    summary: `Cancel order ${index} of the obligation`,
    preview: () => cancelPreview(accounts, index),
  }));
}

interface OrderChange {
  readonly index: number;
  readonly order: ObligationOrder;
  readonly summary: string;
  readonly preview: () => Preview;
}

function orderAction(
  known: KnownAccounts,
  { wallet, market, obligation = DEFAULT_OBLIGATION }: OrderPlace,
  kind: keyof typeof ORDER_ACTIONS,
  changeOf: (accounts: OrderAccounts, at: StepContext) => OrderChange,
): Action {
  const { programs } = known;
  if (known.runsAtLeast('klend', OTHER_TERMS_VERSION) === true) {
    const reason = `the deployed lending program is klend ${OTHER_TERMS_VERSION} or later, whose orders this gateway does not build`;
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
  const request: OrderRequest = {
    programs,
    wallet,
    market,
    obligation,
    lookupTables: known.tablesOfMarket(market),
    oracles: knownOracles(known, market),
  };
  return {
    wallet,
    named: firstOrderReads(request),
    expected: expectedObligationReads(known, request),
    needed: (read) => secondOrderReads(request, read),
    build(read, at): BuiltStep {
      const accounts = orderAccounts(request, read);
      const change = changeOf(accounts, at);
      return {
        kind,
        action: builtChange(accounts, change),
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

/** The program demands no refresh. */
function builtChange(
  { request, obligationAddress }: OrderAccounts,
  { index, order, summary }: OrderChange,
): BuiltAction {
  const { programs, wallet, market } = request;
  const accounts = { owner: wallet, obligation: obligationAddress, lendingMarket: market };
  return {
    // Nothing is paid or received.
    amount: 0n,
    all: false,
    wrappedSol: null,
    instructions: [
      instruction(setObligationOrder, programs.klend, accounts, { index, ...order }, { summary }),
    ],
  };
}

/** The obligation with the order in its place. */
function orderChanges(
  { obligation, obligationAddress }: OrderAccounts,
  { index, order }: OrderChange,
  { payer }: StepContext,
  read: ReadAccounts,
): AccountChanges {
  const changes = new ChangedAccounts(read, payer);
  const obligationOrders = obligation.obligationOrders.map((each, i) => (i === index ? order : each));
  changes.patch(obligationAddress, obligationLayout, { obligationOrders });
  return changes.changes;
}

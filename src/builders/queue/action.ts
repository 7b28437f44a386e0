import { COLLATERAL_DECIMALS } from '@sluice/protocol/klend/reserve';
import type { Address } from '@solana/kit';
import {
  type Action,
  once,
  type StepContext,
  type WalletTokenAccount,
  walletTokenAccount,
} from '../action.ts';
import { type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { referencesOf } from '../lending/action.ts';
import type { ObligationChoice } from '../lending/obligation-choice.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import {
  expectedTicketReads,
  laterTicketReads,
  type QueueAccounts,
  type TicketAccounts,
  ticketAccounts,
} from './accounts.ts';
import { buildCancellation, cancelOutcome } from './cancel.ts';
import { cancelChanges, enqueueChanges, payChanges, recoverChanges } from './changes.ts';
import { buildEnqueue, newTicket } from './enqueue.ts';
import {
  enqueueAccounts,
  enqueueRequest,
  expectedEnqueueReads,
  firstEnqueueReads,
  secondEnqueueReads,
} from './enqueue-accounts.ts';
import { enqueueOutcome } from './enqueue-outcome.ts';
import { buildPayment, payOutcome } from './pay.ts';
import { cancelPreview, enqueuePreview, payPreview, recoverPreview } from './preview.ts';
import { buildRecovery } from './recover.ts';
import { firstTicketReads, type TicketRequest } from './request.ts';

/** Kinds of action in this folder, with their descriptions. */
export const QUEUE_ACTIONS = {
  ENQUEUE_WITHDRAW: 'Queue collateral tokens of a reserve for withdrawal.',
  WITHDRAW_QUEUED: 'Pay the first ticket in the withdraw queue of a reserve.',
  CANCEL_WITHDRAW_TICKET: 'Cancel a ticket in a withdraw queue, or a part of it.',
  RECOVER_WITHDRAW_TICKET: 'Return the collateral tokens of an invalid withdraw ticket.',
} as const;

export interface EnqueueActionRequest {
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  /** Of the reserve's token. */
  readonly amount: AmountInput;
  /** The obligation that the collateral is in. Without one, the wallet holds the collateral tokens. */
  readonly obligation?: ObligationChoice;
}

/**
 * An entry into the withdraw queue of a reserve.
 *
 * @example
 * enqueueAction(known, { wallet, market, reserve, amount: { all: true }, obligation: DEFAULT_OBLIGATION });
 */
export function enqueueAction(known: KnownAccounts, request: EnqueueActionRequest): Action {
  const { wallet, market, reserve, amount, obligation = null } = request;
  const entry = enqueueRequest(known, wallet, market, reserve, obligation);
  return {
    wallet,
    named: firstEnqueueReads(entry),
    expected: expectedEnqueueReads(known, entry),
    needed: (read) => secondEnqueueReads(entry, read),
    build(read, at) {
      const accounts = enqueueAccounts(entry, read, at);
      const { position } = accounts;
      const ticket = newTicket(accounts, toBaseUnits(amount, amountRules(accounts)), at.moment);
      const outcome = once(() => enqueueOutcome(accounts, ticket, at.moment));
      return {
        kind: 'ENQUEUE_WITHDRAW',
        action: buildEnqueue(accounts, ticket),
        tables: [...accounts.tables, ...(position?.tables ?? [])],
        walletTokens: tokensOf(accounts),
        preview: once(() => enqueuePreview(accounts, ticket, outcome(), at.moment)),
        after: once(() => enqueueChanges(accounts, ticket, outcome(), at.moment, read)),
        // The refresh inside the program loads no price, but one of the same transaction stays.
        fresh: position === null ? at.fresh : new Set([...at.fresh, ...position.reserves.keys()]),
        ...(position === null
          ? {}
          : {
              about: { account: position.obligationAddress, pool: reserve, side: 'deposit' } as const,
              references: referencesOf(position),
            }),
      };
    },
  };
}

export interface PayActionRequest extends ActionOptions {
  /** Pays the fee; need not be the owner of the ticket. */
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  /** The ticket that must be the first of its queue; any by default. */
  readonly ticket?: Address;
}

/**
 * The payment of the first ticket in the withdraw queue of a reserve.
 *
 * @example
 * payTicketAction(known, { wallet, market, reserve });
 */
export function payTicketAction(known: KnownAccounts, request: PayActionRequest): Action {
  const { wallet, market, reserve, ticket: expected = null } = request;
  const asked = { programs: known.programs, wallet, subject: { market, reserve, expected } };
  return ticketAction(known, asked, (accounts, read, at) => {
    const outcome = payOutcome(accounts, at.moment);
    const action = buildPayment(accounts, outcome, request);
    const closes = action.wrappedSol === 'closed';
    return {
      kind: 'WITHDRAW_QUEUED',
      action,
      preview: once(() => payPreview(accounts, outcome, action, at.moment)),
      after: once(() => payChanges(accounts, outcome, closes, at.moment, read)),
      fresh: new Set([...at.fresh].filter((address) => address !== reserve)),
      about: { account: accounts.ticketAddress, pool: reserve, side: 'deposit' },
    };
  });
}

export interface CancelActionRequest {
  /** Owner of the ticket. */
  readonly wallet: Address;
  readonly ticket: Address;
  /** Of the reserve's token. */
  readonly amount: AmountInput;
}

/**
 * A cancellation of a ticket, or of a part of it.
 *
 * @example
 * cancelTicketAction(known, { wallet, ticket, amount: { all: true } });
 */
export function cancelTicketAction(known: KnownAccounts, request: CancelActionRequest): Action {
  const { wallet, ticket, amount } = request;
  const asked = { programs: known.programs, wallet, subject: { ticket } };
  return ticketAction(known, asked, (accounts, read, at) => {
    const units = toBaseUnits(amount, amountRules(accounts));
    const outcome = cancelOutcome(accounts, units, at.moment);
    return {
      kind: 'CANCEL_WITHDRAW_TICKET',
      action: buildCancellation(accounts, outcome, units),
      preview: once(() => cancelPreview(accounts, outcome, units)),
      after: once(() => cancelChanges(accounts, outcome, read)),
      fresh: at.fresh,
    };
  });
}

export interface RecoverActionRequest {
  /** Pays the fee; need not be the owner of the ticket. */
  readonly wallet: Address;
  readonly ticket: Address;
}

/**
 * The return of the collateral tokens of an invalid ticket to its owner.
 *
 * @example
 * recoverTicketAction(known, { wallet, ticket });
 */
export function recoverTicketAction(known: KnownAccounts, { wallet, ticket }: RecoverActionRequest): Action {
  const asked = { programs: known.programs, wallet, subject: { ticket } };
  return ticketAction(known, asked, (accounts, read, at) => ({
    kind: 'RECOVER_WITHDRAW_TICKET',
    action: buildRecovery(accounts, at.moment),
    preview: once(() => recoverPreview(accounts, at.moment)),
    after: once(() => recoverChanges(accounts, read)),
    fresh: at.fresh,
  }));
}

type TicketStep = Omit<ReturnType<Action['build']>, 'tables' | 'walletTokens'>;

/** An action on a ticket that exists. */
function ticketAction(
  known: KnownAccounts,
  request: TicketRequest,
  build: (accounts: TicketAccounts, read: ReadAccounts, at: StepContext) => TicketStep,
): Action {
  return {
    wallet: request.wallet,
    named: firstTicketReads(request),
    expected: expectedTicketReads(known, request),
    needed: (read) => laterTicketReads(known, request, read),
    build(read, at) {
      const accounts = ticketAccounts(known, request, read, at);
      const { wallet, owner, tables } = accounts;
      return {
        ...build(accounts, read, at),
        tables,
        walletTokens: wallet === owner ? tokensOf(accounts) : [],
      };
    },
  };
}

const amountRules = ({ reserve }: QueueAccounts) => ({
  decimals: Number(reserve.liquidity.mintDecimals),
  maxMeansAll: true,
});

/** Accounts of the owner that an action on the queue affects. */
function tokensOf({ collateral, liquidity, reserve }: QueueAccounts): WalletTokenAccount[] {
  const { mintPubkey, mintDecimals } = reserve.liquidity;
  return [
    walletTokenAccount(liquidity, mintPubkey, mintDecimals),
    walletTokenAccount(collateral, reserve.collateral.mintPubkey, BigInt(COLLATERAL_DECIMALS)),
  ];
}

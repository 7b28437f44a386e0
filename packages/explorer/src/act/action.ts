import type { Action } from '@sluice/client';

/** Subject of an action. Addresses. */
export type ActTarget =
  | { readonly kind: 'vault'; readonly vault: string }
  | { readonly kind: 'lending'; readonly market: string; readonly reserve: string }
  | {
      readonly kind: 'ticket';
      readonly market: string;
      readonly reserve: string;
      readonly ticket: string;
      readonly state: TicketState;
    };

/** State of a withdraw ticket, as the gateway names it. */
export type TicketState = 'QUEUED' | 'CANCELLED' | 'INVALID';

/** `queue` enters the withdraw queue of a reserve; the last three are about a ticket in it. */
export type Verb = 'deposit' | 'withdraw' | 'borrow' | 'repay' | 'queue' | 'cancel' | 'collect' | 'recover';

export const VERB_NAMES: Readonly<Record<Verb, string>> = {
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  borrow: 'Borrow',
  repay: 'Repay',
  queue: 'Queue',
  cancel: 'Cancel',
  collect: 'Collect',
  recover: 'Recover',
};

const TICKET_VERBS: Readonly<Record<TicketState, readonly Verb[]>> = {
  QUEUED: ['cancel', 'collect'],
  CANCELLED: ['collect'],
  INVALID: ['recover'],
};

export function verbsOf(target: ActTarget): readonly Verb[] {
  switch (target.kind) {
    case 'vault':
      return ['deposit', 'withdraw'];
    case 'lending':
      return ['deposit', 'withdraw', 'queue', 'borrow', 'repay'];
    case 'ticket':
      return TICKET_VERBS[target.state];
  }
}

/** Whether the action is of an amount. The others are of a whole ticket. */
export const takesAmount = (verb: Verb): boolean => verb !== 'collect' && verb !== 'recover';

export interface ActRequest {
  readonly target: ActTarget;
  readonly verb: Verb;
  readonly wallet: string;
  /** In whole tokens, or whole shares of a vault withdrawal. `all` is what the program takes as everything. */
  readonly amount: string | 'all';
  /** Address of an existing loan. Null: the wallet's general loan, which is created if there is none. */
  readonly loan: string | null;
}

/** The input of the builders and of `preview`. */
export function actionOf({ target, verb, wallet, amount, loan }: ActRequest): Action {
  const tokens = amount === 'all' ? ({ all: 'ALL' } as const) : { tokens: amount };
  if (target.kind === 'vault') {
    const { vault } = target;
    if (verb === 'deposit') return { vaultDeposit: { wallet, vault, amount: tokens } };
    const shares = amount === 'all' ? ({ all: 'ALL' } as const) : { shares: amount };
    return { vaultWithdraw: { wallet, vault, amount: shares } };
  }
  const { market, reserve } = target;
  if (target.kind === 'ticket') {
    const { ticket } = target;
    if (verb === 'collect') return { withdrawQueued: { wallet, market, reserve, ticket } };
    if (verb === 'recover') return { recoverWithdrawTicket: { wallet, ticket } };
    return { cancelWithdrawTicket: { wallet, ticket, amount: tokens } };
  }
  const obligation = loan === null ? {} : { obligation: { address: loan } };
  const input = { wallet, market, reserve, amount: tokens, ...obligation };
  switch (verb) {
    case 'deposit':
      return { lendingDeposit: input };
    case 'withdraw':
      return { lendingWithdraw: input };
    case 'queue':
      return { enqueueWithdraw: input };
    case 'borrow':
      return { lendingBorrow: input };
    case 'repay':
      return { lendingRepay: input };
    default:
      throw new RangeError(`${verb} is not an action on a reserve`);
  }
}

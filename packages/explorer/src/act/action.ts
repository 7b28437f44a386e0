import type { Action } from '@sluice/client';

/** Subject of an action. Addresses. */
export type ActTarget =
  | { readonly kind: 'vault'; readonly vault: string }
  | { readonly kind: 'lending'; readonly market: string; readonly reserve: string };

export type Verb = 'deposit' | 'withdraw' | 'borrow' | 'repay';

export const VERB_NAMES: Readonly<Record<Verb, string>> = {
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  borrow: 'Borrow',
  repay: 'Repay',
};

export const verbsOf = ({ kind }: ActTarget): readonly Verb[] =>
  kind === 'vault' ? ['deposit', 'withdraw'] : ['deposit', 'withdraw', 'borrow', 'repay'];

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
  const obligation = loan === null ? {} : { obligation: { address: loan } };
  const input = { wallet, market, reserve, amount: tokens, ...obligation };
  switch (verb) {
    case 'deposit':
      return { lendingDeposit: input };
    case 'withdraw':
      return { lendingWithdraw: input };
    case 'borrow':
      return { lendingBorrow: input };
    case 'repay':
      return { lendingRepay: input };
  }
}

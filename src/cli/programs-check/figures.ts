import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';

/** Parses a figure returned by the gateway. */
export const figure = (text: string | null | undefined): Rational | null =>
  text === null || text === undefined ? null : parseDecimal(text);

interface Received {
  readonly amount: { readonly amount: string; readonly token: { readonly mint: string } };
}

/** The wallet's balance of the token of the first amount, once it has received all amounts. */
export function balanceWith(received: readonly Received[], { balance }: Figures): Rational | null {
  const mint = received[0]?.amount.token.mint;
  return received
    .filter(({ amount }) => amount.token.mint === mint)
    .reduce<Rational | null>(
      (sum, { amount }) => sum?.add(parseDecimal(amount.amount)) ?? null,
      balance ?? null,
    );
}

/** What an action changes, as the preview gives it and as it is read back. A figure that does not apply is absent or null. */
export interface Figures {
  /** Whole tokens of the deposit or the debt, or the value of the shares. */
  readonly tokens?: Rational | null;
  /** Whole tokens of the wallet. */
  readonly balance?: Rational | null;
  readonly shares?: Rational | null;
  readonly stakedShares?: Rational | null;
  readonly unstakedShares?: Rational | null;
  readonly healthFactor?: Rational | null;
  readonly elevationGroup?: Rational | null;
  /** Whole collateral tokens of a withdraw ticket. */
  readonly queued?: Rational | null;
  /** Weight of a reserve in a vault. */
  readonly weight?: Rational | null;
  /** Whole tokens that a vault owes its admin. */
  readonly fees?: Rational | null;
  /** Settings of a vault with their values, separated by commas. */
  readonly settings?: string;
  /** An order in words; "none" without one. */
  readonly order?: string;
  /** Address; "none" without one. */
  readonly referrer?: string;
  /** Terms on which a debt may roll over, in order. */
  readonly rollover?: string;
  /** Wallet to which the loan is offered; "none" without one. */
  readonly newOwner?: string;
  /** Reserves, separated by spaces. */
  readonly feeAccounts?: string;
}

export const NONE = 'none';

import { Decimal } from '@sluice/client';
import type { LendingLimits, LimitedLoan, TicketLimits, VaultLimits } from './act-documents.ts';
import type { Verb } from './action.ts';

/** The most that an action can move. */
export interface Maximum {
  /** In the unit of the action. Null when the gateway does not know it. */
  readonly amount: Decimal | null;
  /** Whether the maximum is sent as `all`: the program then takes everything at execution, with interest until then. */
  readonly all: boolean;
  /** The limit that binds. */
  readonly because: string;
  /** What the wallet holds of it, where that is the limit. */
  readonly held?: Decimal;
}

/** The unit in which the amount of an action is written. */
export interface ActUnit {
  readonly symbol: string;
  readonly decimals: number;
}

interface ActToken extends ActUnit {
  readonly mint: string;
}

type Spendable = VaultLimits['wallet']['spendable'];

const SOL_MINT = 'So11111111111111111111111111111111111111112';
/** Stays in the wallet: SOL also pays the fee, and the rent of the accounts that a first action creates. */
const KEPT_SOL = '0.05';
const NOTHING = Decimal.of('0');

/** Balance that an action can take from the wallet, sent as an amount. A token that is not listed is one that it does not hold. */
function balanceOf(spendable: Spendable, { mint, symbol, decimals }: ActToken): Maximum {
  const because = `Balance of ${symbol} in the wallet${mint === SOL_MINT ? `, less ${KEPT_SOL} for fees and rent` : ''}`;
  if (spendable === null) return { amount: null, all: false, because };
  const units = spendable.find(({ token }) => token.mint === mint)?.baseUnits ?? '0';
  const balance = Decimal.fromBaseUnits(units, decimals);
  if (mint !== SOL_MINT) return { amount: balance, all: false, because, held: balance };
  const free = balance.minus(Decimal.of(KEPT_SOL));
  return { amount: free.isNegative ? NOTHING : free, all: false, because, held: balance };
}

export function vaultUnit({ token, sharesToken }: NonNullable<VaultLimits['vault']>, verb: Verb): ActUnit {
  return verb === 'deposit' ? token : { symbol: 'shares', decimals: sharesToken.decimals };
}

export function vaultMaximum({ wallet, vault }: VaultLimits, verb: Verb): Maximum {
  if (vault === null) return { amount: null, all: false, because: 'The vault cannot be read.' };
  if (verb === 'deposit') return balanceOf(wallet.spendable, vault.token);
  const shares = vault.held === null ? null : Decimal.of(vault.held.totalShares);
  return {
    amount: shares,
    all: true,
    because: 'Staked and unstaked shares',
    ...(shares !== null && { held: shares }),
  };
}

/** `loan` is null for a wallet without a loan in the market. */
export function lendingMaximum(
  { wallet, reserve }: LendingLimits,
  verb: Verb,
  loan: LimitedLoan | null,
): Maximum {
  if (reserve === null) return { amount: null, all: false, because: 'The reserve cannot be read.' };
  const { decimals } = reserve.token;
  const units = (amount: { readonly baseUnits: string } | null | undefined): Decimal | null =>
    amount === null || amount === undefined ? null : Decimal.fromBaseUnits(amount.baseUnits, decimals);
  switch (verb) {
    case 'deposit':
      return balanceOf(wallet.spendable, reserve.token);
    case 'withdraw':
      return {
        amount: loan === null ? NOTHING : units(loan.maxWithdraw),
        all: true,
        because: 'The deposit, as far as the debts and the liquidity of the reserve allow',
      };
    case 'queue': {
      const owned = loan?.owned.find(({ reserveAddress }) => reserveAddress === reserve.address);
      return {
        amount: owned === undefined ? NOTHING : units(owned.amount),
        all: true,
        because: 'The deposit, of which as much is queued as the debts allow',
      };
    }
    case 'borrow':
      return {
        amount: loan === null ? NOTHING : units(loan.maxBorrow),
        all: true,
        because: 'Collateral, liquidity and caps of the reserve, after the origination fee',
      };
    case 'repay': {
      const owed = loan?.owed.find(({ reserveAddress }) => reserveAddress === reserve.address);
      const debt = owed === undefined ? NOTHING : units(owed.amount);
      const balance = balanceOf(wallet.spendable, reserve.token);
      if (debt === null || balance.amount === null) return { ...balance, amount: null };
      return debt.compare(balance.amount) <= 0 ? { amount: debt, all: true, because: 'The debt' } : balance;
    }
    default:
      return { amount: null, all: false, because: 'The action has no amount.' };
  }
}

/** Amount of a ticket, in tokens of its reserve. */
export function ticketMaximum({ wallet, reserve }: TicketLimits, ticket: string): Maximum {
  const because = 'Value of the ticket';
  const found = wallet.waiting?.nodes.find(({ address }) => address === ticket);
  if (reserve === null || !found?.amount) return { amount: null, all: true, because };
  return {
    amount: Decimal.fromBaseUnits(found.amount.baseUnits, reserve.token.decimals),
    all: true,
    because,
  };
}

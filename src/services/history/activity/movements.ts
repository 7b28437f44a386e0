import type { View } from '../../../chain/view/view.ts';
import { type TokenAmount, valuedAmount } from '../../tokens/amounts.ts';
import type { ActivityEntry, FarmEntry, LendingEntry, QueueEntry, VaultEntry } from './activity-entry.ts';

/** Meaning of a movement of tokens in accounts that treat a deposit as a transfer to a pool of the wallet's owner. */
export type MovementKind =
  | 'TO_POOL'
  | 'FROM_POOL'
  | 'LOAN'
  | 'LOAN_REPAYMENT'
  | 'FEE'
  | 'REWARD'
  | 'TRANSFER_IN'
  | 'TRANSFER_OUT'
  | 'LIQUIDATED'
  | 'UNKNOWN';

/** Tokens that the wallet received (`in`) or gave away (`out`). */
export interface Movement {
  readonly kind: MovementKind;
  readonly direction: 'in' | 'out';
  /** Null for UNKNOWN: something moved, and nobody knows what. */
  readonly amount: TokenAmount | null;
}

const move = (kind: MovementKind, direction: Movement['direction'], amount: TokenAmount): Movement => ({
  kind,
  direction,
  amount,
});

const UNKNOWN: Movement = { kind: 'UNKNOWN', direction: 'in', amount: null };

/**
 * The movements of an entry, in order. What reaches a position without passing through the wallet, such as shares from
 * another wallet, is received and paid in. Empty for what moves nothing: the end of a stake, an investment of a vault, and
 * stakes of shares, which stay in the same pool. Collateral tokens count as the tokens that they stood for.
 */
export function movementsOf(view: View, entry: ActivityEntry): readonly Movement[] {
  switch (entry.product) {
    case 'VAULT':
      return ofVault(entry);
    case 'LENDING':
      return ofLending(entry);
    case 'FARM':
      return ofFarm(view, entry);
    case 'WITHDRAW_QUEUE':
      return ofQueue(entry);
    case null:
      return [UNKNOWN];
  }
}

function ofVault({ kind, tokens }: VaultEntry): readonly Movement[] {
  if (kind === 'VAULT_INVEST') return [];
  if (tokens === null) return [UNKNOWN];
  switch (kind) {
    case 'VAULT_DEPOSIT':
      return [move('TO_POOL', 'out', tokens)];
    case 'VAULT_WITHDRAWAL':
      return [move('FROM_POOL', 'in', tokens)];
    case 'SHARES_RECEIVED':
      return [move('TRANSFER_IN', 'in', tokens), move('TO_POOL', 'out', tokens)];
    case 'SHARES_SENT':
      return [move('FROM_POOL', 'in', tokens), move('TRANSFER_OUT', 'out', tokens)];
  }
}

function ofLending({ kind, side, liquidity: amount, sent, fee }: LendingEntry): readonly Movement[] {
  if (amount === null) return [UNKNOWN];
  switch (kind) {
    case 'COLLATERAL_DEPOSIT':
      return [...paidByOther(sent, amount), move('TO_POOL', 'out', amount)];
    case 'COLLATERAL_WITHDRAWAL':
      return [move('FROM_POOL', 'in', amount)];
    case 'BORROW':
      return fee === null
        ? [move('LOAN', 'in', amount)]
        : [move('LOAN', 'in', together(amount, fee)), move('FEE', 'out', fee)];
    case 'REPAYMENT':
      return [...paidByOther(sent, amount), move('LOAN_REPAYMENT', 'out', amount)];
    case 'LIQUIDATION':
      return side === 'debt'
        ? [move('LIQUIDATED', 'in', amount), move('LOAN_REPAYMENT', 'out', amount)]
        : [move('FROM_POOL', 'in', amount), move('LIQUIDATED', 'out', amount)];
  }
}

const paidByOther = (sent: TokenAmount | null, amount: TokenAmount): readonly Movement[] =>
  sent === null ? [move('TRANSFER_IN', 'in', amount)] : [];

function ofQueue({ kind, liquidity }: QueueEntry): readonly Movement[] {
  if (liquidity === null) return [UNKNOWN];
  return [kind === 'QUEUE_ENTERED' ? move('TO_POOL', 'out', liquidity) : move('FROM_POOL', 'in', liquidity)];
}

function ofFarm(view: View, { kind, sent, received, reward, mint }: FarmEntry): readonly Movement[] {
  if (kind === 'UNSTAKE') return [];
  const isShares = mint !== null && view.vaultOfShares(mint) !== undefined;
  if (kind !== 'REWARD' && isShares) return [];
  const amount = sent ?? received ?? reward;
  if (amount === null) return [UNKNOWN];
  if (kind === 'REWARD') return [move('REWARD', 'in', amount)];
  return [kind === 'STAKE' ? move('TO_POOL', 'out', amount) : move('FROM_POOL', 'in', amount)];
}

function together(a: TokenAmount, b: TokenAmount): TokenAmount {
  const value = {
    usd: a.usd && b.usd && a.usd.add(b.usd),
    sol: a.sol && b.sol && a.sol.add(b.sol),
  };
  return valuedAmount(a, a.baseUnits.add(b.baseUnits), value);
}

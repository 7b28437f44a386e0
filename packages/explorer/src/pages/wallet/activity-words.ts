import type { ActivityEntry } from './activity-documents.ts';

type Amount = NonNullable<ActivityEntry['sent']>;

/** A sentence about an entry: words, the amount, and words again. */
export interface ActivitySentence {
  readonly before: string;
  readonly amount: Amount | null;
  readonly after: string;
  /** Of the vault; null for other entries, and when it cannot be read. */
  readonly vault: { readonly address: string; readonly name: string } | null;
}

/** @param loanOf name of a loan of the wallet, null for one that is closed */
export function activitySentence(
  entry: ActivityEntry,
  loanOf: (address: string) => string | null,
): ActivitySentence {
  const vault = entry.__typename === 'VaultActivity' ? entry.vault : null;
  const loan = entry.__typename === 'LendingActivity' ? loanOf(entry.obligationAddress) : null;
  const loanWords = loan === null ? 'a loan that is closed' : `the loan ${loan}`;
  const said = (before: string, after = '', amount = amountOf(entry)): ActivitySentence => ({
    before,
    amount,
    after,
    vault,
  });
  switch (entry.kind) {
    case 'BORROW':
      return said('Borrowed', `with ${loanWords}`);
    case 'COLLATERAL_DEPOSIT':
      return said('Added', `to ${loanWords}`);
    case 'COLLATERAL_WITHDRAWAL':
      return said('Took', `out of ${loanWords}`);
    case 'LIQUIDATION':
      return said('A liquidator moved', `in ${loanWords}`);
    case 'REPAYMENT':
      return said('Repaid', `of ${loanWords}`);
    case 'QUEUE_ENTERED':
      return said('Put', 'into a withdraw queue');
    case 'QUEUE_LEFT':
      return said('Took', 'back out of a withdraw queue');
    case 'QUEUE_PAID':
      return said('Received', 'from a withdraw queue');
    case 'QUEUE_RETURNED':
      return said('Got', 'back from a withdraw queue that cannot pay');
    case 'REWARD':
      return said('Received a reward of');
    case 'SHARES_RECEIVED':
      return said('Received shares worth', 'of');
    case 'SHARES_SENT':
      return said('Sent shares worth', 'of');
    case 'STAKE':
      return said('Staked', 'in a farm');
    case 'UNSTAKE':
      return said('Ended a stake of', 'in a farm');
    case 'STAKE_WITHDRAWAL':
      return said('Took', 'back out of a farm');
    case 'VAULT_DEPOSIT':
      return said('Deposited', 'into');
    case 'VAULT_INVEST':
      return said('Paid to move', 'inside');
    case 'VAULT_WITHDRAWAL':
      return said('Withdrew', 'from');
    case 'UNREAD':
      return said('Did something that no node has returned', '', null);
  }
}

function amountOf(entry: ActivityEntry): Amount | null {
  const own =
    entry.__typename === 'VaultActivity'
      ? entry.tokens
      : entry.__typename === 'LendingActivity'
        ? entry.amount
        : entry.__typename === 'WithdrawQueueActivity'
          ? entry.liquidity
          : null;
  return entry.reward ?? entry.sent ?? entry.received ?? own;
}

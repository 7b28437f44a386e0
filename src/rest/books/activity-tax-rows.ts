import type { ActivityEntry } from '../../services/history/activity/activity-entry.ts';
import type { ActivityKind } from '../../services/history/activity/activity-kinds.ts';
import { movementsOf } from '../../services/history/activity/movements.ts';
import type { Session } from '../../services/request/session.ts';
import type { TaxRow } from './tax-formats.ts';

const ACCOUNTS = { VAULT: 'Vaults', LENDING: 'Lending', FARM: 'Farms', WITHDRAW_QUEUE: 'Lending' } as const;

const WORDS: Readonly<Record<ActivityKind, string>> = {
  VAULT_DEPOSIT: 'Deposit to vault',
  VAULT_WITHDRAWAL: 'Withdrawal from vault',
  SHARES_RECEIVED: 'Received shares of vault',
  SHARES_SENT: 'Sent shares of vault',
  VAULT_INVEST: 'Paid for an investment of vault',
  COLLATERAL_DEPOSIT: 'Collateral deposit to market',
  COLLATERAL_WITHDRAWAL: 'Collateral withdrawal from market',
  BORROW: 'Borrow from market',
  REPAYMENT: 'Repayment to market',
  LIQUIDATION: 'Liquidation in market',
  STAKE: 'Stake in farm',
  UNSTAKE: 'End of a stake in farm',
  STAKE_WITHDRAWAL: 'Withdrawal from farm',
  REWARD: 'Reward of farm',
  QUEUE_ENTERED: 'Entered withdraw queue of',
  QUEUE_PAID: 'Paid by withdraw queue of',
  QUEUE_LEFT: 'Left withdraw queue of',
  QUEUE_RETURNED: 'Returned by withdraw queue of',
  UNREAD: 'TRANSACTION NOT READ',
};

/**
 * The movements of an entry. One that is unknown counts as nothing and says so.
 *
 * @param near the time of an entry next to it, for a transaction whose time is unknown
 */
export function taxRows({ view }: Session, entry: ActivityEntry, near: Date): TaxRow[] {
  const { product, createdAt, key, kind } = entry;
  return movementsOf(view, entry).map((movement) => {
    const mint = movement.amount === null ? '' : `, mint ${movement.amount.mint}`;
    const unknown = movement.kind === 'UNKNOWN' ? ', AMOUNT UNKNOWN' : '';
    const time = createdAt === null ? ', TIME APPROXIMATE' : '';
    return {
      ...movement,
      time: createdAt ?? near,
      account: product === null ? 'Unknown' : ACCOUNTS[product],
      description: `${WORDS[kind]}${placeOf(entry)}${mint}${unknown}${time}`,
      signature: key.signature,
    };
  });
}

function placeOf(entry: ActivityEntry): string {
  switch (entry.product) {
    case 'VAULT':
      return ` ${entry.vault}`;
    case 'LENDING':
      return ` ${entry.market}`;
    case 'FARM':
      return ` ${entry.farm}`;
    case 'WITHDRAW_QUEUE':
      return ` ${entry.reserve}`;
    case null:
      return '';
  }
}

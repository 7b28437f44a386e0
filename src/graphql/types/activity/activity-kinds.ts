import type { UnknownPart } from '../../../services/history/activity/activity-entry.ts';
import type { ActivityKind, ActivityProduct } from '../../../services/history/activity/activity-kinds.ts';
import { builder } from '../../builder.ts';

export const ActivityKindRef = builder.enumType('ActivityKind', {
  description: 'Kind of an entry in the activity of a wallet.',
  values: {
    VAULT_DEPOSIT: { description: 'Tokens were deposited to a vault for shares.' },
    VAULT_WITHDRAWAL: { description: 'Shares of a vault were redeemed.' },
    SHARES_RECEIVED: { description: 'Shares of a vault were received from another wallet.' },
    SHARES_SENT: { description: 'Shares of a vault were sent to another wallet, or burnt by their owner.' },
    VAULT_INVEST: {
      description:
        'The wallet paid for moving tokens between a vault and a reserve. Its own position did not change.',
    },
    COLLATERAL_DEPOSIT: { description: 'Collateral was deposited.' },
    COLLATERAL_WITHDRAWAL: { description: 'Collateral was withdrawn.' },
    BORROW: { description: 'Tokens were borrowed.' },
    REPAYMENT: { description: 'Debt was repaid, by the owner or another wallet.' },
    LIQUIDATION: {
      description: 'A liquidator repaid debt and took collateral. Each of the two is a separate entry.',
    },
    STAKE: { description: 'Tokens or shares were staked in a farm.' },
    UNSTAKE: { description: 'A stake ended. Its tokens stay in the farm until they are withdrawn.' },
    STAKE_WITHDRAWAL: { description: 'Unstaked tokens returned from a farm to the wallet.' },
    REWARD: { description: 'A farm paid out a reward.' },
    QUEUE_ENTERED: {
      description: 'Collateral tokens entered the withdraw queue of a reserve, for a ticket.',
    },
    QUEUE_PAID: { description: 'A withdraw queue paid a ticket, in whole or in part.' },
    QUEUE_LEFT: { description: 'The wallet took collateral tokens back out of a ticket.' },
    QUEUE_RETURNED: { description: 'Collateral tokens of a ticket that cannot be paid were returned.' },
    UNREAD: { description: 'A transaction of the wallet that no RPC node has returned.' },
  } as const satisfies Record<ActivityKind, object>,
});

export const ActivityProductRef = builder.enumType('ActivityProduct', {
  description: 'Product of the platform that an entry belongs to.',
  values: {
    VAULT: { description: 'Earn vaults.' },
    LENDING: { description: 'Lending markets.' },
    FARM: { description: 'Farms.' },
    WITHDRAW_QUEUE: { description: 'Withdraw queues of reserves.' },
  } as const satisfies Record<ActivityProduct, object>,
});

export const ActivityUnknownRef = builder.enumType('ActivityUnknown', {
  description: 'A part of an entry that is unknown.',
  values: {
    TRANSACTION: { description: 'Everything but the signature and the slot of the transaction.' },
    TOKEN: { description: 'The token cannot be read, so its amounts are null.' },
    AMOUNT: {
      description:
        'The amount: the transaction does not name it, or no share price is known for the shares that moved.',
    },
    USD: { description: 'The value in USD: no price was recorded at that time.' },
    SOL: { description: 'The value in SOL: no price was recorded at that time.' },
  } as const satisfies Record<UnknownPart, object>,
});

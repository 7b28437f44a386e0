import { choice, words } from './field.ts';
import { readAddress } from './read.ts';
import { type Task, task } from './task.ts';

export const claimRewardsTask: Task = task({
  name: 'Claim rewards',
  about: 'Pays the rewards of all farms in which you or your loans have a stake into your wallet.',
  fields: {},
  actionOf: (wallet) => ({ claimRewards: { wallet } }),
});

const nameReferrerTask: Task = task({
  name: 'Name your referrer',
  about:
    'Registers your wallet with the lending program, and a referrer with it. The referrer then earns a part of what the protocol takes of your debts; you pay no more. It cannot be changed later, and a wallet that is registered already can name nobody.',
  fields: { referrer: words('Wallet of the referrer', readAddress) },
  actionOf: (wallet, { referrer }) => ({ nameReferrer: { wallet, referrer } }),
});

/** Markets as options: address and name. */
export type MarketOptions = readonly (readonly [address: string, name: string])[];

const setUpReferrerTask = (markets: MarketOptions): Task =>
  task({
    name: 'Become a referrer',
    about:
      'Opens an account for your fees in each reserve of a market that lends. You pay their rent once. Others can name you then.',
    fields: { market: choice('Market', markets) },
    actionOf: (wallet, { market }) => ({ setUpReferrer: { wallet, market } }),
  });

export const referrerTasks = (markets: MarketOptions): readonly Task[] => [
  nameReferrerTask,
  ...(markets.length > 0 ? [setUpReferrerTask(markets)] : []),
];

import type { CuratedVault } from './curated-vault.ts';
import { choice, field, optional } from './field.ts';
import { readAmount } from './read.ts';
import { given, type Task, task } from './task.ts';

export const topUpTask = (vault: CuratedVault): Task =>
  task({
    name: 'Pay rewards into the vault',
    about:
      'Gives your tokens to the vault, which releases them to its shareholders each second. Anyone may pay; only the admin can take back what is not released.',
    symbol: vault.token.symbol,
    fields: { amount: field(`Amount in ${vault.token.symbol}`, readAmount(vault.token, false)) },
    actionOf: (wallet, { amount }) => ({ topUpVaultRewards: { wallet, vault: vault.address, amount } }),
  });

export const withdrawFeesTask = (vault: CuratedVault): Task =>
  task({
    name: 'Withdraw fees',
    about: 'Pays the fees that are owed into your wallet: from idle tokens first, then from one reserve.',
    symbol: vault.token.symbol,
    fields: {
      reserve: optional(
        choice('Reserve that pays the rest', [
          ['', 'The one that can pay most'],
          ...vault.reserves.map(({ address, name }) => [address, name] as const),
        ]),
      ),
    },
    actionOf: (wallet, { reserve }) => ({
      withdrawVaultFees: { wallet, vault: vault.address, ...given({ reserve }) },
    }),
  });

export const giveUpFeesTask = (vault: CuratedVault): Task =>
  task({
    name: 'Give up fees',
    about: 'Leaves fees that are owed to the shareholders. You cannot take this back.',
    symbol: vault.token.symbol,
    fields: { amount: field(`At most, in ${vault.token.symbol}, or all`, readAmount(vault.token, true)) },
    actionOf: (wallet, { amount }) => ({ giveUpVaultFees: { wallet, vault: vault.address, amount } }),
  });

export const withdrawRewardsTask = (vault: CuratedVault): Task =>
  task({
    name: 'Take back rewards',
    about: 'Pays rewards that the vault has not released yet into your wallet.',
    symbol: vault.token.symbol,
    fields: { amount: field(`At most, in ${vault.token.symbol}, or all`, readAmount(vault.token, true)) },
    actionOf: (wallet, { amount }) => ({ withdrawVaultRewards: { wallet, vault: vault.address, amount } }),
  });

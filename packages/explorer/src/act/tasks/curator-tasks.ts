import type { CuratedVault } from './curated-vault.ts';
import { addReserveTask, allocationTask, investTask, removalTask } from './curator-allocation-tasks.ts';
import { giveUpFeesTask, topUpTask, withdrawFeesTask, withdrawRewardsTask } from './curator-money-tasks.ts';
import {
  accountsTask,
  feesTask,
  handOverTask,
  idleTask,
  limitsTask,
  listedTask,
  nameTask,
  rewardRateTask,
} from './curator-setting-tasks.ts';
import { type Task, task } from './task.ts';

/** What a wallet may do with a vault, the most usual first. */
export function curatorTasks(vault: CuratedVault, wallet: string): readonly Task[] {
  const { vaultAdminAuthority, pendingAdmin, allocationAdmin } = vault.state;
  const hasReserves = vault.reserves.length > 0;
  const anyone = [...(hasReserves ? [investTask(vault)] : []), topUpTask(vault)];
  if (wallet === vaultAdminAuthority)
    return [
      ...(hasReserves ? [allocationTask(vault), removalTask(vault)] : []),
      addReserveTask(vault),
      ...anyone,
      feesTask(vault),
      limitsTask(vault),
      idleTask(vault),
      nameTask(vault),
      accountsTask(vault),
      listedTask(vault),
      handOverTask(vault),
      withdrawFeesTask(vault),
      giveUpFeesTask(vault),
      rewardRateTask(vault),
      withdrawRewardsTask(vault),
    ];
  return [
    ...(wallet === pendingAdmin ? [takeOverTask(vault)] : []),
    ...(wallet === allocationAdmin && hasReserves ? [allocationTask(vault)] : []),
    ...anyone,
  ];
}

const takeOverTask = (vault: CuratedVault): Task =>
  task({
    name: 'Take the vault over',
    about: 'The present admin has named you. With your signature you become the admin, and it is no longer.',
    symbol: vault.token.symbol,
    fields: {},
    actionOf: (wallet) => ({ acceptVaultAdmin: { wallet, vault: vault.address } }),
  });

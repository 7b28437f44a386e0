import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { closeAccount } from '@sluice/protocol/token/instructions';
import { afterStake } from '../../domain/farm-stake.ts';
import type { Moment } from '../../domain/moment.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { BuiltAction } from '../built-instruction.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { moveTokens } from '../wallet-changes.ts';
import type { VaultAccounts } from './accounts.ts';
import type { VaultEffect } from './effects.ts';
import { putStake } from './farm-changes.ts';
import type { VaultAction, VaultOutcome } from './preview.ts';
import { releaseOf } from './share-release.ts';

/** A deposit or withdrawal, and its effect under the program's rules. */
export interface VaultStep {
  readonly kind: VaultAction;
  readonly action: BuiltAction;
  readonly effect: VaultOutcome;
}

/** The accounts after a vault action: the vault, its reserves, the wallet's tokens, shares and stake. */
export function vaultChanges(
  accounts: VaultAccounts,
  { kind, action, effect }: VaultStep,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { request, vault, token, tokenProgram, isSol } = accounts;
  const { wallet: owner } = request;
  const changes = new ChangedAccounts(read, accounts.payer);
  changeVault(changes, accounts, effect);
  const pays = kind === 'deposit';
  moveTokens(changes, {
    account: token.address,
    key: { owner, mint: vault.tokenMint, tokenProgram },
    opens: isSol || !pays,
    wrapped: isSol && pays ? action.amount : 0n,
    change: pays ? -effect.tokens : effect.tokens,
    closes: action.wrappedSol === 'closed',
  });
  if (pays) receiveShares(changes, accounts, effect, moment);
  else burnShares(changes, accounts, action, effect, moment);
  return changes.changes;
}

/** The vault and its reserves after an action. */
export function changeVault(
  changes: ChangedAccounts,
  { request, vault: before }: Pick<VaultAccounts, 'request' | 'vault'>,
  { vault, reserves }: Pick<VaultEffect, 'vault' | 'reserves'>,
): void {
  const { vaultAllocationStrategy: strategy } = vault;
  changes.patch(request.vault, vaultState, {
    tokenAvailable: vault.tokenAvailable,
    sharesIssued: vault.sharesIssued,
    availableCrankFunds: vault.availableCrankFunds,
    lastFeeChargeTimestamp: vault.lastFeeChargeTimestamp,
    prevAumSf: vault.prevAumSf,
    pendingFeesSf: vault.pendingFeesSf,
    rewardInfo: vault.rewardInfo,
    vaultAllocationStrategy: strategy === before.vaultAllocationStrategy ? undefined : strategy,
  });
  for (const [address, { lastUpdate, liquidity, collateral }] of reserves) {
    changes.patch(address, reserveLayout, { lastUpdate, liquidity, collateral });
  }
}

/** A deposit stakes the new shares, and those that were not staked before, when the vault has a farm. */
function receiveShares(
  changes: ChangedAccounts,
  accounts: VaultAccounts,
  effect: VaultEffect,
  moment: Moment,
): void {
  const { request, vault, shares, farm } = accounts;
  const { wallet: owner } = request;
  changes.openTokens(shares.address, { owner, mint: vault.sharesMint, tokenProgram: TOKEN_PROGRAM });
  if (farm === null) {
    changes.addTokens(shares.address, effect.shares);
    return;
  }
  const unstaked = shares.account?.amount ?? 0n;
  changes.addTokens(shares.address, -unstaked);
  putStake(changes, accounts, farm, (before) => afterStake(before, unstaked + effect.shares), moment);
}

/** The wallet's shares, and its stake, after some were burned. */
export function burnShares(
  changes: ChangedAccounts,
  accounts: VaultAccounts,
  built: BuiltAction,
  { release, shares: burned }: VaultOutcome,
  moment: Moment,
): void {
  const { request, vault, shares } = accounts;
  const { wallet: owner } = request;
  if (release !== null) {
    changes.openTokens(shares.address, { owner, mint: vault.sharesMint, tokenProgram: TOKEN_PROGRAM });
    const { farm } = release;
    putStake(changes, accounts, farm, (before) => releaseOf(farm, before, release).after, moment);
    changes.addTokens(shares.address, release.received);
  }
  changes.addTokens(shares.address, -burned);
  const closesShares = built.instructions.some(
    ({ name, accounts: [closed] }) => name === closeAccount.name && closed?.address === shares.address,
  );
  if (closesShares) changes.close(shares.address, owner);
}

import { placePoint } from '@sluice/protocol/numeric/decimal';
import { afterWithdrawal } from '../../domain/farm-stake.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { VaultAccounts } from './accounts.ts';
import type { ShareRelease } from './share-release.ts';
import { inFarmTime } from './staking.ts';

/** Warnings for shares that a withdrawal, or an unstaking, takes out of the farm. */
export function releaseWarnings({ vault, shares }: VaultAccounts, release: ShareRelease): BuildWarning[] {
  const { farm, before, takesDue, unstakes, penalty, refusal } = release;
  if (unstakes === null) return [];
  const decimals = Number(vault.sharesMintDecimals);
  const inShares = (units: bigint) => placePoint(units, decimals);
  const warnings: BuildWarning[] = [];
  const { withdrawalCooldownPeriod: cooldown } = farm.account;
  if (cooldown > 0) {
    const wait = inFarmTime(farm, cooldown);
    const cooling = before.leaving > 0n && !takesDue;
    const coolingNote = cooling
      ? ' Shares that were unstaked before and are still cooling down wait again as well.'
      : '';
    warnings.push(
      warning(
        'UNSTAKE_COOLDOWN',
        `Unstaked shares can be withdrawn after ${wait}. Then unstake again to receive them, or withdraw from the vault.${coolingNote}`,
      ),
    );
  }
  if (refusal === 'COOLDOWN') {
    const now = (shares.account?.amount ?? 0n) + (takesDue ? afterWithdrawal(before).paid : 0n);
    const message = `Only ${inShares(now)} shares can be withdrawn now; the others are staked, and the farm releases them ${inFarmTime(farm, cooldown)} after they are unstaked. Withdraw no more than that, or unstake first and withdraw later.`;
    warnings.push(warning('STAKE_NOT_ALLOWED', message));
  } else if (refusal === 'LOCKED') {
    const message = 'The farm does not release stakes before the end of their locking period. Wait for it.';
    warnings.push(warning('STAKE_NOT_ALLOWED', message));
  } else if (penalty > 0n) {
    const message = `The farm keeps ${inShares(penalty)} shares because the stake is still locked.`;
    warnings.push(warning('WITHDRAWAL_PENALTY', message));
  }
  return warnings;
}

import { farmUserState } from '@sluice/protocol/farms/addresses';
import { globalConfig } from '@sluice/protocol/farms/global-config';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { U64_MAX, WAD } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { claimAccounts } from '../../../src/builders/claim/accounts.ts';
import { buildClaimRewards } from '../../../src/builders/claim/claim-rewards.ts';
import { claimPreview } from '../../../src/builders/claim/preview.ts';
import { vaultAccounts } from '../../../src/builders/vault/accounts.ts';
import { buildStakeShares } from '../../../src/builders/vault/stake.ts';
import { buildUnstakeShares } from '../../../src/builders/vault/unstake.ts';
import type { BuildWarning } from '../../../src/builders/warnings.ts';
import type { Trigger } from './built-warnings.ts';
import { accountsOf, addressNumber, NOW, SLOT, WALLET } from './lending-accounts.ts';
import { VAULT_FARM, type VaultSetting, vaultChain, vaultRequest } from './vault-accounts.ts';

export function stake(shares: string, setting: VaultSetting, payer?: Address): readonly BuildWarning[] {
  const accounts = vaultAccounts(vaultRequest(), vaultChain({ farm: true, ...setting }), SLOT, payer);
  return buildStakeShares(accounts, { shares: parseDecimal(shares) }, NOW).preview().warnings;
}

function unstake(shares: string, setting: VaultSetting): readonly BuildWarning[] {
  const accounts = vaultAccounts(vaultRequest(), vaultChain({ farm: true, ...setting }), SLOT);
  return buildUnstakeShares(accounts, { shares: parseDecimal(shares) }, NOW).preview().warnings;
}

/** A claim from the vault's farm. */
function claim(setting: VaultSetting): readonly BuildWarning[] {
  const config = addressNumber(29);
  const { farms } = MAINNET_PROGRAMS;
  const read = vaultChain({
    farm: true,
    ...setting,
    farmChange: { globalConfig: config, scopeOraclePriceId: U64_MAX, ...setting.farmChange },
  });
  const settings = accountsOf([{ address: config, owner: farms, data: globalConfig.encode({}) }]);
  const accounts = claimAccounts(
    {
      programs: MAINNET_PROGRAMS,
      wallet: WALLET,
      stakes: [{ user: farmUserState(farms, VAULT_FARM, WALLET).address, farm: VAULT_FARM }],
      named: false,
      lookupTables: [],
    },
    (address) => read(address) ?? settings(address),
    { slot: SLOT, moment: NOW, payer: WALLET },
  );
  return claimPreview(accounts, buildClaimRewards(accounts)).warnings;
}

/** A reward of one base unit for each staked one. */
const reward = (mint: number, minClaimDurationSeconds = 0n) => ({
  token: { mint: addressNumber(mint), decimals: 6n },
  rewardPerShareScaled: WAD,
  minClaimDurationSeconds,
});

export const STAKING_TRIGGERS: readonly Trigger[] = [
  [
    'UNSTAKE_COOLDOWN',
    'an unstaking',
    () => unstake('1', { staked: 10n ** 7n, farmChange: { withdrawalCooldownPeriod: 60 } }),
  ],
  [
    'STAKE_WARM_UP',
    'a stake',
    () => stake('1', { shares: 10n ** 7n, farmChange: { depositWarmupPeriod: 60 } }),
  ],
  [
    'STAKE_NOT_ALLOWED',
    'a stake above the cap of the farm',
    () =>
      stake('1', {
        shares: 10n ** 7n,
        farmChange: { depositCapAmount: 999_999n, scopeOraclePriceId: U64_MAX },
      }),
  ],
  [
    'STAKE_NOT_ALLOWED',
    'an unstaking during the locking period',
    () => unstake('1', { staked: 10n ** 7n, farmChange: { lockingMode: 1n, lockingDuration: 2n ** 40n } }),
  ],
  [
    'REWARD_LEFT_OUT',
    'a reward that may not be claimed yet beside one that may',
    () =>
      claim({
        staked: 10n ** 7n,
        farmChange: { numRewardTokens: 2n, rewardInfos: [reward(30), reward(31, NOW.timestamp + 60n)] },
      }),
  ],
];

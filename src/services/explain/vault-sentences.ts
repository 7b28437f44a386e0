import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { Sentences, Writer } from './writer.ts';

const shares = (w: Writer) => w.tokens('sharesAmount', 'sharesMint', 'all');

/** Instructions of the vault program, in words. */
export const VAULT: Sentences = {
  deposit: (w) => `Deposit up to ${w.tokens('maxAmount', 'tokenMint')} into ${w.the('vaultState')}`,
  buy: (w) => `Buy shares of ${w.the('vaultState')} for up to ${w.tokens('maxAmount', 'tokenMint')}`,
  withdraw: (w) => `Withdraw ${shares(w)} from ${w.the('vaultState')}, using the ${w.the('reserve')}`,
  sell: (w) => `Sell ${shares(w)} of ${w.the('vaultState')}, using the ${w.the('reserve')}`,
  withdrawFromAvailable: (w) => `Withdraw ${shares(w)} from the idle tokens of ${w.the('vaultState')}`,
  redeemInKind: (w) =>
    `Redeem ${shares(w)} of ${w.the('vaultState')} for collateral tokens of the ${w.the('reserve')}`,
  depositWithMinSharesOut: (w) =>
    `Deposit up to ${w.tokens('maxAmount', 'tokenMint')} into ${w.the('vaultState')} for at least ${w.tokens('minSharesOut', 'sharesMint')}`,
  buyWithMinSharesOut: (w) =>
    `Buy at least ${w.tokens('minSharesOut', 'sharesMint')} of ${w.the('vaultState')} for up to ${w.tokens('maxAmount', 'tokenMint')}`,
  investWithMaxAmount: (w) =>
    `Move up to ${w.tokens('maxAmount', 'tokenMint')} between ${w.the('vaultState')} and the ${w.the('reserve')}`,
  initVault: (w) => `Create a vault for ${w.the('baseTokenMint')}`,
  updateReserveAllocation: (w) =>
    `Set the weight of the ${w.the('reserve')} in ${w.the('vaultState')} to ${w.units('weight')} and its cap to ${cap(w)}`,
  removeAllocation: (w) => `Remove the ${w.the('reserve')} from ${w.the('vaultState')}`,
  updateVaultConfig: (w) =>
    `Change the ${VAULT_SETTINGS[Number(w.arg('entry'))] ?? 'settings'} of ${w.the('vaultState')}`,
  withdrawPendingFees: (w) => `Withdraw the fees of ${w.the('vaultState')} to ${w.the('tokenAta')}`,
  giveUpPendingFees: (w) => `Give up fees of ${w.the('vaultState')}`,
  updateAdmin: (w) => `Become the admin of ${w.the('vaultState')}`,
  topupRewards: (w) => `Add ${w.tokens('amount', 'tokenMint')} to the rewards of ${w.the('vaultState')}`,
  withdrawRewards: (w) =>
    `Withdraw ${w.tokens('amount', 'tokenMint')} from the rewards of ${w.the('vaultState')}`,
  addUpdateWhitelistedReserve: (w) =>
    `${w.arg('value') === 0 ? 'Forbid' : 'Allow'} all vaults ${w.arg('update') === 0 ? 'to invest in' : 'to add'} the ${w.the('reserve')}`,
  updateGlobalConfig: () => 'Change the settings of the vault program',
  invest: (w) => `Move tokens between ${w.the('vaultState')} and the ${w.the('reserve')}`,
};

/** The instruction does not name the token of the vault. */
const cap = (w: Writer) => (w.units('cap') === U64_MAX ? 'none' : `${w.units('cap')} base units`);

/** Settings of a vault, by `entry`. */
const VAULT_SETTINGS: readonly string[] = [
  'performance fee',
  'management fee',
  'minimum deposit',
  'minimum withdrawal',
  'minimum investment',
  'minimum delay between investments',
  'crank fee per reserve',
  'pending admin',
  'name',
  'lookup table',
  'farm',
  'allocation admin',
  'weight of idle tokens',
  'cap of idle tokens',
  'flat withdrawal penalty',
  'withdrawal penalty',
  'first-loss capital farm',
  'restriction of allocations to whitelisted reserves',
  'restriction of investments to whitelisted reserves',
  'reward rate',
  'deposit cap',
  'permissioning authority',
];

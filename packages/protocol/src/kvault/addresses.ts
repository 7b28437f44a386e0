import type { Address } from '@solana/kit';
import { derive, seed } from '../layout/pda.ts';

export const vaultTokenVault = (kvault: Address, vault: Address) =>
  derive(kvault, 'token_vault', seed(vault));

export const vaultAuthority = (kvault: Address, vault: Address) => derive(kvault, 'authority', seed(vault));

export const sharesMint = (kvault: Address, vault: Address) => derive(kvault, 'shares', seed(vault));

export const ctokenVault = (kvault: Address, vault: Address, reserve: Address) =>
  derive(kvault, 'ctoken_vault', seed(vault), seed(reserve));

export const reserveWhitelistEntry = (kvault: Address, reserve: Address) =>
  derive(kvault, 'whitelisted_reserves', seed(reserve));

export const vaultGlobalConfigAddress = (kvault: Address) => derive(kvault, 'global_config');

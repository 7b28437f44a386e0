import { vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { updateVaultConfig as layout } from '@sluice/protocol/kvault/curator-instructions';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { vaultState as vaultLayout } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, anchorInstruction, ensure, load, patch } from '../anchor.ts';
import { checkProgram, checkSeeds } from '../anchor-accounts.ts';
import { chargeFees, releaseRewards } from './fees.ts';
import { holdingsOf } from './holdings.ts';
import { refreshReserves } from './lending-calls.ts';
import { loadVault, openBooks, saveBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';
import { flag, VAULT_SETTINGS, WHITELIST_SETTINGS } from './vault-settings.ts';

const { kvault, klend } = MAINNET_PROGRAMS;

/** Sets one setting of a vault, after rewards and fees under the old ones. */
export const updateVaultConfig = anchorInstruction(
  layout,
  38_000,
  ({ invocation, accounts, args, remaining }) => {
    const { signer, globalConfig, vaultState } = accounts;
    const { unixTimestamp } = invocation.clock;
    const start = layout.discriminator.length + layout.args.size;
    const setting = VAULT_SETTINGS[args.entry];
    ensure(
      setting !== undefined && invocation.data.length >= start + args.dataLength,
      ANCHOR_ERRORS.instructionDidNotDeserialize,
    );
    const value = invocation.data.subarray(start, start + args.dataLength);
    const config = load(globalConfig, vaultGlobalConfig, kvault);
    checkSeeds(globalConfig, vaultGlobalConfigAddress(kvault));
    const vault = loadVault(vaultState);
    checkProgram(accounts.klendProgram, klend);

    const isGlobalAdmin = signer.address === config.globalAdmin;
    const isVaultAdmin = signer.address === vault.vaultAdminAuthority;
    let isAllowed = isVaultAdmin || (setting.isShared && isGlobalAdmin);
    if (WHITELIST_SETTINGS.includes(args.entry)) {
      ensure(flag(value) <= 1, VAULT_CODES.invalidBoolLikeValue);
      isAllowed = isGlobalAdmin || (isVaultAdmin && flag(value) === 1);
    }
    ensure(isAllowed, VAULT_CODES.adminAuthorityIncorrect);

    const books = openBooks(vault);
    const reserves = refreshReserves(invocation, books, remaining);
    releaseRewards(books, unixTimestamp);
    const holdings = holdingsOf(invocation, books, reserves);
    chargeFees(books, holdings.totalInvestedSf, unixTimestamp);
    saveBooks(vaultState, books);
    patch(vaultState, vaultLayout, setting.fieldsOf(value, unixTimestamp));
  },
);

import {
  ctokenVault as ctokenVaultAddress,
  reserveWhitelistEntry as whitelistAddress,
} from '@sluice/protocol/kvault/addresses';
import { updateReserveAllocationV2 as layout } from '@sluice/protocol/kvault/curator-instructions';
import { reserveWhitelistEntryAccount } from '@sluice/protocol/kvault/reserve-whitelist-entry';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS, RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, anchorInstruction, type CallOf, ensure, load } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkProgram,
  checkSeeds,
  checkSysvar,
  loadMint,
} from '../anchor-accounts.ts';
import { initTokenAccountIfNeeded } from '../anchor-init.ts';
import { ReserveState } from '../klend/reserve-state.ts';
import { freeSlotOf, patchSlot, slotOf } from './allocation-slots.ts';
import { loadVault } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

type AllocationCall = Pick<CallOf<typeof layout>, 'invocation' | 'accounts' | 'args'>;
type Terms = AllocationCall['args'];

const { kvault } = MAINNET_PROGRAMS;

/** Sets weight and caps of a reserve, and adds it to the strategy if the vault does not use it. */
export const updateReserveAllocationV2 = anchorInstruction(layout, 34_000, (call) => {
  const { accounts, args: terms } = call;
  const { vaultState: account, reserve: reserveAccount, ctokenVault } = accounts;
  const derived = ctokenVaultAddress(kvault, account.address, reserveAccount.address);
  checkAccounts(call, derived);
  const vault = loadVault(account);
  const reserve = ReserveState.load(reserveAccount);
  const index = slotOf(vault, reserveAccount.address);
  checkSigner(vault, accounts.signer.address, index);
  ensure(reserve.data.liquidity.mintPubkey === vault.tokenMint, ANCHOR_ERRORS.requireEqViolated);
  checkWhitelist(vault, index, terms, accounts);

  const settings = {
    targetAllocationWeight: terms.weight,
    tokenAllocationCap: terms.cap,
    ctokenAllocationCap: terms.ctokenAllocationCap,
  };
  if (index >= 0) {
    patchSlot(account, index, settings);
    return;
  }
  const free = freeSlotOf(vault);
  ensure(free >= 0, VAULT_CODES.reserveSpaceExhausted);
  patchSlot(account, free, {
    ...settings,
    reserve: reserveAccount.address,
    ctokenVault: ctokenVault.address,
    ctokenVaultBump: BigInt(derived.bump),
    ctokenAllocation: 0n,
    lastInvestSlot: 0n,
    tokenTargetAllocationSf: 0n,
  });
});

function checkAccounts(
  { invocation, accounts }: AllocationCall,
  derived: ReturnType<typeof ctokenVaultAddress>,
): void {
  const { signer, vaultState, reserveCollateralMint, reserve, ctokenVault, reserveWhitelistEntry } = accounts;
  const vault = loadVault(vaultState);
  loadMint(reserveCollateralMint);
  const { collateral } = ReserveState.load(reserve).data;
  checkSeeds(ctokenVault, derived);
  initTokenAccountIfNeeded(invocation, signer, ctokenVault, {
    mint: reserveCollateralMint.address,
    authority: accounts.baseVaultAuthority.address,
    tokenProgram: TOKEN_PROGRAM,
  });
  if (reserveWhitelistEntry !== null) load(reserveWhitelistEntry, reserveWhitelistEntryAccount, kvault);
  checkProgram(accounts.reserveCollateralTokenProgram, TOKEN_PROGRAM);
  checkProgram(accounts.systemProgram, SYSTEM_PROGRAM);
  checkSysvar(accounts.rent, RENT_SYSVAR);
  checkHasOne(vault.baseVaultAuthority, accounts.baseVaultAuthority);
  checkAddress(reserveCollateralMint, collateral.mintPubkey);
  loadMint(reserveCollateralMint, TOKEN_PROGRAM);
  if (reserveWhitelistEntry !== null)
    checkSeeds(reserveWhitelistEntry, whitelistAddress(kvault, reserve.address));
}

/** The admin may do everything, the admin of the allocations may change those that are there. */
function checkSigner(vault: VaultState, signer: string, index: number): void {
  const mayAdd = signer === vault.vaultAdminAuthority;
  ensure(mayAdd || (index >= 0 && signer === vault.allocationAdmin), VAULT_CODES.wrongAdminOrAllocationAdmin);
}

/** A vault with a whitelist lets weight and cap grow for listed reserves alone. */
function checkWhitelist(
  vault: VaultState,
  index: number,
  { weight, cap }: Terms,
  { reserveWhitelistEntry }: AllocationCall['accounts'],
): void {
  const present = vault.vaultAllocationStrategy[index];
  const grows = weight > (present?.targetAllocationWeight ?? 0n) || cap > (present?.tokenAllocationCap ?? 0n);
  if (!grows || vault.allowAllocationsInWhitelistedReservesOnly !== 1) return;
  ensure(reserveWhitelistEntry !== null, VAULT_CODES.reserveNotWhitelisted);
  const entry = load(reserveWhitelistEntry, reserveWhitelistEntryAccount, kvault);
  ensure(entry.whitelistAddAllocation === 1, VAULT_CODES.reserveNotWhitelisted);
}

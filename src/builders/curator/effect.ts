import type { Reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import type { Instant } from '../../domain/moment.ts';
import type { CollateralRate } from '../../domain/vault-assets.ts';
import { ChangedAccounts } from '../account-changes.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { changed } from '../changed-account.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { changeVault } from '../vault/changes.ts';
import { type OpenedVault, opened, refreshed } from '../vault/effects.ts';
import { moveTokens } from '../wallet-changes.ts';
import type { CuratorAccounts } from './accounts.ts';

/** What an action does to the vault, with the program's rounding. */
export interface CuratorEffect {
  readonly vault: CuratorAccounts['vault'];
  /** The reserves that the action refreshes; empty when it does not look at them. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
  /** Tokens that the wallet receives, or pays when negative; base units. Null when it moves none of its tokens. */
  readonly received: bigint | null;
  /** Lamports that the wallet wraps first; absent for none. */
  readonly wrapped?: bigint;
}

/** The vault after the first steps of most instructions: reserves refreshed, rewards released, fees charged. */
export function openedVault(
  accounts: CuratorAccounts,
  at: Instant,
): OpenedVault & { readonly refreshed: ReadonlyMap<Address, Reserve> } {
  const reserves = refreshed(accounts, at);
  return { ...opened({ vault: accounts.vault, reserves }, at.timestamp), refreshed: reserves };
}

/** The collateral tokens for an amount of liquidity, scaled by 2^60 and rounded down. */
export const collateralForSf = ({ supplySf, minted }: CollateralRate, amountSf: bigint): bigint =>
  minted === 0n ? amountSf : (amountSf * minted * FRACTION_ONE) / supplySf;

/** A reserve after tokens have moved in or out of it, and collateral tokens were minted or burned. */
export function movedReserve(account: Reserve, tokens: bigint, collateral: bigint): Reserve {
  const { liquidity } = account;
  return changed(account, {
    liquidity: changed(liquidity, {
      totalAvailableAmount: atLeastZero(liquidity.totalAvailableAmount + tokens),
    }),
    collateral: changed(account.collateral, {
      mintTotalSupply: atLeastZero(account.collateral.mintTotalSupply + collateral),
    }),
  });
}

/** The accounts after an action: the vault, its reserves and the wallet's tokens. */
export function curatorChanges(
  accounts: CuratorAccounts,
  { vault, reserves, received, wrapped = 0n }: CuratorEffect,
  action: Pick<BuiltAction, 'wrappedSol'>,
  read: ReadAccounts,
): ChangedAccounts {
  const { request, payer, token, tokenProgram, isSol } = accounts;
  const changes = new ChangedAccounts(read, payer);
  changeVault(changes, accounts, { vault, reserves });
  changes.patch(request.vault, vaultState, settingsOf(vault));
  if (received !== null) {
    const pays = received < 0n;
    moveTokens(changes, {
      account: token.address,
      key: { owner: request.wallet, mint: vault.tokenMint, tokenProgram },
      opens: isSol || !pays,
      wrapped,
      change: received,
      closes: action.wrappedSol === 'closed',
    });
  }
  return changes;
}

/** Fields of a vault that only the wallet that runs it changes. */
const settingsOf = (vault: CuratorAccounts['vault']) => ({
  vaultAdminAuthority: vault.vaultAdminAuthority,
  performanceFeeBps: vault.performanceFeeBps,
  managementFeeBps: vault.managementFeeBps,
  minDepositAmount: vault.minDepositAmount,
  minWithdrawAmount: vault.minWithdrawAmount,
  minInvestAmount: vault.minInvestAmount,
  minInvestDelaySlots: vault.minInvestDelaySlots,
  crankFundFeePerReserve: vault.crankFundFeePerReserve,
  pendingAdmin: vault.pendingAdmin,
  name: vault.name,
  vaultLookupTable: vault.vaultLookupTable,
  vaultFarm: vault.vaultFarm,
  allocationAdmin: vault.allocationAdmin,
  unallocatedWeight: vault.unallocatedWeight,
  unallocatedTokensCap: vault.unallocatedTokensCap,
  withdrawalPenaltyLamports: vault.withdrawalPenaltyLamports,
  withdrawalPenaltyBps: vault.withdrawalPenaltyBps,
  firstLossCapitalFarm: vault.firstLossCapitalFarm,
  allowAllocationsInWhitelistedReservesOnly: vault.allowAllocationsInWhitelistedReservesOnly,
  allowInvestInWhitelistedReservesOnly: vault.allowInvestInWhitelistedReservesOnly,
  depositCap: vault.depositCap,
  permissioningAuthority: vault.permissioningAuthority,
});

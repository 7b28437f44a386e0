import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { lendingAccounts } from '../../../src/builders/lending/accounts.ts';
import { buildLending } from '../../../src/builders/lending/action.ts';
import type { LendingAction } from '../../../src/builders/lending/request.ts';
import { walletToken } from '../../../src/builders/read-accounts.ts';
import { vaultAccounts } from '../../../src/builders/vault/accounts.ts';
import { buildVaultEntry, buildVaultExit } from '../../../src/builders/vault/action.ts';
import { leftWarnings, splitExit } from '../../../src/builders/vault/exit-split.ts';
import { buildRedeemInKind } from '../../../src/builders/vault/redeem-in-kind.ts';
import type { BuildWarning, WarningCode } from '../../../src/builders/warnings.ts';
import {
  addressNumber,
  type LendingSetting,
  lendingChain,
  lendingRequest,
  NOW,
  type ReserveSetting,
  reserveAddress,
  SLOT,
} from './lending-accounts.ts';
import { type VaultSetting, vaultChain, vaultRequest } from './vault-accounts.ts';

/** A warning, the situation that causes it, and a build in that situation. */
export type Trigger = readonly [WarningCode, string, () => readonly BuildWarning[]];

export const RICH = [10n ** 12n, 10n ** 12n, 10n ** 12n];

/** 1000 deposited in reserve 1, and 100 owed in reserve 0. */
export const position = (first: ReserveSetting = {}, more: LendingSetting = {}): LendingSetting => ({
  reserves: [first, {}],
  deposits: [[1, 1_000_000_000n]],
  borrows: [[0, 100_000_000n]],
  balances: RICH,
  ...more,
});

export function lend(
  action: LendingAction,
  tokens: string,
  setting: LendingSetting,
  reserve = 0,
): readonly BuildWarning[] {
  const request = lendingRequest(action, { reserve: reserveAddress(reserve) });
  const accounts = lendingAccounts(request, lendingChain(setting), SLOT);
  const amount = tokens === 'all' ? ({ all: true } as const) : { tokens: parseDecimal(tokens) };
  return buildLending(accounts, amount, NOW).preview().warnings;
}

export function enter(tokens: string, setting: VaultSetting, payer?: Address) {
  const accounts = vaultAccounts(vaultRequest(), vaultChain(setting), SLOT, payer);
  return buildVaultEntry(accounts, { tokens: parseDecimal(tokens) }, NOW).preview().warnings;
}

export function leave(shares: string, setting: VaultSetting) {
  const accounts = vaultAccounts(vaultRequest(), vaultChain(setting), SLOT);
  return buildVaultExit(accounts, { shares: parseDecimal(shares) }, NOW).preview().warnings;
}

export function leaveAll(setting: VaultSetting) {
  const accounts = vaultAccounts(vaultRequest(), vaultChain(setting), SLOT);
  return buildVaultExit(accounts, { all: true }, NOW).preview().warnings;
}

/** An exchange of shares for collateral tokens of the first reserve. */
export function redeem(shares: string, setting: VaultSetting) {
  const read = vaultChain(setting);
  const vault = vaultAccounts(vaultRequest(), read, SLOT);
  const accounts = { vault, reserve: reserveAddress(0), collateral: walletToken(read, addressNumber(90)) };
  return buildRedeemInKind(accounts, { shares: parseDecimal(shares) }, NOW).preview().warnings;
}

/** What an exit of all shares leaves when no reserve accepts tickets. */
export function exitWithoutQueue(setting: VaultSetting) {
  const accounts = vaultAccounts(vaultRequest(), vaultChain(setting), SLOT);
  return leftWarnings(accounts, splitExit(accounts, 'all', NOW, () => false).left);
}

/** A debt in reserve 0, base units. */
export const owed = (amount: bigint) => ({
  borrowReserve: reserveAddress(0),
  borrowedAmountSf: amount * FRACTION_ONE,
  cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
});

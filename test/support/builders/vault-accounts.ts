import { farmUserState } from '@sluice/protocol/farms/addresses';
import { farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { WAD } from '@sluice/protocol/numeric/fraction';
import {
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import type { ReadAccounts } from '../../../src/builders/read-accounts.ts';
import type { VaultRequest } from '../../../src/builders/vault/request.ts';
import type { FarmInput, VaultInput } from '../domain/domain-accounts.ts';
import {
  accountsOf,
  addressNumber,
  type GivenAccount,
  NOW,
  type ReserveSetting,
  reserveAccount,
  reserveAddress,
  tableAccount,
  WALLET,
  walletTokenAccount,
} from './lending-accounts.ts';

const { kvault, farms } = MAINNET_PROGRAMS;

export const VAULT = addressNumber(20);
export const VAULT_FARM = addressNumber(21);
export const VAULT_TABLE = addressNumber(22);
export const SHARES_MINT = addressNumber(23);
const TOKEN_MINT = addressNumber(24);

export interface VaultSetting {
  readonly sol?: boolean;
  readonly farm?: boolean;
  readonly farmChange?: FarmInput;
  /** Base units that are idle. */
  readonly idle?: bigint;
  readonly sharesIssued?: bigint;
  /** Collateral tokens in each reserve. */
  readonly invested?: readonly bigint[];
  readonly reserves?: readonly ReserveSetting[];
  /** Of the wallet; undefined: no account. */
  readonly shares?: bigint;
  readonly staked?: bigint;
  readonly balance?: bigint;
  readonly lamports?: bigint;
  readonly penaltyBps?: bigint;
  readonly change?: VaultInput;
  readonly table?: readonly Parameters<typeof tableAccount>[1][number][];
}

/** A vault over the given reserves, and one wallet. */
export function vaultChain(setting: VaultSetting = {}): ReadAccounts {
  const { invested = [500_000_000_000n], idle = 1_000_000n, sharesIssued = 500_000_000_000n } = setting;
  const mint = setting.sol ? WRAPPED_SOL_MINT : TOKEN_MINT;
  const decimals = setting.sol ? 9n : 6n;
  const given: GivenAccount[] = [
    {
      address: WALLET,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      lamports: setting.lamports ?? 10n ** 10n,
    },
    {
      address: VAULT,
      owner: kvault,
      data: vaultState.encode({
        tokenMint: mint,
        tokenMintDecimals: decimals,
        tokenProgram: TOKEN_PROGRAM,
        tokenVault: addressNumber(25),
        baseVaultAuthority: addressNumber(26),
        sharesMint: SHARES_MINT,
        sharesMintDecimals: decimals,
        sharesIssued,
        tokenAvailable: idle,
        lastFeeChargeTimestamp: NOW.timestamp,
        minDepositAmount: 1_000n,
        minWithdrawAmount: 10n,
        vaultAllocationStrategy: invested.map((ctokenAllocation, index) => ({
          reserve: reserveAddress(index),
          ctokenVault: addressNumber(1_000 + index),
          targetAllocationWeight: 100n,
          tokenAllocationCap: 10n ** 15n,
          ctokenAllocation,
        })),
        vaultFarm: setting.farm ? VAULT_FARM : NO_ADDRESS,
        vaultLookupTable: setting.table ? VAULT_TABLE : NO_ADDRESS,
        ...setting.change,
      }),
    },
    {
      address: vaultGlobalConfigAddress(kvault).address,
      owner: kvault,
      data: vaultGlobalConfig.encode({ withdrawalPenaltyBps: setting.penaltyBps ?? 0n }),
    },
    ...invested.map((_, index) => reserveAccount(index, setting.reserves?.[index] ?? {})),
  ];
  if (setting.farm) {
    const data = farmState.encode({
      token: { mint: SHARES_MINT, tokenProgram: TOKEN_PROGRAM },
      farmVault: addressNumber(27),
      farmVaultsAuthority: addressNumber(28),
      ...setting.farmChange,
    });
    given.push({ address: VAULT_FARM, owner: farms, data });
  }
  if (setting.table) given.push(tableAccount(VAULT_TABLE, setting.table));
  if (setting.staked !== undefined) {
    const data = userState.encode({ owner: WALLET, activeStakeScaled: setting.staked * WAD });
    given.push({ address: farmUserState(farms, VAULT_FARM, WALLET).address, owner: farms, data });
  }
  if (setting.shares !== undefined)
    given.push(walletTokenAccount(SHARES_MINT, TOKEN_PROGRAM, setting.shares));
  if (setting.balance !== undefined) given.push(walletTokenAccount(mint, TOKEN_PROGRAM, setting.balance));
  return accountsOf(given);
}

export const vaultRequest = (change: Partial<VaultRequest> = {}): VaultRequest => ({
  programs: MAINNET_PROGRAMS,
  wallet: WALLET,
  vault: VAULT,
  lookupTables: [],
  ...change,
});

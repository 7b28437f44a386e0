import { COLLATERAL_DECIMALS } from '@sluice/protocol/klend/reserve';
import { ctokenVault, reserveWhitelistEntry } from '@sluice/protocol/kvault/addresses';
import type { Address } from '@solana/kit';
import type { Action } from '../action.ts';
import { type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { reserveAt } from '../lending/request.ts';
import { buildAcceptAdmin } from './accept-admin.ts';
import type { CuratorAccounts } from './accounts.ts';
import { buildRemoveAllocation, buildSetAllocation } from './allocation.ts';
import { curatorAction } from './curator-action.ts';
import { buildGiveUpFees, buildWithdrawFees } from './fees.ts';
import { buildInvest } from './invest.ts';
import { refused } from './refusals.ts';
import { buildTopUpRewards, buildWithdrawRewards } from './rewards.ts';
import type { VaultSettings } from './setting-rows.ts';
import { buildSetConfig } from './settings.ts';
import { type CapInput, capUnits, capUnitsAboveZero } from './units.ts';

/** Kinds of action in this folder, with their descriptions. */
export const CURATOR_ACTIONS = {
  CREATE_VAULT: 'Create a vault.',
  SET_VAULT_ALLOCATION: 'Set weight and caps of a reserve of a vault, or add it.',
  REMOVE_VAULT_ALLOCATION: 'Remove a reserve from a vault.',
  INVEST_VAULT: 'Move tokens between a vault and one of its reserves, towards its target.',
  SET_VAULT_CONFIG: 'Change settings of a vault.',
  ACCEPT_VAULT_ADMIN: 'Become the admin of a vault.',
  WITHDRAW_VAULT_FEES: 'Withdraw the fees of a vault.',
  GIVE_UP_VAULT_FEES: 'Leave fees of a vault to its shareholders.',
  TOP_UP_VAULT_REWARDS: 'Add tokens to the rewards of a vault.',
  WITHDRAW_VAULT_REWARDS: 'Withdraw rewards of a vault that are not released yet.',
} as const;

export interface CuratorRequest {
  readonly wallet: Address;
  readonly vault: Address;
}

export interface SetAllocationRequest extends CuratorRequest {
  readonly reserve: Address;
  /** Relative to the weights of the other reserves and of the idle tokens. */
  readonly weight?: bigint;
  /** Whole tokens. */
  readonly cap?: CapInput;
  /** Whole collateral tokens. */
  readonly collateralCap?: CapInput;
}

/** Accounts of a reserve that the vault may not use yet. */
export const placeReads = (known: KnownAccounts, vault: Address, reserve: Address): Address[] => [
  reserve,
  ctokenVault(known.programs.kvault, vault, reserve).address,
  reserveWhitelistEntry(known.programs.kvault, reserve).address,
];

/**
 * Weight and caps of a reserve.
 *
 * @example
 * setAllocationAction(known, { wallet, vault, reserve, weight: 200n, cap: parseDecimal('50000') });
 */
export function setAllocationAction(known: KnownAccounts, request: SetAllocationRequest): Action {
  const { vault, reserve: address, weight, cap, collateralCap } = request;
  if (weight === undefined && cap === undefined && collateralCap === undefined) {
    throw refused('the allocation changes nothing: name a weight or a cap');
  }
  const reads = { named: placeReads(known, vault, address) };
  return curatorAction(known, 'SET_VAULT_ALLOCATION', request, reads, (accounts, read) => {
    const reserve = reserveAt(read, address, known.programs.klend);
    return buildSetAllocation(
      accounts,
      read,
      { address, reserve },
      {
        ...(weight === undefined ? {} : { weight }),
        ...(cap === undefined ? {} : { cap: capUnits(cap, decimalsOf(accounts)) }),
        ...(collateralCap === undefined
          ? {}
          : { collateralCap: capUnitsAboveZero(collateralCap, COLLATERAL_DECIMALS, 'the collateral cap') }),
      },
    );
  });
}

const decimalsOf = ({ vault }: CuratorAccounts): number => Number(vault.tokenMintDecimals);

export interface ReserveOfVaultRequest extends CuratorRequest {
  readonly reserve: Address;
}

/**
 * The removal of a reserve from a vault.
 *
 * @example
 * removeAllocationAction(known, { wallet, vault, reserve });
 */
export function removeAllocationAction(known: KnownAccounts, request: ReserveOfVaultRequest): Action {
  const reads = { named: [request.reserve] };
  return curatorAction(known, 'REMOVE_VAULT_ALLOCATION', request, reads, (accounts, read) => {
    reserveAt(read, request.reserve, known.programs.klend);
    return buildRemoveAllocation(accounts, request.reserve);
  });
}

export interface InvestRequest extends ReserveOfVaultRequest {
  /** By default no limit. */
  readonly maxAmount?: AmountInput;
}

/**
 * An investment of a vault in one of its reserves, or its way out of it.
 *
 * @example
 * investVaultAction(known, { wallet, vault, reserve });
 */
export function investVaultAction(known: KnownAccounts, request: InvestRequest): Action {
  const { vault, reserve: address, maxAmount } = request;
  const reads = { named: placeReads(known, vault, address) };
  return curatorAction(known, 'INVEST_VAULT', request, reads, (accounts, read, moment) => {
    reserveAt(read, address, known.programs.klend);
    const rules = { decimals: decimalsOf(accounts), maxMeansAll: true };
    const most = maxAmount === undefined ? 'all' : toBaseUnits(maxAmount, rules);
    return buildInvest(accounts, read, address, most === 'all' ? null : most, moment);
  });
}

/**
 * A change of settings of a vault.
 *
 * @example
 * setVaultConfigAction(known, { wallet, vault }, { performanceFeeBps: 1_000 });
 */
export function setVaultConfigAction(
  known: KnownAccounts,
  request: CuratorRequest,
  settings: VaultSettings,
): Action {
  return curatorAction(known, 'SET_VAULT_CONFIG', request, {}, (accounts, _, moment) =>
    buildSetConfig(accounts, settings, moment),
  );
}

/**
 * The pending admin of a vault takes it over.
 *
 * @example
 * acceptVaultAdminAction(known, { wallet, vault });
 */
export function acceptVaultAdminAction(known: KnownAccounts, request: CuratorRequest): Action {
  return curatorAction(known, 'ACCEPT_VAULT_ADMIN', request, {}, buildAcceptAdmin);
}

export interface WithdrawFeesRequest extends CuratorRequest, ActionOptions {
  /** By default the one that can pay most. */
  readonly reserve?: Address;
}

/**
 * A payment of the fees of a vault to its admin.
 *
 * @example
 * withdrawVaultFeesAction(known, { wallet, vault });
 */
export function withdrawVaultFeesAction(known: KnownAccounts, request: WithdrawFeesRequest): Action {
  const { reserve } = request;
  const reads = { named: reserve === undefined ? [] : [reserve] };
  return curatorAction(known, 'WITHDRAW_VAULT_FEES', request, reads, (accounts, read, moment) => {
    if (reserve !== undefined) reserveAt(read, reserve, known.programs.klend);
    return buildWithdrawFees(accounts, reserve, moment, request);
  });
}

export interface VaultAmountRequest extends CuratorRequest, ActionOptions {
  readonly amount: AmountInput;
}

const amountIn = (accounts: CuratorAccounts, amount: AmountInput, maxMeansAll: boolean) =>
  toBaseUnits(amount, { decimals: decimalsOf(accounts), maxMeansAll });

/**
 * Fees of a vault that are left to its shareholders.
 *
 * @example
 * giveUpVaultFeesAction(known, { wallet, vault, amount: { all: true } });
 */
export function giveUpVaultFeesAction(known: KnownAccounts, request: VaultAmountRequest): Action {
  return curatorAction(known, 'GIVE_UP_VAULT_FEES', request, {}, (accounts, _, moment) =>
    buildGiveUpFees(accounts, amountIn(accounts, request.amount, true), moment),
  );
}

/**
 * Tokens for the rewards of a vault.
 *
 * @example
 * topUpVaultRewardsAction(known, { wallet, vault, amount: { tokens: parseDecimal('100') } });
 */
export function topUpVaultRewardsAction(known: KnownAccounts, request: VaultAmountRequest): Action {
  return curatorAction(known, 'TOP_UP_VAULT_REWARDS', request, {}, (accounts, _, moment) =>
    buildTopUpRewards(accounts, amountIn(accounts, request.amount, false), moment, request),
  );
}

/**
 * Rewards of a vault that its admin takes back.
 *
 * @example
 * withdrawVaultRewardsAction(known, { wallet, vault, amount: { all: true } });
 */
export function withdrawVaultRewardsAction(known: KnownAccounts, request: VaultAmountRequest): Action {
  return curatorAction(known, 'WITHDRAW_VAULT_REWARDS', request, {}, (accounts, _, moment) =>
    buildWithdrawRewards(accounts, amountIn(accounts, request.amount, true), moment, request),
  );
}

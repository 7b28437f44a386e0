import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { Action } from '../../builders/action.ts';
import type { Amount } from '../../builders/amount.ts';
import type { ActionOptions } from '../../builders/built-instruction.ts';
import { marketAt } from '../../builders/lending/request.ts';
import { enqueueAction } from '../../builders/queue/action.ts';
import { distinct } from '../../builders/read-accounts.ts';
import { type VaultAccounts, vaultAccounts } from '../../builders/vault/accounts.ts';
import {
  expectedVaultReads,
  vaultRedeemInKindAction,
  vaultWithdrawAction,
} from '../../builders/vault/action.ts';
import { type ExitSplit, leftWarnings, splitExit } from '../../builders/vault/exit-split.ts';
import { firstVaultReads, secondVaultReads } from '../../builders/vault/request.ts';
import { type ShareAmountInput, sharesAsked } from '../../builders/vault/share-amount.ts';
import type { BuildWarning } from '../../builders/warnings.ts';
import { toTokens } from '../../domain/arithmetic.ts';
import { issuanceBlock } from '../../domain/withdraw-queue.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { BuildSource } from './build-source.ts';
import { readForBuild } from './reads.ts';

/** An exit from a vault that takes what is there and queues the rest. */
export interface VaultExitRequest extends ActionOptions {
  readonly wallet: Address;
  readonly vault: Address;
  readonly amount: ShareAmountInput;
}

export interface VaultExit {
  readonly actions: readonly Action[];
  /** Beside those of the actions. */
  readonly warnings: readonly BuildWarning[];
}

/**
 * Part of the collateral tokens that is not queued. Their number is known only at execution: the price of a share and that of
 * a collateral token rise at different rates.
 */
const KEPT_BACK = 1_000_000n;

/**
 * The actions of an exit: a withdrawal of what the vault can pay now, then for the rest an exchange for collateral tokens of
 * up to two reserves and their tickets. The accounts are read here to divide the shares, and again to build the actions.
 *
 * @throws BUILD_REFUSED when nothing can be withdrawn or queued
 */
export async function vaultExit(source: BuildSource, request: VaultExitRequest): Promise<VaultExit> {
  const { wallet, vault, amount } = request;
  const { accounts, split } = await readSplit(source, request);
  const { now, queued, left } = split;
  if (now === null && queued.length === 0) {
    throw new SluiceError('BUILD_REFUSED', {
      reason: `vault ${vault} can pay nothing now, and none of its reserves accepts tickets in its withdraw queue`,
    });
  }
  const shareAmount = (shares: Amount): ShareAmountInput =>
    shares === 'all'
      ? { all: true }
      : { shares: toTokens(integer(shares), accounts.vault.sharesMintDecimals) };
  // Without a rest the request is passed on unchanged, so that an amount of tokens is paid exactly.
  const withdrawn = queued.length === 0 && left === 0n ? amount : now === null ? null : shareAmount(now);
  const actions = [
    ...(withdrawn === null ? [] : [vaultWithdrawAction(source, { ...request, amount: withdrawn })]),
    ...queued.flatMap(({ reserve, shares, tokens }) => [
      vaultRedeemInKindAction(source, { wallet, vault, reserve, amount: shareAmount(shares) }),
      enqueueAction(source, {
        wallet,
        market: marketOf(accounts, reserve),
        reserve,
        amount: { baseUnits: tokens - tokens / KEPT_BACK - 1n },
      }),
    ]),
  ];
  return { actions, warnings: leftWarnings(accounts, left) };
}

async function readSplit(
  source: BuildSource,
  { wallet, vault, amount }: VaultExitRequest,
): Promise<{ readonly accounts: VaultAccounts; readonly split: ExitSplit }> {
  const { programs, session } = source;
  const request = { programs, wallet, vault, lookupTables: [] };
  const first = { named: firstVaultReads(request), expected: expectedVaultReads(source, request) };
  return await readForBuild(session, first, ({ read, isRead, slot, moment }) => {
    const needs = (addresses: readonly Address[]) => addresses.filter((address) => !isRead(address));
    const unread = needs(secondVaultReads(request, read));
    if (unread.length > 0) return { needs: unread };
    const accounts = vaultAccounts(request, read, slot);
    const { reserves } = accounts;
    const markets = needs(distinct([...reserves.values()].map(({ lendingMarket }) => lendingMarket)));
    if (markets.length > 0) return { needs: markets };
    const accepts = (address: Address): boolean => {
      const reserve = reserves.get(address);
      if (reserve === undefined) return false;
      const market = marketAt(read, reserve.lendingMarket, programs.klend);
      return issuanceBlock(market, reserve) === null;
    };
    const split = splitExit(accounts, sharesAsked(accounts, amount, moment), moment, accepts);
    return { built: { accounts, split } };
  });
}

function marketOf({ reserves }: VaultAccounts, address: Address): Address {
  const reserve = reserves.get(address);
  if (reserve === undefined) throw new SluiceError('INTERNAL', {});
  return reserve.lendingMarket;
}

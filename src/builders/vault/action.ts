import { COLLATERAL_DECIMALS, type Reserve } from '@sluice/protocol/klend/reserve';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { usedAllocations } from '../../domain/vault.ts';
import { type Action, type Build, once, walletTokenAccount } from '../action.ts';
import { type Amount, type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions, BuiltAction } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { reserveAt } from '../lending/request.ts';
import { walletToken } from '../read-accounts.ts';
import { type VaultAccounts, vaultAccounts } from './accounts.ts';
import { vaultChanges } from './changes.ts';
import { buildVaultDeposit, vaultDepositRules } from './deposit.ts';
import { sharesPaying } from './exit-amount.ts';
import { MIN_SHARES_VERSION, type VaultDepositOptions } from './min-shares.ts';
import { vaultOutcome, vaultPreview, vaultWarnings } from './preview.ts';
import { buildRedeemInKind } from './redeem-in-kind.ts';
import { firstVaultReads, secondVaultReads, type VaultRequest, vaultReads } from './request.ts';
import { type ShareAmountInput, sharesAsked, tokensAsked } from './share-amount.ts';
import { buildStakeShares } from './stake.ts';
import { buildUnstakeShares } from './unstake.ts';
import { buildVaultWithdraw } from './withdraw.ts';

/** Kinds of action in this folder, with their descriptions. */
export const VAULT_ACTIONS = {
  VAULT_DEPOSIT: 'Deposit into a vault.',
  VAULT_WITHDRAW: 'Withdraw from a vault.',
  VAULT_REDEEM_IN_KIND: 'Exchange shares of a vault for collateral tokens of one of its reserves.',
  STAKE_SHARES: "Stake shares in the vault's farm.",
  UNSTAKE_SHARES: "Unstake shares from the vault's farm.",
} as const;

export interface VaultActionRequest<A> extends ActionOptions {
  readonly wallet: Address;
  readonly vault: Address;
  readonly amount: A;
}

/**
 * A deposit into a vault.
 *
 * @example
 * vaultDepositAction(known, { wallet, vault, amount: { all: true }, minShares: { slippageBps: 10 } });
 */
export function vaultDepositAction(
  known: KnownAccounts,
  request: VaultActionRequest<AmountInput> & VaultDepositOptions,
): Action {
  const hasMinShares = known.runsAtLeast('kvault', MIN_SHARES_VERSION);
  return vaultAction(known, 'VAULT_DEPOSIT', request, (accounts, moment) =>
    buildVaultEntry(accounts, request.amount, moment, { ...request, hasMinShares }),
  );
}

/**
 * A withdrawal from a vault.
 *
 * @example
 * vaultWithdrawAction(known, { wallet, vault, amount: { shares: parseDecimal('12.5') } });
 */
export function vaultWithdrawAction(
  known: KnownAccounts,
  request: VaultActionRequest<ShareAmountInput>,
): Action {
  return vaultAction(known, 'VAULT_WITHDRAW', request, (accounts, moment) =>
    buildVaultExit(accounts, request.amount, moment, request),
  );
}

/**
 * Stakes shares of a vault in its farm.
 *
 * @example
 * stakeSharesAction(known, { wallet, vault, amount: { all: true } });
 */
export function stakeSharesAction(
  known: KnownAccounts,
  request: VaultActionRequest<ShareAmountInput>,
): Action {
  return vaultAction(known, 'STAKE_SHARES', request, (accounts, moment) =>
    buildStakeShares(accounts, request.amount, moment),
  );
}

/**
 * Unstakes shares of a vault from its farm.
 *
 * @example
 * unstakeSharesAction(known, { wallet, vault, amount: { all: true } });
 */
export function unstakeSharesAction(
  known: KnownAccounts,
  request: VaultActionRequest<ShareAmountInput>,
): Action {
  return vaultAction(known, 'UNSTAKE_SHARES', request, (accounts, moment) =>
    buildUnstakeShares(accounts, request.amount, moment),
  );
}

export interface VaultRedemptionRequest extends VaultActionRequest<ShareAmountInput> {
  /** The reserve whose collateral tokens are paid. */
  readonly reserve: Address;
}

/**
 * An exchange of shares for collateral tokens of one reserve, for an exit when the reserve has no liquidity.
 *
 * @example
 * vaultRedeemInKindAction(known, { wallet, vault, reserve, amount: { all: true } });
 */
export function vaultRedeemInKindAction(
  known: KnownAccounts,
  { wallet, vault, reserve, amount }: VaultRedemptionRequest,
): Action {
  const request: VaultRequest = { wallet, vault, programs: known.programs, lookupTables: [] };
  const collateralOf = (account: Reserve) =>
    associatedTokenAddress(wallet, TOKEN_PROGRAM, account.collateral.mintPubkey).address;
  const knownReserve = known.reserve(reserve);
  return {
    wallet,
    named: [...firstVaultReads(request), reserve],
    expected: [
      ...expectedVaultReads(known, request),
      ...(knownReserve === undefined ? [] : [collateralOf(knownReserve)]),
    ],
    needed: (read) => [
      ...secondVaultReads(request, read),
      collateralOf(reserveAt(read, reserve, known.programs.klend)),
    ],
    build(read, { slot, moment, payer, fresh }) {
      const accounts = vaultAccounts(request, read, slot, payer);
      const account = reserveAt(read, reserve, known.programs.klend);
      const collateral = walletToken(read, collateralOf(account));
      const built = buildRedeemInKind({ vault: accounts, reserve, collateral }, amount, moment);
      const { shares, vault: state } = accounts;
      return {
        kind: 'VAULT_REDEEM_IN_KIND',
        action: built.action,
        tables: accounts.tables,
        walletTokens: [
          walletTokenAccount(collateral, account.collateral.mintPubkey, BigInt(COLLATERAL_DECIMALS)),
          walletTokenAccount(shares, state.sharesMint, state.sharesMintDecimals),
        ],
        preview: once(() => built.preview()),
        after: once(() => built.after(read)),
        fresh: built.fresh(fresh),
        about: { account: vault, pool: vault, side: 'shares' },
      };
    },
  };
}

/** An action on the accounts of a vault. */
function vaultAction(
  known: KnownAccounts,
  kind: Exclude<keyof typeof VAULT_ACTIONS, 'VAULT_REDEEM_IN_KIND'>,
  { wallet, vault }: Pick<VaultRequest, 'wallet' | 'vault'>,
  build: (accounts: VaultAccounts, moment: Moment) => Build,
): Action {
  const request: VaultRequest = {
    wallet,
    vault,
    programs: known.programs,
    lookupTables: [],
    withQueues: kind === 'VAULT_WITHDRAW',
  };
  return {
    wallet,
    named: firstVaultReads(request),
    expected: expectedVaultReads(known, request),
    needed: (read) => secondVaultReads(request, read),
    build(read, { slot, moment, payer, fresh }) {
      const accounts = vaultAccounts(request, read, slot, payer);
      const built = build(accounts, moment);
      const { token, shares, vault: state } = accounts;
      return {
        kind,
        action: built.action,
        tables: accounts.tables,
        walletTokens: [
          walletTokenAccount(token, state.tokenMint, state.tokenMintDecimals),
          walletTokenAccount(shares, state.sharesMint, state.sharesMintDecimals),
        ],
        preview: once(() => built.preview()),
        after: once(() => built.after(read)),
        fresh: built.fresh(fresh),
        about: { account: vault, pool: vault, side: 'shares' },
      };
    },
  };
}

/** Accounts that a vault action will probably need: those that the known copy of the vault refers to. */
export function expectedVaultReads(known: KnownAccounts, request: VaultRequest): Address[] {
  const state = known.vault(request.vault);
  if (state === undefined) return [];
  const reserves = usedAllocations(state).flatMap(({ reserve }) => known.reserve(reserve) ?? []);
  return vaultReads(request, state, reserves);
}

/**
 * Builds a vault deposit from its accounts.
 *
 * @example
 * const { action, preview } = buildVaultEntry(vaultAccounts(request, read, slot), { tokens: ONE }, moment);
 */
export function buildVaultEntry(
  accounts: VaultAccounts,
  amount: AmountInput,
  moment: Moment,
  options: VaultDepositOptions = {},
): Build {
  const asked = toBaseUnits(amount, vaultDepositRules(accounts));
  const action = buildVaultDeposit(accounts, asked, moment, options);
  return withVaultPreview(accounts, 'deposit', action, moment);
}

/**
 * Builds a vault withdrawal from its accounts.
 *
 * @example
 * const { action, preview } = buildVaultExit(vaultAccounts(request, read, slot), { all: true }, moment);
 */
export function buildVaultExit(
  accounts: VaultAccounts,
  amount: ShareAmountInput,
  moment: Moment,
  options: ActionOptions = {},
): Build {
  const tokens = 'tokens' in amount ? tokensAsked(accounts, amount) : null;
  const asked =
    tokens === null || tokens === 'all'
      ? sharesAsked(accounts, amount, moment)
      : sharesPaying(accounts, tokens, moment);
  const action = buildVaultWithdraw(accounts, asked, moment, options);
  return withVaultPreview(accounts, 'withdraw', action, moment, tokens);
}

function withVaultPreview(
  accounts: VaultAccounts,
  kind: 'deposit' | 'withdraw',
  action: BuiltAction,
  moment: Moment,
  tokens: Amount | null = null,
): Build {
  const effect = once(() => vaultOutcome(accounts, kind, action, moment));
  return {
    action,
    preview() {
      const warnings = vaultWarnings(accounts, action, effect(), moment, tokens);
      return vaultPreview(accounts, kind, effect(), moment, warnings);
    },
    after: (read) => vaultChanges(accounts, { kind, action, effect: effect() }, moment, read),
    // A deposit only refreshes reserves, without their prices. A withdrawal may change any of them.
    fresh: (before) =>
      kind === 'deposit' ? before : new Set([...before].filter((address) => !accounts.reserves.has(address))),
  };
}

import type { Address } from '@solana/kit';
import {
  type Build,
  buildLending,
  buildVaultEntry,
  buildVaultExit,
  type ShareAmountInput,
} from '../builders/actions.ts';
import type { AmountInput } from '../builders/amount.ts';
import type { ComputeOptions } from '../builders/compute-budget.ts';
import { type LendingAccounts, lendingAccounts } from '../builders/lending-accounts.ts';
import {
  firstLendingReads,
  type LendingAction,
  priceFeedOf,
  secondLendingReads,
} from '../builders/lending-request.ts';
import type { UsableTable } from '../builders/lookup-tables.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../builders/obligation-choice.ts';
import type { Preview } from '../builders/preview.ts';
import { distinct } from '../builders/read-accounts.ts';
import { type VaultAccounts, vaultAccounts } from '../builders/vault-accounts.ts';
import { firstVaultReads, secondVaultReads } from '../builders/vault-request.ts';
import { refuseOnError } from '../builders/warnings.ts';
import { readForBuild } from './build-reads.ts';
import { expectedLendingReads, expectedVaultReads, rememberLendingReads } from './expected-reads.ts';
import type { Session } from './records.ts';
import { Valuation } from './valuation.ts';

/** Options of a build. */
export interface BuildOptions extends ComputeOptions {
  /** Throw instead of warning when the program would reject the action. */
  readonly strict?: boolean;
  readonly unwrapSol?: boolean;
  /** Candidate lookup tables besides the known ones. */
  readonly lookupTables?: readonly Address[];
}

export interface LendingBuildRequest {
  readonly action: LendingAction;
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly amount: AmountInput;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
  readonly options?: BuildOptions;
}

export interface VaultBuildRequest<Amount> {
  readonly wallet: Address;
  readonly vault: Address;
  readonly amount: Amount;
  readonly options?: BuildOptions;
}

/** A finished build, with the inputs for transactions, preview and simulation. */
export interface PreparedBuild {
  readonly build: Build;
  /** Computed on first call. */
  readonly preview: () => Preview;
  readonly wallet: Address;
  readonly tables: readonly UsableTable[];
  readonly options: BuildOptions;
  /** Token accounts of the wallet that the action affects, for balance changes. */
  readonly walletTokens: readonly WalletTokenAccount[];
  /** Lamports of the wallet before the action. */
  readonly walletLamports: bigint;
}

export interface WalletTokenAccount {
  readonly address: Address;
  readonly mint: Address;
  readonly decimals: number;
  /** Base units before the action; 0 when there is no account yet. */
  readonly before: bigint;
}

/** The market's lookup table is not stored on chain; it comes from the catalogue. */
function tablesFor({ view }: Session, market: Address | null, options: BuildOptions): Address[] {
  const table = market === null ? null : Valuation.of(view).catalogue.markets.get(market)?.lookupTable;
  return [...(table ? [table] : []), ...(options.lookupTables ?? [])];
}

export async function prepareLending(session: Session, request: LendingBuildRequest): Promise<PreparedBuild> {
  const { options = {}, obligation = DEFAULT_OBLIGATION, amount, ...what } = request;
  const lookupTables = tablesFor(session, what.market, options);
  // One or two accounts: reserves of a market share their oracle.
  const oracles = distinct(session.view.reservesOfMarket(what.market).map(({ value }) => priceFeedOf(value)));
  const lending = { ...what, obligation, lookupTables, oracles, programs: session.programs };
  const { read, slot, moment } = await readForBuild(session, {
    named: firstLendingReads(lending),
    expected: expectedLendingReads(session, lending),
    needed: (so) => secondLendingReads(lending, so),
  });
  const accounts = lendingAccounts(lending, read, slot);
  rememberLendingReads(accounts);
  const build = buildLending(accounts, amount, moment, options);
  return prepared(build, request.wallet, options, accounts, [
    walletToken(
      accounts.token,
      accounts.reserve.liquidity.mintPubkey,
      accounts.reserve.liquidity.mintDecimals,
    ),
  ]);
}

export async function prepareVaultDeposit(
  session: Session,
  request: VaultBuildRequest<AmountInput>,
): Promise<PreparedBuild> {
  const { accounts, moment, options } = await readVault(session, request);
  const build = buildVaultEntry(accounts, request.amount, moment, options);
  return prepared(build, request.wallet, options, accounts, vaultTokens(accounts));
}

export async function prepareVaultWithdraw(
  session: Session,
  request: VaultBuildRequest<ShareAmountInput>,
): Promise<PreparedBuild> {
  const { accounts, moment, options } = await readVault(session, request);
  const build = buildVaultExit(accounts, request.amount, moment, options);
  return prepared(build, request.wallet, options, accounts, vaultTokens(accounts));
}

async function readVault(session: Session, { wallet, vault, options = {} }: VaultBuildRequest<unknown>) {
  const request = {
    wallet,
    vault,
    programs: session.programs,
    lookupTables: tablesFor(session, null, options),
  };
  const { read, slot, moment } = await readForBuild(session, {
    named: firstVaultReads(request),
    expected: expectedVaultReads(session, request),
    needed: (so) => secondVaultReads(request, so),
  });
  return { accounts: vaultAccounts(request, read, slot), moment, options };
}

function vaultTokens({ token, shares, vault }: VaultAccounts): WalletTokenAccount[] {
  return [
    walletToken(token, vault.tokenMint, vault.tokenMintDecimals),
    walletToken(shares, vault.sharesMint, vault.sharesMintDecimals),
  ];
}

function walletToken(
  { address, account }: LendingAccounts['token'],
  mint: Address,
  decimals: bigint,
): WalletTokenAccount {
  return { address, mint, decimals: Number(decimals), before: account?.amount ?? 0n };
}

function prepared(
  build: Build,
  wallet: Address,
  options: BuildOptions,
  { tables, walletLamports }: LendingAccounts | VaultAccounts,
  walletTokens: readonly WalletTokenAccount[],
): PreparedBuild {
  let known: Preview | undefined;
  const preview = () => {
    known ??= build.preview();
    return known;
  };
  if (options.strict === true) refuseOnError(preview().warnings);
  return { build, preview, wallet, tables, options, walletTokens, walletLamports: walletLamports ?? 0n };
}

/** Input types of a build, for GraphQL and REST. */
export type { ShareAmountInput } from '../builders/actions.ts';
export type { AmountInput } from '../builders/amount.ts';
export { type ObligationChoice, obligationKey } from '../builders/obligation-choice.ts';

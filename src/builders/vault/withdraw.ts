import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { vaultWithdraw, vaultWithdrawFromAvailable } from '@sluice/protocol/kvault/instructions';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { ceilDivide } from '@sluice/protocol/numeric/integer';
import { integer } from '@sluice/protocol/numeric/rational';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Instant, Moment } from '../../domain/moment.ts';
import { usedAllocations } from '../../domain/vault.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Amount, AmountRules } from '../amount.ts';
import {
  type ActionOptions,
  type BuiltAction,
  type BuiltInstruction,
  instruction,
} from '../built-instruction.ts';
import { closesWrappedSol, closeTokenAccount, createTokenAccount, unwrapSol } from '../token-instructions.ts';
import { type VaultAccounts, vaultRemainingAccounts } from './accounts.ts';
import { vaultAumSf } from './effects.ts';
import { type Exit, type ExitPart, holdingsAt, planExit } from './exit.ts';
import {
  noShares,
  releaseForWithdrawal,
  releaseInstructions,
  type ShareRelease,
  stakeOf,
} from './share-release.ts';

/** Amounts of a withdrawal are in shares. */
export function vaultWithdrawRules({ vault }: VaultAccounts): AmountRules {
  return { decimals: Number(vault.sharesMintDecimals), maxMeansAll: true };
}

/** The wallet's shares, base units. */
export function walletShares({ shares, farm }: VaultAccounts): {
  unstaked: bigint;
  staked: bigint;
  total: bigint;
} {
  const unstaked = shares.account?.amount ?? 0n;
  const staked = farm?.staked ?? 0n;
  return { unstaked, staked, total: unstaked + staked };
}

/** The smallest number of shares worth at least `tokens` (base units) before the withdrawal penalty. */
export function sharesForTokens(accounts: VaultAccounts, tokens: bigint, at: Instant): bigint {
  const aumSf = vaultAumSf(accounts, at);
  if (aumSf === 0n)
    throw new SluiceError('BUILD_REFUSED', { reason: 'the vault is empty; its shares have no value' });
  const shares = ceilDivide(tokens * FRACTION_ONE * accounts.vault.sharesIssued, aumSf);
  if (shares > U64_MAX) {
    const decimals = Number(accounts.vault.tokenMintDecimals);
    throw new SluiceError('DECIMAL_TO_LAMPORTS_OVERFLOW', { amount: placePoint(tokens, decimals), decimals });
  }
  if (shares === 0n) throw new SluiceError('BUILD_REFUSED', { reason: 'the vault has issued no shares' });
  return shares;
}

/** A withdrawal: its instructions, with the shares that each of them names, and what leaves the farm before them. */
export interface PlannedExit extends Exit {
  readonly release: ShareRelease | null;
  /** Base units of shares in the wallet when the instructions run. */
  readonly held: bigint;
}

export function exitParts(accounts: VaultAccounts, asked: Amount, moment: Moment): PlannedExit {
  const release = releaseForWithdrawal(accounts, asked, moment);
  const total = walletShares(accounts).unstaked + (release?.received ?? 0n);
  const all = asked === 'all';
  if (all && total === 0n) throw noShares(accounts, stakeOf(accounts, moment));
  const wanted = all ? total : asked;
  const available = total > 0n ? total : accounts.vault.sharesIssued;
  const planned = wanted < available ? wanted : available;
  const { parts, covered } = planExit(accounts, holdingsAt(accounts, moment), planned);
  const last = parts.length - 1;
  // Only the last part may sweep: the program charges its penalty on every share named by an instruction.
  const sharesOf = ({ shares }: ExitPart, index: number) =>
    index < last ? shares : all ? U64_MAX : shares + (wanted - planned);
  const named = parts.map((part, index) => ({ ...part, shares: sharesOf(part, index) }));
  return { parts: named, covered, release, held: total };
}

/**
 * Redeems shares for tokens. Takes shares out of the farm first when those in the wallet do not suffice. A request for
 * more shares than the wallet has is encoded unchanged, never turned into "all"; "all" sweeps the remaining shares at
 * execution.
 *
 * @example
 * buildVaultWithdraw(vaultAccounts(request, read, slot), 'all', moment);
 */
export function buildVaultWithdraw(
  accounts: VaultAccounts,
  asked: Amount,
  moment: Moment,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { request, payer, vault, token, shares, tokenProgram, symbol, isSol } = accounts;
  const { wallet } = request;
  const all = asked === 'all';
  const exit = exitParts(accounts, asked, moment);
  const closes = isSol && closesWrappedSol('in', token, unwrap);
  return {
    amount: all ? exit.held : asked,
    all,
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      ...releasing(accounts, exit.release),
      createTokenAccount({ wallet, payer }, token.address, vault.tokenMint, tokenProgram, symbol),
      ...exit.parts.map((part) => withdrawal(accounts, part)),
      ...(closes ? [unwrapSol(wallet, token.address)] : []),
      ...(all && exit.covered && burnsAllShares(accounts, exit, moment)
        ? [closeTokenAccount(wallet, shares.address, 'Close the empty share account and return its rent')]
        : []),
    ],
  };
}

/**
 * Closing an account that still holds shares would fail the transaction. Several reserves may leave a rounding unit, and so
 * does a share that is worth less than a base unit of the token: the program burns only the shares that it pays for.
 */
function burnsAllShares(accounts: VaultAccounts, { parts }: Exit, at: Instant): boolean {
  const { aum } = holdingsAt(accounts, at);
  return parts.length === 1 && aum.compare(integer(accounts.vault.sharesIssued)) >= 0;
}

/** Shares that a withdrawal needs from the farm come into the wallet first. */
export function releasing(accounts: VaultAccounts, release: ShareRelease | null): BuiltInstruction[] {
  if (release === null) return [];
  const { request, payer, vault, shares } = accounts;
  const opening = { wallet: request.wallet, payer };
  return [
    createTokenAccount(opening, shares.address, vault.sharesMint, TOKEN_PROGRAM, 'the vault shares'),
    ...releaseInstructions(accounts, release),
  ];
}

function withdrawal(accounts: VaultAccounts, { reserve, shares: sharesAmount }: ExitPart): BuiltInstruction {
  const { request, vault, token, shares, tokenProgram } = accounts;
  const { programs, wallet } = request;
  const words =
    sharesAmount === U64_MAX ? 'all remaining' : placePoint(sharesAmount, Number(vault.sharesMintDecimals));
  const fromAvailable = {
    user: wallet,
    vaultState: request.vault,
    globalConfig: accounts.globalConfigAddress,
    tokenVault: vault.tokenVault,
    baseVaultAuthority: vault.baseVaultAuthority,
    userTokenAta: token.address,
    tokenMint: vault.tokenMint,
    userSharesAta: shares.address,
    sharesMint: vault.sharesMint,
    tokenProgram,
    sharesTokenProgram: TOKEN_PROGRAM,
    klendProgram: programs.klend,
    eventAuthority: accounts.eventAuthority,
    program: programs.kvault,
  };
  const remaining = vaultRemainingAccounts(accounts);
  const account = reserve === null ? undefined : accounts.reserves.get(reserve);
  const allocation = usedAllocations(vault).find((each) => each.reserve === reserve);
  if (reserve === null || account === undefined || allocation === undefined) {
    const summary = `Withdraw ${words} shares from the vault's idle tokens`;
    return instruction(
      vaultWithdrawFromAvailable,
      programs.kvault,
      fromAvailable,
      { sharesAmount },
      { summary, remaining },
    );
  }
  return instruction(
    vaultWithdraw,
    programs.kvault,
    {
      ...fromAvailable,
      reserveVaultState: request.vault,
      reserve,
      ctokenVault: allocation.ctokenVault,
      lendingMarket: account.lendingMarket,
      lendingMarketAuthority: marketAuthority(programs.klend, account.lendingMarket).address,
      reserveLiquiditySupply: account.liquidity.supplyVault,
      reserveCollateralMint: account.collateral.mintPubkey,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      outerEventAuthority: accounts.eventAuthority,
      outerProgram: programs.kvault,
    },
    { sharesAmount },
    { summary: `Withdraw ${words} shares from the vault, using reserve ${reserve}`, remaining },
  );
}

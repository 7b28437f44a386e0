import { usedAllocations } from '../../domain/vault.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { placePoint } from '../../numeric/decimal.ts';
import { U64_MAX } from '../../numeric/fraction.ts';
import { atLeastZero, lesser } from '../../numeric/integer.ts';
import { integer, Rational } from '../../numeric/rational.ts';
import { marketAuthority } from '../../programs/klend/addresses.ts';
import { vaultWithdraw, vaultWithdrawFromAvailable } from '../../programs/kvault/instructions.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../programs/program-ids.ts';
import type { Amount, AmountRules } from '../amount.ts';
import {
  type ActionOptions,
  type BuiltAction,
  type BuiltInstruction,
  instruction,
} from '../built-instruction.ts';
import { closesWrappedSol, closeTokenAccount, createTokenAccount, unwrapSol } from '../token-instructions.ts';
import { type VaultAccounts, vaultReserveAccounts } from './accounts.ts';
import { type Exit, type ExitPart, holdingsAt, planExit } from './exit.ts';
import { unstakeShares } from './staking.ts';

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
export function sharesForTokens(accounts: VaultAccounts, tokens: bigint, slot: bigint): bigint {
  const { aum } = holdingsAt(accounts, slot);
  if (aum.isZero)
    throw new SluiceError('BUILD_REFUSED', { reason: 'the vault is empty; its shares have no value' });
  const shares = Rational.of(tokens * accounts.vault.sharesIssued * aum.d, aum.n).ceil();
  if (shares > U64_MAX) {
    const decimals = Number(accounts.vault.tokenMintDecimals);
    throw new SluiceError('DECIMAL_TO_LAMPORTS_OVERFLOW', { amount: placePoint(tokens, decimals), decimals });
  }
  if (shares === 0n) throw new SluiceError('BUILD_REFUSED', { reason: 'the vault has issued no shares' });
  return shares;
}

/** The instructions of a withdrawal, with the shares that each of them names. */
export function exitParts(accounts: VaultAccounts, asked: Amount, slot: bigint): Exit {
  const { total } = walletShares(accounts);
  const all = asked === 'all';
  const wanted = all ? total : asked;
  const available = total > 0n ? total : accounts.vault.sharesIssued;
  const planned = wanted < available ? wanted : available;
  const { parts, covered } = planExit(accounts, holdingsAt(accounts, slot), planned);
  const last = parts.length - 1;
  // Only the last part may sweep: the program charges its penalty on every share named by an instruction.
  const named = ({ shares }: ExitPart, index: number) =>
    index < last ? shares : all ? U64_MAX : shares + (wanted - planned);
  return { parts: parts.map((part, index) => ({ ...part, shares: named(part, index) })), covered };
}

/**
 * Redeems shares for tokens. Unstakes first when the unstaked shares do not suffice. A request for more shares than the
 * wallet has is encoded unchanged, never turned into "all"; "all" sweeps the remaining shares at execution.
 */
export function buildVaultWithdraw(
  accounts: VaultAccounts,
  asked: Amount,
  slot: bigint,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { request, payer, vault, token, shares, tokenProgram, symbol, isSol } = accounts;
  const { wallet } = request;
  const held = walletShares(accounts);
  const all = asked === 'all';
  if (all && held.total === 0n) {
    throw new SluiceError('KVAULT_POSITION_NOT_FOUND', { vault: request.vault, wallet });
  }
  const wanted = all ? held.total : asked;
  const exit = exitParts(accounts, asked, slot);
  const closes = isSol && closesWrappedSol('in', token, unwrap);
  return {
    amount: wanted,
    all,
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      ...unstaking(accounts, asked),
      createTokenAccount({ wallet, payer }, token.address, vault.tokenMint, tokenProgram, symbol),
      ...exit.parts.map((part) => withdrawal(accounts, part)),
      ...(closes ? [unwrapSol(wallet, token.address)] : []),
      ...(all && exit.covered && burnsAllShares(accounts, exit, slot)
        ? [closeTokenAccount(wallet, shares.address, 'Close the empty share account and return its rent')]
        : []),
    ],
  };
}

/**
 * Closing an account that still holds shares would fail the transaction. Several reserves may leave a rounding unit, and so
 * does a share that is worth less than a base unit of the token: the program burns only the shares that it pays for.
 */
function burnsAllShares(accounts: VaultAccounts, { parts }: Exit, slot: bigint): boolean {
  const { aum } = holdingsAt(accounts, slot);
  return parts.length === 1 && aum.compare(integer(accounts.vault.sharesIssued)) >= 0;
}

/** The shares that a withdrawal takes out of the farm first, base units: those that the unstaked ones do not cover. */
export function sharesToUnstake(accounts: VaultAccounts, asked: Amount): bigint {
  const { unstaked, staked } = walletShares(accounts);
  return asked === 'all' ? staked : lesser(atLeastZero(asked - unstaked), staked);
}

function unstaking(accounts: VaultAccounts, asked: Amount): BuiltInstruction[] {
  const { request, payer, vault, shares, farm } = accounts;
  const { wallet } = request;
  const shortfall = sharesToUnstake(accounts, asked);
  if (farm === null || shortfall === 0n) return [];
  return [
    createTokenAccount(
      { wallet, payer },
      shares.address,
      vault.sharesMint,
      TOKEN_PROGRAM,
      'the vault shares',
    ),
    ...unstakeShares(accounts, farm, asked === 'all' ? 'all' : shortfall),
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
  const remaining = vaultReserveAccounts(accounts);
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

import { placePoint } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { actualApy } from '../../domain/apy.ts';
import { toTokens } from '../../domain/arithmetic.ts';
import type { Moment } from '../../domain/moment.ts';
import { sharesToTokens, vaultUtilization, withdrawableNow } from '../../domain/vault.ts';
import type { DepositTerms } from '../../domain/vault-deposit.ts';
import { withdrawalPenalty } from '../../domain/vault-fees.ts';
import type { Amount } from '../amount.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { permissionWarnings } from '../permission.ts';
import { change, NO_FIGURES, type Preview, type PreviewFee } from '../preview.ts';
import { wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { permissioningAuthority, type VaultAccounts } from './accounts.ts';
import { depositWarnings } from './deposit-warnings.ts';
import { type VaultEffect, vaultDepositEffect, vaultWithdrawEffect } from './effects.ts';
import { holdingsAt } from './exit.ts';
import { roundingWarnings } from './exit-amount.ts';
import { releaseWarnings } from './release-warnings.ts';
import { type ShareRelease, stakedUnits } from './share-release.ts';
import { exitParts, walletShares } from './withdraw.ts';

export type VaultAction = 'deposit' | 'withdraw';

/** The result of the action under the program's rules, even if the program would reject it. */
export function vaultOutcome(
  accounts: VaultAccounts,
  action: VaultAction,
  { amount, all, minShares }: BuiltAction,
  moment: Moment,
): VaultOutcome {
  if (action === 'deposit') {
    return { ...vaultDepositEffect(accounts, amount, moment, minShares), release: null };
  }
  const { parts, held, release } = exitParts(accounts, all ? 'all' : amount, moment);
  return { ...vaultWithdrawEffect(accounts, parts, held, moment), release, terms: null };
}

/** The effect of an action, and what it takes out of the farm first. */
export interface VaultOutcome extends VaultEffect {
  readonly release: ShareRelease | null;
  /** Terms of a deposit; null for a withdrawal. */
  readonly terms: DepositTerms | null;
}

/** The vault and the wallet's shares before or after an action. */
interface VaultSide {
  readonly accounts: VaultAccounts;
  readonly shares: bigint;
}

/** Values before and after the action. */
export function vaultPreview(
  accounts: VaultAccounts,
  action: VaultAction,
  effect: VaultOutcome,
  moment: Moment,
  warnings: readonly BuildWarning[],
): Preview {
  const { unstaked, staked, total } = walletShares(accounts);
  const { release } = effect;
  const { vault } = accounts;
  const before: VaultSide = { accounts, shares: total };
  const after: VaultSide = {
    accounts: { ...accounts, vault: effect.vault, reserves: effect.reserves },
    shares:
      action === 'deposit'
        ? total + effect.shares
        : unstaked +
          (release?.received ?? 0n) -
          effect.shares +
          (release ? stakedUnits(release.after) : staked),
  };
  const figure = (value: (side: VaultSide) => Rational) => change(before, after, value);
  return {
    ...NO_FIGURES,
    supplyApy: figure(({ accounts: side }) => actualApy(side.vault, holdingsAt(side, moment), moment).net),
    utilization: figure(({ accounts: side }) => vaultUtilization(holdingsAt(side, moment))),
    shares: figure(({ shares }) => toTokens(integer(shares), vault.sharesMintDecimals)),
    tokens: figure(({ accounts: side, shares }) =>
      toTokens(
        sharesToTokens(side.vault, holdingsAt(side, moment), integer(shares)),
        vault.tokenMintDecimals,
      ),
    ),
    fees: feesOf(accounts, effect),
    warnings,
  };
}

function feesOf({ vault }: VaultAccounts, { penalty, crankFee }: VaultEffect): PreviewFee[] {
  const token = { mint: vault.tokenMint, decimals: Number(vault.tokenMintDecimals) };
  const fees: PreviewFee[] = [
    { kind: 'WITHDRAWAL_PENALTY', ...token, amount: penalty },
    { kind: 'CRANK', ...token, amount: crankFee },
  ];
  return fees.filter(({ amount }) => amount > 0n);
}

/**
 * Warnings for a vault action.
 * @param asked base units of tokens that a withdrawal shall pay; null when it was asked for in shares, and for a deposit
 */
export function vaultWarnings(
  accounts: VaultAccounts,
  built: BuiltAction,
  effect: VaultOutcome,
  moment: Moment,
  asked: Amount | null,
): BuildWarning[] {
  return [
    ...(effect.terms !== null
      ? depositWarnings(accounts, built, effect.terms)
      : [
          ...withdrawWarnings(accounts, built, effect, moment),
          ...roundingWarnings(accounts, built, effect, moment, asked),
        ]),
    ...permissionWarnings(permissioningAuthority(accounts), 'vault', [
      accounts.request.wallet,
      accounts.payer,
    ]),
    ...wrappedSolWarnings(
      accounts.token,
      built.wrappedSol,
      'The wrapped-SOL account stays open with the remainder that the vault does not take.',
    ),
  ];
}

/** The way out of reserves without liquidity; empty where no market of the vault offers it. */
function queueHint({ queueing }: VaultAccounts): string {
  if (queueing.length === 0) return '';
  const count = queueing.length === 1 ? 'One reserve' : `${queueing.length} reserves`;
  return ` ${count} of the vault can queue withdrawals: exchange shares for collateral tokens with redeemInKind of the vault program, and queue these with buildEnqueueWithdraw.`;
}

function withdrawWarnings(
  accounts: VaultAccounts,
  { amount }: BuiltAction,
  effect: VaultOutcome,
  moment: Moment,
): BuildWarning[] {
  const { vault, globalConfig, symbol } = accounts;
  const { release } = effect;
  const total = walletShares(accounts).unstaked + (release ? release.received + release.penalty : 0n);
  const [shareDecimals, decimals] = [Number(vault.sharesMintDecimals), Number(vault.tokenMintDecimals)];
  const holdings = holdingsAt(accounts, moment);
  const gross = sharesToTokens(vault, holdings, integer(amount < total ? amount : total));
  const warnings: BuildWarning[] = [];
  if (total < amount) {
    const message = `The wallet has ${placePoint(total, shareDecimals)} shares, but ${placePoint(amount, shareDecimals)} are requested. Lower the amount.`;
    warnings.push(warning('BALANCE_TOO_LOW', message));
  }
  if (effect.refused || effect.tokens <= vault.minWithdrawAmount) {
    const message = `A withdrawal must pay out more than ${placePoint(vault.minWithdrawAmount, decimals)} ${symbol}. Raise the amount.`;
    warnings.push(warning('AMOUNT_BELOW_MINIMUM', message));
  }
  const free = withdrawableNow(holdings);
  if (free.compare(gross) < 0) {
    const message = `The vault can pay out only ${placePoint(free.floor(), decimals)} ${symbol} now. Withdraw less, or wait for repayments.${queueHint(accounts)}`;
    warnings.push(warning('LIQUIDITY_TOO_LOW', message));
  }
  if (release !== null) warnings.push(...releaseWarnings(accounts, release));
  const penalty =
    effect.penalty > 0n ? effect.penalty : withdrawalPenalty(vault, globalConfig, gross.floor());
  if (penalty > 0n && gross.n > 0n) {
    const message = `The vault withholds a penalty of ${placePoint(penalty, decimals)} ${symbol} from the withdrawal.`;
    warnings.push(warning('WITHDRAWAL_PENALTY', message));
  }
  return warnings;
}

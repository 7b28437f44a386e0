import { actualApy } from '../../domain/apy.ts';
import { toTokens } from '../../domain/arithmetic.ts';
import type { Moment } from '../../domain/moment.ts';
import { sharesToTokens, vaultUtilization, withdrawableNow } from '../../domain/vault.ts';
import { withdrawalPenalty } from '../../domain/vault-fees.ts';
import { placePoint } from '../../numeric/decimal.ts';
import { integer, type Rational } from '../../numeric/rational.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { change, NO_FIGURES, type Preview, type PreviewFee } from '../preview.ts';
import { balanceWarnings, wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { VaultAccounts } from './accounts.ts';
import { type VaultEffect, vaultDepositEffect, vaultWithdrawEffect } from './effects.ts';
import { holdingsAt } from './exit.ts';
import { releaseWarnings } from './release-warnings.ts';
import { type ShareRelease, stakedUnits } from './share-release.ts';
import { stakeRentWarnings, warmUpWarnings } from './staking.ts';
import { exitParts, walletShares } from './withdraw.ts';

export type VaultAction = 'deposit' | 'withdraw';

/** The result of the action under the program's rules, even if the program would reject it. */
export function vaultOutcome(
  accounts: VaultAccounts,
  action: VaultAction,
  { amount, all }: BuiltAction,
  moment: Moment,
): VaultOutcome {
  const { slot, timestamp } = moment;
  if (action === 'deposit') {
    return { ...vaultDepositEffect(accounts, amount, slot, timestamp), release: null };
  }
  const { parts, held, release } = exitParts(accounts, all ? 'all' : amount, moment);
  return { ...vaultWithdrawEffect(accounts, parts, held, slot, timestamp), release };
}

/** The effect of an action, and what it takes out of the farm first. */
export interface VaultOutcome extends VaultEffect {
  readonly release: ShareRelease | null;
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
    supplyApy: figure(
      ({ accounts: side }) => actualApy(side.vault, holdingsAt(side, moment.slot), moment).net,
    ),
    utilization: figure(({ accounts: side }) => vaultUtilization(holdingsAt(side, moment.slot))),
    shares: figure(({ shares }) => toTokens(integer(shares), vault.sharesMintDecimals)),
    tokens: figure(({ accounts: side, shares }) =>
      toTokens(
        sharesToTokens(side.vault, holdingsAt(side, moment.slot), integer(shares)),
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

/** Warnings for a vault action. */
export function vaultWarnings(
  accounts: VaultAccounts,
  action: VaultAction,
  built: BuiltAction,
  effect: VaultOutcome,
  moment: Moment,
): BuildWarning[] {
  return [
    ...(action === 'deposit'
      ? depositWarnings(accounts, built, effect)
      : withdrawWarnings(accounts, built, effect, moment)),
    ...wrappedSolWarnings(
      accounts.token,
      built.wrappedSol,
      'The wrapped-SOL account stays open with the remainder that the vault does not take.',
    ),
  ];
}

function depositWarnings(
  accounts: VaultAccounts,
  { amount }: BuiltAction,
  effect: VaultEffect,
): BuildWarning[] {
  const { vault, isSol, walletLamports, token, symbol } = accounts;
  const decimals = Number(vault.tokenMintDecimals);
  const has = isSol ? (walletLamports ?? 0n) : (token.account?.amount ?? 0n);
  const warnings = balanceWarnings(has, amount, decimals, symbol);
  if (effect.shares === 0n || effect.tokens - effect.crankFee < vault.minDepositAmount) {
    const message = `The minimum deposit is ${placePoint(vault.minDepositAmount + effect.crankFee, decimals)} ${symbol}. Raise the amount.`;
    warnings.push(warning('AMOUNT_BELOW_MINIMUM', message));
  }
  return [...warnings, ...warmUpWarnings(accounts), ...stakeRentWarnings(accounts)];
}

function withdrawWarnings(
  accounts: VaultAccounts,
  { amount }: BuiltAction,
  effect: VaultOutcome,
  { slot }: Moment,
): BuildWarning[] {
  const { vault, globalConfig, symbol } = accounts;
  const { release } = effect;
  const total = walletShares(accounts).unstaked + (release ? release.received + release.penalty : 0n);
  const [shareDecimals, decimals] = [Number(vault.sharesMintDecimals), Number(vault.tokenMintDecimals)];
  const holdings = holdingsAt(accounts, slot);
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
    const message = `The vault can pay out only ${placePoint(free.floor(), decimals)} ${symbol} now. Withdraw less, or wait for repayments.`;
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

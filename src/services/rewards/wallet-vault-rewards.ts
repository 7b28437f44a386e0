import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { VaultCampaign } from '../../config/catalogue/format.ts';
import { ratio, toTokens } from '../../domain/arithmetic.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import { viewTime } from '../request/time-range.ts';
import { type VaultPosition, vaultPositions } from '../wallets/wallets.ts';
import { vaultRewards } from './rewards.ts';
import { seasonOf } from './seasons.ts';
import { averageApy } from './wallet-rewards.ts';

/** What a season pays a wallet for its shares of a vault. */
export interface WalletVaultReward {
  readonly vault: Address;
  readonly rewardToken: Address;
  /** Whole tokens so far; null when the operator has imported no figure. */
  readonly tokensEarned: Rational | null;
  /** Whole tokens per second for the wallet; zero when no campaign runs. */
  readonly walletTokensPerSecond: Rational;
  /** Null when a price or the value of the vault is unknown; zero when no campaign runs. */
  readonly apy: Rational | null;
  /** Value in USD of the shares that a running campaign pays; null when a price is unknown. */
  readonly earningUsd: Rational | null;
  readonly calculatedAt: Date;
}

export interface WalletVaultRewards {
  readonly rewards: readonly WalletVaultReward[];
  /** Weighted by earning value; null when no reward has both a known APY and a known value. */
  readonly averageApy: Rational | null;
}

/**
 * Running campaigns of a season (by default the current one) that pay the wallet's shares, and vaults in which it earned
 * before according to the seasons file. Ordered by vault.
 */
export async function walletVaultRewards(
  platform: Platform,
  session: Session,
  wallet: Address,
  source: string | null | undefined,
): Promise<WalletVaultRewards> {
  const { view } = session;
  const season = seasonOf(platform, source);
  const running = vaultRewards(view, source ?? season?.source);
  const earned = season?.earnedInVaults.get(wallet) ?? new Map<Address, Rational>();
  if (running.length === 0 && earned.size === 0) return { rewards: [], averageApy: null };
  const held = running.length === 0 ? [] : await vaultPositions(session, wallet);
  const positions = new Map(held.map((position) => [position.vault.address, position]));
  const counted = new Set<Address>();
  const paid = running.flatMap(({ campaign, apy, calculatedAt }): WalletVaultReward[] => {
    const { vault, rewardToken } = campaign;
    const position = positions.get(vault);
    if (position === undefined) return [];
    // The file has one figure for each vault, in the token of the season.
    const isCounted = rewardToken === season?.rewardToken && !counted.has(vault);
    if (isCounted) counted.add(vault);
    return [
      {
        vault,
        rewardToken,
        tokensEarned: isCounted ? (earned.get(vault) ?? null) : null,
        walletTokensPerSecond: shareOf(position, campaign),
        apy,
        earningUsd: position.value?.usd ?? null,
        calculatedAt,
      },
    ];
  });
  const before = [...earned].flatMap(([vault, tokensEarned]): WalletVaultReward[] =>
    season === null || counted.has(vault)
      ? []
      : [
          {
            vault,
            rewardToken: season.rewardToken,
            tokensEarned,
            walletTokensPerSecond: ZERO,
            apy: ZERO,
            earningUsd: ZERO,
            calculatedAt: viewTime(view),
          },
        ],
  );
  const rewards = [...paid, ...before].sort((a, b) => (a.vault < b.vault ? -1 : a.vault > b.vault ? 1 : 0));
  return { rewards, averageApy: averageApy(rewards) };
}

/** The part of a campaign's tokens per second that belongs to the shares of a position. */
function shareOf(
  { totalShares, vault: { value } }: VaultPosition,
  { tokensPerSecond }: VaultCampaign,
): Rational {
  const issued = toTokens(integer(value.sharesIssued), value.sharesMintDecimals);
  return issued.isZero ? ZERO : ratio(totalShares, issued).mul(tokensPerSecond);
}

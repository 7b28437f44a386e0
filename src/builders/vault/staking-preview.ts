import { WAD } from '@sluice/protocol/numeric/fraction';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { toTokens } from '../../domain/arithmetic.ts';
import { change, NO_FIGURES, type Preview } from '../preview.ts';
import type { BuildWarning } from '../warnings.ts';
import type { VaultAccounts } from './accounts.ts';

/** Shares of the wallet: in the farm (scaled by 10^18), and in its own account (base units). */
interface StakingSide {
  readonly staked: bigint;
  readonly unstaked: bigint;
}

/** Shares in the farm and in the wallet, before and after. */
export function stakingFigures(
  { vault }: VaultAccounts,
  before: StakingSide,
  after: StakingSide,
  warnings: readonly BuildWarning[],
): Preview {
  const whole = (units: Rational) => toTokens(units, vault.sharesMintDecimals);
  return {
    ...NO_FIGURES,
    stakedShares: change(before, after, ({ staked }) => whole(Rational.of(staked, WAD))),
    unstakedShares: change(before, after, ({ unstaked }) => whole(integer(unstaked))),
    warnings,
  };
}

import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX, WAD } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import {
  afterActivation,
  afterUnstake,
  afterWithdrawal,
  type FarmStake,
  farmStakeAt,
  isCooledDown,
  isWarmedUp,
  unstakePenaltyBps,
} from '../../domain/farm-stake.ts';
import type { Moment } from '../../domain/moment.ts';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { Amount } from '../amount.ts';
import type { BuiltInstruction } from '../built-instruction.ts';
import type { VaultAccounts, VaultFarm } from './accounts.ts';
import { activateStake, endStake, inFarmTime, withdrawUnstaked } from './staking.ts';

/** Steps that take shares out of a farm, in the order of the instructions. */
export interface ReleaseSteps {
  /** Whether a deposit that has warmed up becomes active first. Unstaking does not do that by itself. */
  readonly activates: boolean;
  /** Whether shares that have cooled down are withdrawn first. The program unstakes no more before that. */
  readonly takesDue: boolean;
  /** Base units of shares to unstake, or the whole stake; null for none. */
  readonly unstakes: Amount | null;
  /** Whether the unstaked shares are withdrawn in the same transaction. */
  readonly withdraws: boolean;
}

/** A release of shares from a farm and its result. Base units of shares. */
export interface ShareRelease extends ReleaseSteps {
  readonly farm: VaultFarm;
  readonly before: FarmStake;
  readonly after: FarmStake;
  readonly received: bigint;
  /** Kept by the farm because the stake is still locked. */
  readonly penalty: bigint;
  /** Why the program refuses it: a cooldown that begins with it, or a locking period. Null when it does not. */
  readonly refusal: 'COOLDOWN' | 'LOCKED' | null;
}

/** The wallet's stake in the vault's farm; null when it has none. */
export function stakeOf({ farm }: VaultAccounts, moment: Moment): FarmStake | null {
  return farm?.stake ? farmStakeAt(farm.account, farm.stake, moment) : null;
}

/** Whole base units of the active stake. */
export const stakedUnits = ({ staked }: FarmStake): bigint => staked / WAD;

/** The result of the steps under the program's rules. A refused release is computed as if it were allowed. */
export function releaseOf(farm: VaultFarm, before: FarmStake, steps: ReleaseSteps): ShareRelease {
  const active = steps.activates ? afterActivation(before) : before;
  const due = steps.takesDue ? afterWithdrawal(active) : { stake: active, paid: 0n };
  const shares = (steps.unstakes === 'all' ? U64_MAX : (steps.unstakes ?? 0n)) * WAD;
  const ended = steps.unstakes === null ? { stake: due.stake, penalty: 0n } : afterUnstake(due.stake, shares);
  const waits = steps.unstakes !== null && before.farm.withdrawalCooldownPeriod > 0;
  const paid =
    steps.unstakes !== null && steps.withdraws
      ? afterWithdrawal(ended.stake)
      : { stake: ended.stake, paid: 0n };
  const isLocked = steps.unstakes !== null && unstakePenaltyBps(due.stake) === null;
  return {
    ...steps,
    farm,
    before,
    after: paid.stake,
    received: due.paid + paid.paid,
    penalty: ended.penalty,
    refusal: isLocked ? 'LOCKED' : waits && steps.withdraws ? 'COOLDOWN' : null,
  };
}

/** Release of the shares that a withdrawal needs beyond those in the wallet. Null when the wallet has enough. */
export function releaseForWithdrawal(
  accounts: VaultAccounts,
  asked: Amount,
  moment: Moment,
): ShareRelease | null {
  const { farm, shares } = accounts;
  const before = stakeOf(accounts, moment);
  if (farm === null || before === null) return null;
  const isAll = asked === 'all';
  const missing = isAll ? U64_MAX : atLeastZero(asked - (shares.account?.amount ?? 0n));
  const takesDue = missing > 0n && isCooledDown(before);
  const left = atLeastZero(missing - (takesDue ? afterWithdrawal(before).paid : 0n));
  const activates = left > stakedUnits(before) && isWarmedUp(before);
  const staked = stakedUnits(activates ? afterActivation(before) : before);
  const unstaked = lesser(left, staked);
  const unstakes = unstaked === 0n ? null : isAll ? 'all' : unstaked;
  if (!takesDue && unstakes === null) return null;
  return releaseOf(farm, before, { activates, takesDue, unstakes, withdraws: true });
}

/** The instructions of a release. They need the wallet's share account. */
export function releaseInstructions(accounts: VaultAccounts, release: ShareRelease): BuiltInstruction[] {
  const { farm, activates, takesDue, unstakes, withdraws } = release;
  return [
    ...(activates ? [activateStake(accounts, farm)] : []),
    ...(takesDue ? [withdrawUnstaked(accounts, farm)] : []),
    ...(unstakes === null ? [] : [endStake(accounts, farm, unstakes)]),
    ...(unstakes !== null && withdraws ? [withdrawUnstaked(accounts, farm)] : []),
  ];
}

/**
 * Why a wallet has no shares to take out: it has none at all, none of them is staked, or they are on their way into the
 * farm or out of it.
 */
export function noShares(accounts: VaultAccounts, stake: FarmStake | null): CodedError {
  const { farm } = accounts;
  const absent = noStakedShares(accounts);
  if (farm === null || stake === null) return absent;
  const wait = (until: bigint) => inFarmTime(farm, until - stake.now);
  if (stake.leaving > 0n) {
    const reason = `all shares are unstaked; they can be withdrawn in ${wait(stake.leavingUntil)}`;
    return new SluiceError('BUILD_REFUSED', { reason });
  }
  if (stake.entering === 0n) return absent;
  const reason = `the shares are warming up; they can be unstaked in ${wait(stake.enteringUntil)}`;
  return new SluiceError('BUILD_REFUSED', { reason });
}

function noStakedShares({ request, shares, vault: { sharesMintDecimals } }: VaultAccounts): CodedError {
  const { vault, wallet } = request;
  const unstaked = shares.account?.amount ?? 0n;
  if (unstaked === 0n) return new SluiceError('KVAULT_POSITION_NOT_FOUND', { vault, wallet });
  const held = placePoint(unstaked, Number(sharesMintDecimals));
  const reason = `none of the wallet's shares are staked: it holds ${held} unstaked shares, which can be withdrawn from the vault without unstaking`;
  return new SluiceError('BUILD_REFUSED', { reason });
}

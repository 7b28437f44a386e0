import { farmState, type RewardInfo } from '@sluice/protocol/farms/farm-state';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import { aborted, load, patch } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Clock } from '../program.ts';

const { farms } = MAINNET_PROGRAMS;

/** The figures of one reward that instructions change, and its terms. */
export interface RewardModel {
  readonly info: RewardInfo;
  rewardsAvailable: bigint;
  lastIssuanceTs: bigint;
  rewardsIssuedUnclaimed: bigint;
  rewardsIssuedCumulative: bigint;
  /** Scaled by 10^18: per staked base unit, or per unit of a delegated stake. */
  rewardPerShareScaled: bigint;
}

/** A farm while an instruction works on it. The shares of stakes are scaled by 10^18, except in a delegated farm. */
export class FarmModel {
  readonly state;
  readonly rewards: readonly RewardModel[];
  readonly #account: InstructionAccount;
  isFarmDelegated: number;
  numUsers: bigint;
  /** Base units that earn rewards. */
  totalStakedAmount: bigint;
  totalActiveStakeScaled: bigint;
  totalPendingStakeScaled: bigint;
  /** Base units of deposits that warm up and of withdrawals that cool down. */
  totalPendingAmount: bigint;
  slashedAmountCurrent: bigint;
  slashedAmountCumulative: bigint;

  constructor(account: InstructionAccount) {
    const state = load(account, farmState, farms);
    this.#account = account;
    this.state = state;
    this.rewards = state.rewardInfos.slice(0, Number(state.numRewardTokens)).map((info) => ({
      info,
      rewardsAvailable: info.rewardsAvailable,
      lastIssuanceTs: info.lastIssuanceTs,
      rewardsIssuedUnclaimed: info.rewardsIssuedUnclaimed,
      rewardsIssuedCumulative: info.rewardsIssuedCumulative,
      rewardPerShareScaled: info.rewardPerShareScaled,
    }));
    this.isFarmDelegated = state.isFarmDelegated;
    this.numUsers = state.numUsers;
    this.totalStakedAmount = state.totalStakedAmount;
    this.totalActiveStakeScaled = state.totalActiveStakeScaled;
    this.totalPendingStakeScaled = state.totalPendingStakeScaled;
    this.totalPendingAmount = state.totalPendingAmount;
    this.slashedAmountCurrent = state.slashedAmountCurrent;
    this.slashedAmountCumulative = state.slashedAmountCumulative;
  }

  get address() {
    return this.#account.address;
  }

  /** Whether another program reports the stakes; such a farm holds no tokens. */
  get isDelegated(): boolean {
    return this.state.delegateAuthority !== NO_ADDRESS;
  }

  /** The time in the farm's unit: seconds or slots. */
  now({ slot, unixTimestamp }: Clock): bigint {
    const { timeUnit } = this.state;
    if (timeUnit > 1) throw aborted();
    return timeUnit === 0 ? unixTimestamp : slot;
  }

  save(): void {
    patch(this.#account, farmState, {
      rewardInfos: this.rewards.map(({ info: _, ...figures }) => figures),
      isFarmDelegated: this.isFarmDelegated,
      numUsers: this.numUsers,
      totalStakedAmount: this.totalStakedAmount,
      totalActiveStakeScaled: this.totalActiveStakeScaled,
      totalPendingStakeScaled: this.totalPendingStakeScaled,
      totalPendingAmount: this.totalPendingAmount,
      slashedAmountCurrent: this.slashedAmountCurrent,
      slashedAmountCumulative: this.slashedAmountCumulative,
    });
  }
}

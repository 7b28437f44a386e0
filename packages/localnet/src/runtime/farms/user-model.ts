import { userState } from '@sluice/protocol/farms/user-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { aborted, load, patch } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';

const { farms } = MAINNET_PROGRAMS;

/** A stake while an instruction works on it. Shares are scaled by 10^18, except in a delegated farm. */
export class UserModel {
  readonly state;
  readonly #account: InstructionAccount;
  /** By reward: what the stake had earned at its last credit, and what it would have earned before it began. */
  readonly rewardsTallyScaled: bigint[];
  readonly rewardsIssuedUnclaimed: bigint[];
  readonly rewardsIssuedCumulative: bigint[];
  readonly lastClaimTs: bigint[];
  isFarmDelegated: number;
  activeStakeScaled: bigint;
  pendingDepositStakeScaled: bigint;
  pendingDepositStakeTs: bigint;
  pendingWithdrawalUnstakeScaled: bigint;
  pendingWithdrawalUnstakeTs: bigint;
  lastStakeTs: bigint;

  constructor(account: InstructionAccount) {
    const state = load(account, userState, farms);
    this.#account = account;
    this.state = state;
    this.rewardsTallyScaled = [...state.rewardsTallyScaled];
    this.rewardsIssuedUnclaimed = [...state.rewardsIssuedUnclaimed];
    this.rewardsIssuedCumulative = [...state.rewardsIssuedCumulative];
    this.lastClaimTs = [...state.lastClaimTs];
    this.isFarmDelegated = state.isFarmDelegated;
    this.activeStakeScaled = state.activeStakeScaled;
    this.pendingDepositStakeScaled = state.pendingDepositStakeScaled;
    this.pendingDepositStakeTs = state.pendingDepositStakeTs;
    this.pendingWithdrawalUnstakeScaled = state.pendingWithdrawalUnstakeScaled;
    this.pendingWithdrawalUnstakeTs = state.pendingWithdrawalUnstakeTs;
    this.lastStakeTs = state.lastStakeTs;
  }

  save(): void {
    patch(this.#account, userState, {
      rewardsTallyScaled: this.rewardsTallyScaled,
      rewardsIssuedUnclaimed: this.rewardsIssuedUnclaimed,
      rewardsIssuedCumulative: this.rewardsIssuedCumulative,
      lastClaimTs: this.lastClaimTs,
      isFarmDelegated: this.isFarmDelegated,
      activeStakeScaled: this.activeStakeScaled,
      pendingDepositStakeScaled: this.pendingDepositStakeScaled,
      pendingDepositStakeTs: this.pendingDepositStakeTs,
      pendingWithdrawalUnstakeScaled: this.pendingWithdrawalUnstakeScaled,
      pendingWithdrawalUnstakeTs: this.pendingWithdrawalUnstakeTs,
      lastStakeTs: this.lastStakeTs,
    });
  }
}

/** An entry of a list that has one per reward; an index beyond it is a panic. */
export function at(list: readonly bigint[], index: number): bigint {
  const value = list[index];
  if (value === undefined) throw aborted();
  return value;
}

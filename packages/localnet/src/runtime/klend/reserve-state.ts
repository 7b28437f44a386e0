import { reserve as layout, type Reserve } from '@sluice/protocol/klend/reserve';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { load, patch } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { addSf, fromLimbs, subSf, toLimbs, wholeSf } from './fraction.ts';
import { type LastUpdateState, lastUpdateFields, loadLastUpdate } from './last-update.ts';

type Cap = ReserveConfig['depositWithdrawalCap'];

/** A limit on net outflow; only its two counters move. */
export interface WithdrawalCapState {
  readonly capacity: bigint;
  /** Zero disables the limit. */
  readonly intervalSeconds: bigint;
  currentTotal: bigint;
  /** Unix seconds. */
  intervalStart: bigint;
}

/** Counters of the withdraw queue. */
export interface WithdrawQueueState {
  /** Collateral tokens of all tickets whose turn is not over. */
  collateral: bigint;
  /** Number of the next ticket to be issued. */
  nextIssued: bigint;
  /** Number of the ticket whose turn it is; that of the next issued one while none waits. */
  nextPaid: bigint;
}

/**
 * A reserve while an instruction works on it. `save` writes what moves; nothing else of the account changes. The maths is in
 * `reserve-interest.ts` (accrual), `reserve-rewards.ts` (gifts), `exchange-rate.ts` (collateral tokens), `reserve-liquidity.ts` (amounts and limits),
 * `withdraw-queue.ts`, `withdrawal-cap.ts` and `reserve-refresh.ts`.
 */
export class ReserveState {
  readonly address: Address;
  /** The account as it was loaded: configuration, addresses and version. */
  readonly data: Reserve;
  readonly lastUpdate: LastUpdateState;
  /** Base units in the supply vault that the reserve accounts for. */
  available: bigint;
  /** Rewards still to be given, base units. In the supply vault, but not part of the supply. */
  rewardsAvailable: bigint;
  borrowedSf: bigint;
  /** USD per whole token. */
  marketPriceSf: bigint;
  /** Unix seconds. */
  marketPriceTimestamp: bigint;
  /** Unix seconds; 0 while the limit is not crossed. */
  depositLimitCrossedAt: bigint;
  borrowLimitCrossedAt: bigint;
  /** 256 bits, of the same scale as the fractions. */
  cumulativeBorrowRate: bigint;
  protocolFeesSf: bigint;
  referrerFeesSf: bigint;
  pendingReferrerFeesSf: bigint;
  absoluteReferralRateSf: bigint;
  /** Collateral tokens in existence. */
  collateralSupply: bigint;
  readonly depositCap: WithdrawalCapState;
  readonly debtCap: WithdrawalCapState;
  borrowedOutsideGroups: bigint;
  /** Debt against this collateral, by elevation group id minus one. */
  readonly borrowedInGroups: bigint[];
  readonly queue: WithdrawQueueState;
  readonly #account: InstructionAccount;

  private constructor(account: InstructionAccount, data: Reserve) {
    const { lastUpdate, liquidity, collateral, config } = data;
    this.#account = account;
    this.address = account.address;
    this.data = data;
    this.lastUpdate = loadLastUpdate(lastUpdate);
    this.available = liquidity.totalAvailableAmount;
    this.rewardsAvailable = liquidity.rewardsAmountAvailable;
    this.borrowedSf = liquidity.borrowedAmountSf;
    this.marketPriceSf = liquidity.marketPriceSf;
    this.marketPriceTimestamp = liquidity.marketPriceLastUpdatedTs;
    this.depositLimitCrossedAt = liquidity.depositLimitCrossedTimestamp;
    this.borrowLimitCrossedAt = liquidity.borrowLimitCrossedTimestamp;
    this.cumulativeBorrowRate = fromLimbs(liquidity.cumulativeBorrowRateBsf.value);
    this.protocolFeesSf = liquidity.accumulatedProtocolFeesSf;
    this.referrerFeesSf = liquidity.accumulatedReferrerFeesSf;
    this.pendingReferrerFeesSf = liquidity.pendingReferrerFeesSf;
    this.absoluteReferralRateSf = liquidity.absoluteReferralRateSf;
    this.collateralSupply = collateral.mintTotalSupply;
    this.depositCap = capState(config.depositWithdrawalCap);
    this.debtCap = capState(config.debtWithdrawalCap);
    this.borrowedOutsideGroups = data.borrowedAmountOutsideElevationGroup;
    this.borrowedInGroups = [...data.borrowedAmountsAgainstThisReserveInElevationGroups];
    this.queue = queueState(data.withdrawQueue);
  }

  /** Loads the account after the framework's checks (3007, 3001, 3002). */
  static load(account: InstructionAccount): ReserveState {
    return new ReserveState(account, load(account, layout, MAINNET_PROGRAMS.klend));
  }

  get config(): ReserveConfig {
    return this.data.config;
  }

  /** Total that belongs to the holders of collateral tokens. */
  get totalSupplySf(): bigint {
    const gross = addSf(wholeSf(this.available), this.borrowedSf);
    return subSf(subSf(subSf(gross, this.protocolFeesSf), this.referrerFeesSf), this.pendingReferrerFeesSf);
  }

  /** The farm of one side; the default key when there is none. */
  farmOf(kind: 'collateral' | 'debt'): Address {
    return kind === 'collateral' ? this.data.farmCollateral : this.data.farmDebt;
  }

  save(): void {
    patch(this.#account, layout, {
      lastUpdate: lastUpdateFields(this.lastUpdate),
      liquidity: {
        totalAvailableAmount: this.available,
        rewardsAmountAvailable: this.rewardsAvailable,
        borrowedAmountSf: this.borrowedSf,
        marketPriceSf: this.marketPriceSf,
        marketPriceLastUpdatedTs: this.marketPriceTimestamp,
        depositLimitCrossedTimestamp: this.depositLimitCrossedAt,
        borrowLimitCrossedTimestamp: this.borrowLimitCrossedAt,
        cumulativeBorrowRateBsf: { value: toLimbs(this.cumulativeBorrowRate) },
        accumulatedProtocolFeesSf: this.protocolFeesSf,
        accumulatedReferrerFeesSf: this.referrerFeesSf,
        pendingReferrerFeesSf: this.pendingReferrerFeesSf,
        absoluteReferralRateSf: this.absoluteReferralRateSf,
      },
      collateral: { mintTotalSupply: this.collateralSupply },
      config: {
        depositWithdrawalCap: capFields(this.depositCap),
        debtWithdrawalCap: capFields(this.debtCap),
      },
      borrowedAmountOutsideElevationGroup: this.borrowedOutsideGroups,
      borrowedAmountsAgainstThisReserveInElevationGroups: this.borrowedInGroups,
      withdrawQueue: {
        queuedCollateralAmount: this.queue.collateral,
        nextIssuedTicketSequenceNumber: this.queue.nextIssued,
        nextWithdrawableTicketSequenceNumber: this.queue.nextPaid,
      },
    });
  }
}

function capState(cap: Cap): WithdrawalCapState {
  return {
    capacity: cap.configCapacity,
    intervalSeconds: cap.configIntervalLengthSeconds,
    currentTotal: cap.currentTotal,
    intervalStart: cap.lastIntervalStartTimestamp,
  };
}

function queueState(queue: Reserve['withdrawQueue']): WithdrawQueueState {
  return {
    collateral: queue.queuedCollateralAmount,
    nextIssued: queue.nextIssuedTicketSequenceNumber,
    nextPaid: queue.nextWithdrawableTicketSequenceNumber,
  };
}

function capFields({ currentTotal, intervalStart }: WithdrawalCapState) {
  return { currentTotal, lastIntervalStartTimestamp: intervalStart };
}

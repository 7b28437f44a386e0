import {
  type BorrowOrder,
  borrowOrder,
  obligation as layout,
  type Obligation,
  obligationCollateral,
  obligationLiquidity,
} from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { load, patch } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Clock } from '../program.ts';
import { divSf, subSfToZero } from './fraction.ts';
import { type LastUpdateState, lastUpdateFields, loadLastUpdate } from './last-update.ts';
import {
  type BorrowState,
  borrowFields,
  borrowState,
  type DepositState,
  depositFields,
  depositState,
  type Slots,
} from './obligation-slots.ts';

/** An obligation while an instruction works on it. `save` writes what moves; nothing else of the account changes. */
export class ObligationState {
  readonly address: Address;
  /** The account as it was loaded: owner, market, referrer, orders. */
  readonly data: Obligation;
  readonly lastUpdate: LastUpdateState;
  readonly deposits: Slots<DepositState>;
  readonly borrows: Slots<BorrowState>;
  /** USD, as are the values below. */
  depositedValueSf: bigint;
  debtValueSf: bigint;
  factoredDebtValueSf: bigint;
  /** The debt that the deposits allow. */
  allowedDebtValueSf: bigint;
  /** The debt from which the obligation can be liquidated. */
  unhealthyDebtValueSf: bigint;
  lowestLiquidationLtvPct: number;
  lowestMaxLtvPct: number;
  highestBorrowFactorPct: bigint;
  obsoleteDeposits: number;
  obsoleteBorrows: number;
  /** 0 for none. */
  elevationGroup: number;
  hasDebt: boolean;
  /** Whether a deposit backs debt in elevation groups only. */
  borrowingDisabled: boolean;
  hasOrders = true;
  /** Whether the borrow orders, 0 to 2, are kept. */
  readonly keepsBorrowOrder = [true, true, true];
  readonly #account: InstructionAccount;
  readonly #loaded: { readonly deposits: Slots<DepositState>; readonly borrows: Slots<BorrowState> };

  private constructor(account: InstructionAccount, data: Obligation) {
    this.#account = account;
    this.address = account.address;
    this.data = data;
    this.lastUpdate = loadLastUpdate(data.lastUpdate);
    this.deposits = data.deposits.map(depositState);
    this.borrows = data.borrows.map(borrowState);
    this.#loaded = { deposits: [...this.deposits], borrows: [...this.borrows] };
    this.depositedValueSf = data.depositedValueSf;
    this.debtValueSf = data.borrowedAssetsMarketValueSf;
    this.factoredDebtValueSf = data.borrowFactorAdjustedDebtValueSf;
    this.allowedDebtValueSf = data.allowedBorrowValueSf;
    this.unhealthyDebtValueSf = data.unhealthyBorrowValueSf;
    this.lowestLiquidationLtvPct = Number(data.lowestReserveDepositLiquidationLtv);
    this.lowestMaxLtvPct = data.lowestReserveDepositMaxLtvPct;
    this.highestBorrowFactorPct = data.highestBorrowFactorPct;
    this.obsoleteDeposits = data.numOfObsoleteDepositReserves;
    this.obsoleteBorrows = data.numOfObsoleteBorrowReserves;
    this.elevationGroup = data.elevationGroup;
    this.hasDebt = data.hasDebt === 1;
    this.borrowingDisabled = data.borrowingDisabled !== 0;
  }

  /** Loads the account after the framework's checks (3007, 3001, 3002). */
  static load(account: InstructionAccount): ObligationState {
    return new ObligationState(account, load(account, layout, MAINNET_PROGRAMS.klend));
  }

  get activeDeposits(): DepositState[] {
    return this.deposits.filter((each) => each !== null);
  }

  get activeBorrows(): BorrowState[] {
    return this.borrows.filter((each) => each !== null);
  }

  get inGroup(): boolean {
    return this.elevationGroup !== 0;
  }

  get hasReferrer(): boolean {
    return this.data.referrer !== NO_ADDRESS;
  }

  get isMarkedForDeleveraging(): boolean {
    return this.data.autodeleverageMarginCallStartedTimestamp !== 0n;
  }

  get loanToValueSf(): bigint {
    return divSf(this.factoredDebtValueSf, this.depositedValueSf);
  }

  get unhealthyLoanToValueSf(): bigint {
    return divSf(this.unhealthyDebtValueSf, this.depositedValueSf);
  }

  /** The value, times its borrow factor, that can still be borrowed. */
  get remainingDebtValueSf(): bigint {
    return subSfToZero(this.allowedDebtValueSf, this.factoredDebtValueSf);
  }

  /** Orders 0 to 2 as they were loaded. */
  get borrowOrders(): BorrowOrder[] {
    return [this.data.headBorrowOrder, ...this.data.tailBorrowOrders];
  }

  /** Removes the borrow orders whose time is over. */
  clearExpiredBorrowOrders({ unixTimestamp }: Clock): void {
    this.borrowOrders.forEach(({ fillableUntilTimestamp }, i) => {
      this.keepsBorrowOrder[i] = fillableUntilTimestamp >= unixTimestamp;
    });
  }

  save(): void {
    this.#clearLeftSlots();
    patch(this.#account, layout, {
      lastUpdate: lastUpdateFields(this.lastUpdate),
      deposits: this.deposits.map((each) => (each === null ? {} : depositFields(each))),
      borrows: this.borrows.map((each) => (each === null ? {} : borrowFields(each))),
      depositedValueSf: this.depositedValueSf,
      borrowedAssetsMarketValueSf: this.debtValueSf,
      borrowFactorAdjustedDebtValueSf: this.factoredDebtValueSf,
      allowedBorrowValueSf: this.allowedDebtValueSf,
      unhealthyBorrowValueSf: this.unhealthyDebtValueSf,
      lowestReserveDepositLiquidationLtv: BigInt(this.lowestLiquidationLtvPct),
      lowestReserveDepositMaxLtvPct: this.lowestMaxLtvPct,
      highestBorrowFactorPct: this.highestBorrowFactorPct,
      numOfObsoleteDepositReserves: this.obsoleteDeposits,
      numOfObsoleteBorrowReserves: this.obsoleteBorrows,
      elevationGroup: this.elevationGroup,
      hasDebt: this.hasDebt ? 1 : 0,
      borrowingDisabled: this.borrowingDisabled ? 1 : 0,
    });
  }

  /** Zeroes every place that a position left, and the orders if they were removed. */
  #clearLeftSlots(): void {
    const data = new Uint8Array(this.#account.data);
    const clear = (
      field: 'deposits' | 'borrows' | 'obligationOrders' | 'headBorrowOrder' | 'tailBorrowOrders',
      from = 0,
      size = 0,
    ) => {
      const start = layout.offsetOf(field) + from;
      data.fill(0, start, start + (size || layout.body.fields[field].size));
    };
    this.deposits.forEach((each, i) => {
      const { size } = obligationCollateral;
      if (each !== this.#loaded.deposits[i]) clear('deposits', i * size, size);
    });
    this.borrows.forEach((each, i) => {
      const { size } = obligationLiquidity;
      if (each !== this.#loaded.borrows[i]) clear('borrows', i * size, size);
    });
    if (!this.hasOrders) clear('obligationOrders');
    const [keepsHead, ...keepsTail] = this.keepsBorrowOrder;
    if (!keepsHead) clear('headBorrowOrder');
    keepsTail.forEach((keeps, i) => {
      if (!keeps) clear('tailBorrowOrders', i * borrowOrder.size, borrowOrder.size);
    });
    this.#account.write(data);
  }
}

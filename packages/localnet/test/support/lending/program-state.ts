import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';

/** Fixed point of the lending program: 60 fractional bits, every operation rounds down. */
const BITS = 60n;
export const UNIT = 1n << BITS;
export const fixed = {
  mul: (a: bigint, b: bigint) => (a * b) >> BITS,
  div: (a: bigint, b: bigint) => {
    if (b === 0n) throw new Refusal('DivisionByZero');
    return (a << BITS) / b;
  },
  divUp: (a: bigint, b: bigint) => ((a << BITS) + b - 1n) / b,
  floor: (a: bigint) => a >> BITS,
  ceil: (a: bigint) => (a + UNIT - 1n) >> BITS,
  round: (a: bigint) => (a + (UNIT >> 1n)) >> BITS,
  percent: (pct: bigint | number) => (BigInt(pct) << BITS) / 100n,
  bps: (bps: bigint | number) => (BigInt(bps) << BITS) / 10_000n,
  minus: (a: bigint, b: bigint) => (a > b ? a - b : 0n),
  least: (...values: bigint[]) => values.reduce((a, b) => (b < a ? b : a)),
  most: (a: bigint, b: bigint) => (a > b ? a : b),
};

/** An error of the program, by its name. */
export class Refusal extends Error {}

export function require(holds: boolean, error: string): void {
  if (!holds) throw new Refusal(error);
}

/** Units of time in a year: of 500 ms for rates per slot, of a second for true yearly rates. */
const UNITS_PER_YEAR = [63_072_000n, 31_536_000n];
const UNITS_PER_SECOND = [2n, 1n];

/** Growth of a debt at a yearly rate over `n` units of time, in fixed point. */
export function compounded(rate: bigint, n: bigint, perYear: bigint): bigint {
  const base = rate / perYear;
  const step = UNIT + base;
  if (n === 0n) return UNIT;
  if (n === 1n) return step;
  if (n === 2n) return fixed.mul(step, step);
  if (n === 3n) return fixed.mul(fixed.mul(step, step), step);
  if (n === 4n) return fixed.mul(fixed.mul(step, step), fixed.mul(step, step));
  let term = base * n;
  let sum = UNIT + term;
  for (const k of [2n, 3n]) {
    term = (fixed.mul(term, base) * (n - k + 1n)) / k;
    sum += term;
  }
  return sum;
}

export interface Now {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** A reserve as the program keeps it in memory. */
export class ReserveState {
  available: bigint;
  rewards: bigint;
  borrowed: bigint;
  protocolFees: bigint;
  pendingFees: bigint;
  minted: bigint;
  cumulativeRate: bigint;
  outsideGroups: bigint;
  readonly inGroups: bigint[];
  readonly address: Address;
  readonly account: Reserve;

  constructor(address: Address, account: Reserve) {
    this.address = address;
    this.account = account;
    const { liquidity } = account;
    this.available = liquidity.totalAvailableAmount;
    this.rewards = liquidity.rewardsAmountAvailable;
    this.borrowed = liquidity.borrowedAmountSf;
    this.protocolFees = liquidity.accumulatedProtocolFeesSf;
    this.pendingFees = liquidity.pendingReferrerFeesSf;
    this.minted = account.collateral.mintTotalSupply;
    this.cumulativeRate = liquidity.cumulativeBorrowRateBsf.value.reduceRight(
      (sum, limb) => (sum << 64n) | limb,
      0n,
    );
    this.outsideGroups = account.borrowedAmountOutsideElevationGroup;
    this.inGroups = [...account.borrowedAmountsAgainstThisReserveInElevationGroups];
  }

  get config() {
    return this.account.config;
  }

  get isObsolete(): boolean {
    return this.config.status === 1;
  }

  get isInEmergency(): boolean {
    return this.config.emergencyMode > 0;
  }

  get supply(): bigint {
    const fees = this.protocolFees + this.account.liquidity.accumulatedReferrerFeesSf + this.pendingFees;
    return this.available * UNIT + this.borrowed - fees;
  }

  /** Adds the interest since the last refresh, then the reserve's rewards. */
  accrue(now: Now, market: Pick<LendingMarket, 'referralFeeBps' | 'reserveRewardsMaxAprBps'>): void {
    const { lastUpdate } = this.account;
    const { interestRateBasis: basis } = this.config;
    const since = basis === 0 ? lastUpdate.slot : BigInt(lastUpdate.timestamp);
    const units = (basis === 0 ? now.slot : now.timestamp) - since;
    const perYear = UNITS_PER_YEAR[basis];
    if (perYear === undefined) throw new Refusal('UnknownRateBasis');
    if (units <= 0n || since === 0n) return;
    this.addInterest(units, perYear, market.referralFeeBps);
    this.addRewards(units, perYear, BigInt(market.reserveRewardsMaxAprBps));
  }

  private addInterest(units: bigint, perYear: bigint, referralFeeBps: number): void {
    const host = fixed.bps(this.config.hostFixedInterestRateBps);
    const growth = compounded(this.borrowRate() + host, units, perYear);
    const before = this.borrowed;
    this.cumulativeRate = fixed.mul(this.cumulativeRate, growth);
    this.borrowed = fixed.mul(before, growth);
    const hostFee = fixed.mul(before, compounded(host, units, perYear)) - before;
    const interest = this.borrowed - before - hostFee;
    const take = fixed.percent(this.config.protocolTakeRatePct);
    const referrers = fixed.mul(interest, fixed.mul(take, fixed.bps(referralFeeBps)));
    this.pendingFees += referrers;
    this.protocolFees += hostFee + fixed.mul(interest, take) - referrers;
  }

  private addRewards(units: bigint, perYear: bigint, maxAprBps: bigint): void {
    if (this.minted === 0n) return;
    const wanted = this.config.rewardsAmountPerAccrualUnit * units;
    const allowed = (fixed.floor(this.supply) * maxAprBps * units) / (10_000n * perYear);
    const given = fixed.least(wanted, allowed, this.rewards);
    this.rewards -= given;
    this.available += given;
  }

  /** Growth of a debt in some seconds to come, at the present rate. */
  growthAhead(seconds: bigint): bigint {
    const { interestRateBasis: basis, hostFixedInterestRateBps } = this.config;
    const [perYear, perSecond] = [UNITS_PER_YEAR[basis], UNITS_PER_SECOND[basis]];
    if (perYear === undefined || perSecond === undefined) throw new Refusal('UnknownRateBasis');
    const rate = this.borrowRate() + fixed.bps(hostFixedInterestRateBps);
    return compounded(rate, seconds * perSecond, perYear);
  }

  private borrowRate(): bigint {
    const used = this.supply === 0n ? 0n : fixed.least(fixed.div(this.borrowed, this.supply), UNIT);
    const usedBps = Number(fixed.round(used * 10_000n));
    const { points } = this.config.borrowRateCurve;
    for (let i = 0; i + 1 < points.length; i += 1) {
      const [start, end] = [points[i], points[i + 1]];
      if (start === undefined || end === undefined) break;
      if (usedBps < start.utilizationRateBps || usedBps > end.utilizationRateBps) continue;
      if (usedBps === start.utilizationRateBps) return fixed.bps(start.borrowRateBps);
      if (usedBps === end.utilizationRateBps) return fixed.bps(end.borrowRateBps);
      const along = used - fixed.bps(start.utilizationRateBps);
      const climb = BigInt(end.borrowRateBps - start.borrowRateBps);
      const width = BigInt(end.utilizationRateBps - start.utilizationRateBps);
      return (along * climb) / width + fixed.bps(start.borrowRateBps);
    }
    throw new Refusal('InvalidBorrowRateCurvePoint');
  }

  private get isEmpty(): boolean {
    return this.minted === 0n || this.supply === 0n;
  }

  toLiquidity(collateral: bigint): bigint {
    return this.isEmpty ? collateral * UNIT : (collateral * this.supply) / this.minted;
  }

  /** Whole base units, rounded up. */
  toLiquidityUp(collateral: bigint): bigint {
    if (this.isEmpty) return collateral;
    return fixed.ceil((collateral * this.supply + this.minted - 1n) / this.minted);
  }

  /** Whole collateral tokens for whole base units. */
  toCollateral(liquidity: bigint): bigint {
    return this.isEmpty ? liquidity : fixed.floor(((liquidity * this.minted) << (2n * BITS)) / this.supply);
  }

  get free(): bigint {
    const queued = fixed.floor(this.toLiquidity(this.account.withdrawQueue.queuedCollateralAmount));
    return fixed.minus(this.available, queued);
  }

  get remainingBorrow(): bigint {
    return fixed.minus(this.config.borrowLimit * UNIT, this.borrowed);
  }

  private get mintFactor(): bigint {
    return 10n ** this.account.liquidity.mintDecimals * UNIT;
  }

  valueOf(amount: bigint): bigint {
    return (amount * this.account.liquidity.marketPriceSf) / this.mintFactor;
  }

  amountOf(value: bigint): bigint {
    const price = this.account.liquidity.marketPriceSf;
    if (price === 0n) throw new Refusal('DivisionByZero');
    return (value * this.mintFactor) / price;
  }

  borrowFactor(inGroup: boolean): bigint {
    return inGroup ? UNIT : fixed.most(UNIT, fixed.percent(this.config.borrowFactorPct));
  }
}

export interface DepositState {
  readonly reserve: ReserveState;
  collateral: bigint;
  value: bigint;
  inGroup: bigint;
}

export interface BorrowState {
  readonly reserve: ReserveState;
  amount: bigint;
  value: bigint;
  outside: bigint;
  readonly borrowedAt: bigint;
}

/** The accounts of an action. */
export interface ProgramAccounts extends Now {
  readonly market: LendingMarket;
  readonly obligation: Obligation;
  readonly reserves: ReadonlyMap<Address, Reserve>;
}

/** A refreshed obligation and its reserves, as the program holds them when the action starts. */
export class ProgramState {
  readonly reserves: ReadonlyMap<Address, ReserveState>;
  readonly deposits: DepositState[] = [];
  readonly borrows: BorrowState[] = [];
  deposited = 0n;
  allowed = 0n;
  unhealthy = 0n;
  debt = 0n;
  factoredDebt = 0n;
  obsolete = 0;
  borrowingDisabled = false;
  readonly accounts: ProgramAccounts;

  constructor(accounts: ProgramAccounts) {
    this.accounts = accounts;
    const { market } = accounts;
    this.reserves = new Map(
      [...accounts.reserves].map(([address, account]) => [address, new ReserveState(address, account)]),
    );
    for (const reserve of this.reserves.values()) reserve.accrue(accounts, market);
    this.refresh();
  }

  get groupId(): number {
    return this.accounts.obligation.elevationGroup;
  }

  get inGroup(): boolean {
    return this.groupId !== 0;
  }

  group() {
    if (!this.inGroup) return null;
    const group = this.accounts.market.elevationGroups[this.groupId - 1];
    if (group === undefined) throw new Refusal('InvalidElevationGroup');
    require(group.ltvPct !== 0 && group.liquidationThresholdPct !== 0, 'InvalidElevationGroup');
    return group;
  }

  reserve(address: Address): ReserveState {
    const found = this.reserves.get(address);
    if (found === undefined) throw new Refusal('InvalidAccountInput');
    return found;
  }

  isMember(reserve: ReserveState): boolean {
    return reserve.config.elevationGroups.includes(this.groupId);
  }

  /** Percent of a deposit's value: maximum loan, liquidation threshold. */
  percents(reserve: ReserveState): [number, number] {
    const group = this.group();
    return group === null
      ? [reserve.config.loanToValuePct, reserve.config.liquidationThresholdPct]
      : [group.ltvPct, group.liquidationThresholdPct];
  }

  /** A refresh takes the validity from the price of a reserve in emergency mode. */
  get hasPrices(): boolean {
    return [...this.deposits, ...this.borrows].every(({ reserve }) => !reserve.isInEmergency);
  }

  private refresh(): void {
    const { market, obligation } = this.accounts;
    const group = this.group();
    let owedInGroup = 0n;
    for (const borrow of obligation.borrows) {
      if (borrow.borrowReserve === NO_ADDRESS) continue;
      const reserve = this.reserve(borrow.borrowReserve);
      require(reserve.account.version === 1n, 'ReserveDeprecated');
      const then = borrow.cumulativeBorrowRateBsf.value.reduceRight((sum, limb) => (sum << 64n) | limb, 0n);
      const amount =
        reserve.cumulativeRate === then
          ? borrow.borrowedAmountSf
          : (borrow.borrowedAmountSf * reserve.cumulativeRate) / then;
      owedInGroup += fixed.ceil(amount);
      if (group === null) {
        reserve.outsideGroups =
          fixed.minus(reserve.outsideGroups, borrow.borrowedAmountOutsideElevationGroups) +
          fixed.ceil(amount);
      } else {
        require(this.isMember(reserve), 'InconsistentElevationGroup');
        require(reserve.address === group.debtReserve, 'ElevationGroupHasAnotherDebtReserve');
      }
      if (reserve.isObsolete) this.obsolete += 1;
      const value = reserve.valueOf(amount);
      this.debt += value;
      this.factoredDebt += fixed.mul(value, reserve.borrowFactor(this.inGroup));
      const outside = fixed.ceil(amount);
      this.borrows.push({ reserve, amount, value, outside, borrowedAt: borrow.lastBorrowedAtTimestamp });
    }
    if (group !== null) require(this.borrows.length <= 1, 'InconsistentElevationGroup');
    for (const deposit of obligation.deposits) {
      if (deposit.depositReserve === NO_ADDRESS) continue;
      const reserve = this.reserve(deposit.depositReserve);
      if (group === null && reserve.config.disableUsageAsCollOutsideEmode > 0) this.borrowingDisabled = true;
      if (reserve.isObsolete) this.obsolete += 1;
      require(reserve.account.version === 1n, 'ReserveDeprecated');
      if (group !== null) {
        require(this.isMember(reserve), 'InconsistentElevationGroup');
        require(reserve.address !== group.debtReserve, 'ElevationGroupDebtReserveAsCollateral');
        const index = group.id - 1;
        const counted = deposit.borrowedAmountAgainstThisCollateralInElevationGroup;
        reserve.inGroups[index] = fixed.minus(reserve.inGroups[index] ?? 0n, counted) + owedInGroup;
      }
      const value = reserve.valueOf(reserve.toLiquidity(deposit.depositedAmount));
      const [ltv, threshold] = this.percents(reserve);
      this.deposited += value;
      this.allowed += fixed.mul(value, fixed.percent(ltv));
      this.unhealthy += fixed.mul(value, fixed.percent(threshold));
      this.deposits.push({ reserve, collateral: deposit.depositedAmount, value, inGroup: owedInGroup });
    }
    this.allowed = fixed.least(this.allowed, market.globalAllowedBorrowValue * UNIT);
  }
}

import { UNIT } from '../../../packages/localnet/test/support/lending/program-state.ts';
import type { LendingAction } from '../../../src/builders/lending/request.ts';
import {
  type LendingSetting,
  NOW,
  type ReserveSetting,
  reserveAddress,
  SLOT,
} from '../builders/lending-accounts.ts';

const U64_MAX = (1n << 64n) - 1n;

/** Random numbers that a seed repeats. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 to 1, exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  hit(probability: number): boolean {
    return this.next() < probability;
  }

  /** From 0 to below `end`. */
  below(end: bigint): bigint {
    const wide =
      BigInt(Math.floor(this.next() * 2 ** 32)) * (1n << 32n) + BigInt(Math.floor(this.next() * 2 ** 32));
    return end <= 0n ? 0n : (wide * end) >> 64n;
  }

  /** A number whose magnitude is evenly spread between two powers of ten. */
  magnitude(from: number, to: number): bigint {
    const power = from + Math.floor(this.next() * (to - from + 1));
    return 10n ** BigInt(power) + this.below(9n * 10n ** BigInt(power));
  }

  pick<T>(first: T, ...others: readonly T[]): T {
    const index = Math.floor(this.next() * (others.length + 1));
    return index === 0 ? first : (others[index - 1] ?? first);
  }
}

export interface RandomState {
  readonly action: LendingAction;
  /** Index of the reserve acted on. */
  readonly reserve: number;
  readonly setting: LendingSetting;
}

interface Numbers {
  readonly decimals: number;
  /** Fixed point. */
  readonly price: bigint;
  readonly available: bigint;
  readonly borrowed: bigint;
  readonly minted: bigint;
}

function numbers(chance: Chance): Numbers {
  const decimals = chance.pick(5, 6, 8, 9);
  const available = chance.magnitude(decimals + 1, decimals + 5);
  const borrowed = chance.hit(0.1) ? 0n : chance.below(available * 4n * UNIT);
  const supply = available + borrowed / UNIT;
  return {
    decimals,
    // From a thousandth of a cent to 100 000 USD.
    price: (chance.magnitude(0, 9) * UNIT) / 100_000n + chance.below(UNIT / 1_000_000n),
    available,
    borrowed,
    minted: (supply * (700n + chance.below(301n))) / 1_000n + 1n,
  };
}

/** Base units worth about so many USD cents, within what the accounts can store. */
function unitsFor({ decimals, price }: Numbers, cents: bigint): bigint {
  const units = (cents * 10n ** BigInt(decimals) * UNIT) / (price * 100n);
  return units < 10n ** 16n ? units : 10n ** 16n;
}

function cap(chance: Chance, about: bigint) {
  return {
    configCapacity: chance.below(about * 2n),
    currentTotal: chance.below(about) - about / 2n,
    lastIntervalStartTimestamp: NOW.timestamp - chance.below(200n),
    configIntervalLengthSeconds: 100n,
  };
}

function reserveSetting(
  chance: Chance,
  given: Numbers,
  group: boolean,
  about: bigint,
  accrues: boolean,
): ReserveSetting {
  const { decimals, price, available, borrowed, minted } = given;
  const supply = available + borrowed / UNIT;
  const ltv = chance.pick(0, 40, 65, 75, 80);
  const tracked = chance.below(borrowed / UNIT + 1n);
  const feeSf = chance.pick(0n, UNIT / 1_000n, UNIT / 100n, chance.below(UNIT / 2n));
  const farms = { farmCollateral: chance.hit(0.2), farmDebt: chance.hit(0.2) };
  const age = accrues ? chance.pick(1n, 2n, 3n, 4n, 77n) : 0n;
  return {
    decimals,
    available,
    collateral: minted,
    ...farms,
    // Without an oracle, the stored price counts: any 2^-60 fraction.
    oracle: null,
    change: {
      lastUpdate: { slot: SLOT - age, timestamp: Number(NOW.timestamp - age) },
      borrowedAmountOutsideElevationGroup: tracked,
      borrowedAmountsAgainstThisReserveInElevationGroups: [tracked],
      withdrawQueue: { queuedCollateralAmount: chance.hit(0.2) ? chance.below(minted) : 0n },
      liquidity: {
        borrowedAmountSf: borrowed,
        marketPriceSf: price,
        cumulativeBorrowRateBsf: { value: [UNIT + UNIT / 5n + chance.below(UNIT / 5n), 0n, 0n, 0n] },
        accumulatedProtocolFeesSf: borrowed / 1_000n,
      },
    },
    config: {
      status: chance.hit(0.03) ? 1 : chance.hit(0.03) ? 2 : 0,
      hostFixedInterestRateBps: chance.pick(0, 50),
      interestRateBasis: Number(age % 2n),
      protocolTakeRatePct: chance.pick(0, 10, 15),
      loanToValuePct: ltv,
      liquidationThresholdPct: ltv === 0 ? chance.pick(0, 50) : ltv + chance.pick(0, 3, 10),
      borrowFactorPct: chance.pick(90n, 100n, 125n, 333n),
      depositLimit: chance.hit(0.2) ? supply + chance.below(about * 2n) : 10n ** 18n,
      borrowLimit: chance.hit(0.25) ? borrowed / UNIT + chance.below(about * 2n) : 10n ** 18n,
      borrowLimitOutsideElevationGroup: chance.hit(0.2) ? tracked + chance.below(about * 2n) : U64_MAX,
      borrowLimitAgainstThisCollateralInElevationGroup: [
        chance.hit(0.2) ? tracked + chance.below(about * 2n) : U64_MAX,
      ],
      utilizationLimitBlockBorrowingAbovePct: chance.hit(0.15) ? 50 + Number(chance.below(50n)) : 0,
      disableUsageAsCollOutsideEmode: chance.hit(0.03) ? 1 : 0,
      elevationGroups: Uint8Array.of(group ? 1 : 0),
      fees: { originationFeeSf: feeSf, flashLoanFeeSf: 0n },
      ...(chance.hit(0.15) ? { depositWithdrawalCap: cap(chance, about) } : {}),
      ...(chance.hit(0.15) ? { debtWithdrawalCap: cap(chance, about) } : {}),
      ...(chance.hit(0.03) ? { debtMaturityTimestamp: NOW.timestamp + chance.pick(-1n, 0n, 1n) } : {}),
      ...(chance.hit(0.15) ? { debtTermSeconds: minted % 3n === 0n ? 100n : 20_000_000n } : {}),
      earlyRepayRemainingInterestPct: Number(minted % 101n),
    },
  };
}

/**
 * A market of three reserves and an obligation with deposits in some and debts in others, of a random health around its
 * limit. Most limits are far away, some are near; a few settings forbid the action.
 *
 * @param accrues whether the reserves were refreshed in an earlier slot.
 */
export function randomState(seed: number, accrues = false): RandomState {
  const chance = new Chance(seed);
  const action = chance.pick<LendingAction>('deposit', 'borrow', 'repay', 'withdraw');
  const group = chance.hit(0.4);
  const given = [numbers(chance), numbers(chance), numbers(chance)] as const;
  const [first, second, third] = given;
  const cents = chance.magnitude(0, 7);
  // Reserve 2 is the debt, the others are collateral; a group has no other debt.
  const deposits: (readonly [number, bigint])[] = [[0, unitsFor(first, cents) + 1n]];
  if (chance.hit(0.5)) deposits.push([1, unitsFor(second, chance.below(cents)) + 1n]);
  const owes = action === 'repay' || chance.hit(0.75);
  const debts: (readonly [number, bigint])[] = [];
  if (owes) debts.push([2, (unitsFor(third, cents) * chance.below(900n)) / 1_000n + 1n]);
  if (owes && !group && chance.hit(0.2))
    debts.push([1, unitsFor(second, chance.below(cents / 5n + 1n)) + 1n]);
  const acted = action === 'borrow' || action === 'repay' ? 2 : chance.hit(0.8) ? 0 : deposits.length - 1;
  const abouts = given.map((each) => unitsFor(each, cents) + 1n);
  // A sequence of its own, so that emergencies do not change the other numbers of a seed.
  const emergencies = new Chance(seed + 500_000);
  const reserves = given.map((each, i) => {
    const made = reserveSetting(chance, each, group && !chance.hit(0.02), abouts[i] ?? 1n, accrues);
    return { ...made, config: { ...made.config, emergencyMode: emergencies.hit(0.02) ? 1 : 0 } };
  });
  return {
    action,
    reserve: acted,
    setting: {
      reserves,
      deposits,
      balances: [U64_MAX, U64_MAX, U64_MAX],
      referred: chance.hit(0.2),
      market: {
        emergencyMode: chance.hit(0.01) ? 1 : 0,
        borrowDisabled: chance.hit(0.02) ? 1 : 0,
        referralFeeBps: chance.pick(0, 2_000),
        globalAllowedBorrowValue: chance.hit(0.1) ? chance.below(cents / 100n + 2n) : U64_MAX,
        minNetValueInObligationSf: chance.pick(0n, UNIT / 1_000_000n, (chance.below(cents) * UNIT) / 400n),
        elevationGroups: [
          {
            id: 1,
            ltvPct: chance.pick(85, 90, 95),
            liquidationThresholdPct: chance.pick(95, 97),
            allowNewLoans: chance.hit(0.95) ? 1 : 0,
            maxReservesAsCollateral: chance.pick(1, 2, 8),
            debtReserve: reserveAddress(2),
          },
        ],
      },
      change: {
        elevationGroup: group ? 1 : 0,
        autodeleverageMarginCallStartedTimestamp: chance.hit(0.03) ? NOW.timestamp : 0n,
        autodeleverageTargetLtvPct: chance.hit(0.03) ? 50 : 0,
        obligationOrders: chance.hit(0.05)
          ? [
              {
                conditionThresholdSf: UNIT,
                conditionType: chance.pick(1, 3),
                opportunityType: chance.pick(0, 1),
              },
            ]
          : [],
        borrows: debts.map(([index, units]) => ({
          borrowReserve: reserveAddress(index),
          borrowedAmountSf: units * UNIT + chance.below(UNIT),
          cumulativeBorrowRateBsf: { value: [UNIT + chance.below(UNIT / 5n), 0n, 0n, 0n] },
          borrowedAmountOutsideElevationGroups: chance.below(units),
          lastBorrowedAtTimestamp: NOW.timestamp - chance.below(200n),
        })),
      },
    },
  };
}

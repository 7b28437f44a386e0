import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import fc from 'fast-check';
import type { ProgramReserve, ProgramVault } from './vault-program.ts';

const units = (max: bigint) => fc.bigInt(0n, max);

/** Numbers from which a vault with fees, rewards and a holder is made. */
export const vaultNumbers = {
  idle: fc.oneof(fc.constant(0n), units(10n ** 11n)),
  /** Shares per thousand base units of assets. */
  sharesPerMille: fc.bigInt(400n, 2_500n),
  heldPerMille: fc.bigInt(1n, 1_000n),
  penaltyBps: fc.oneof(fc.constant(0n), fc.bigInt(1n, 300n)),
  minWithdraw: fc.constantFrom(0n, 10n, 1_000n),
  pendingFees: units(10n ** 6n),
  managementBps: fc.bigInt(0n, 200n),
  performanceBps: fc.bigInt(0n, 2_000n),
  secondsSinceCharge: fc.bigInt(0n, 10_000_000n),
  rewardPerSecond: fc.oneof(fc.constant(0n), units(1_000n)),
  rewardsAvailable: units(10n ** 7n),
  secondsSinceIssuance: fc.bigInt(0n, 100_000n),
};

export const reserveNumbers = fc.record({
  available: units(10n ** 12n),
  borrowed: units(10n ** 12n),
  /** Collateral per thousand base units of supply. */
  mintedPerMille: fc.bigInt(300n, 1_000n),
  /** The vault's part of the collateral, per mille. */
  ownedPerMille: fc.bigInt(1n, 900n),
});

type NumbersOf<T> = { readonly [K in keyof T]: T[K] extends fc.Arbitrary<infer V> ? V : never };

export type VaultNumbers = NumbersOf<typeof vaultNumbers> & {
  readonly reserves: readonly (typeof reserveNumbers extends fc.Arbitrary<infer V> ? V : never)[];
  /** Base units on top of the part of the amount. */
  readonly penaltyUnits?: bigint;
};

/** The vault as the independent port of the program has it, and as accounts have it. */
export function vaultOf(from: VaultNumbers, now: bigint) {
  const { idle, penaltyUnits = 0n } = from;
  const reserves = from.reserves.map(({ available, borrowed, mintedPerMille, ownedPerMille }) => {
    const minted = ((available + borrowed) * mintedPerMille) / 1_000n;
    return { available, borrowed, minted, owned: (minted * ownedPerMille) / 1_000n };
  });
  const value = reserves.reduce(
    (sum, { available, borrowed, minted, owned }) =>
      minted === 0n ? sum : sum + (owned * (available + borrowed)) / minted,
    idle,
  );
  const sharesIssued = (value * from.sharesPerMille) / 1_000n;
  const port: ProgramVault = {
    tokenAvailable: idle,
    sharesIssued,
    pendingFees: from.pendingFees < value ? from.pendingFees * FRACTION_ONE + from.pendingFees : 0n,
    // Some interest since the last charge, or a loss.
    prevAum: (value * FRACTION_ONE * 999n) / 1_000n,
    lastCharge: now - from.secondsSinceCharge,
    managementBps: from.managementBps,
    performanceBps: from.performanceBps,
    minWithdraw: from.minWithdraw,
    penaltyBps: from.penaltyBps,
    penaltyUnits,
    rewardPerSecond: from.rewardPerSecond,
    rewardsAvailable: from.rewardsAvailable,
    lastIssuance: now - from.secondsSinceIssuance,
    allocations: reserves.map(({ owned }) => owned),
  };
  const portReserves: ProgramReserve[] = reserves.map(({ available, borrowed, minted }) => ({
    available,
    lentBits: borrowed * FRACTION_ONE,
    minted,
  }));
  return {
    port,
    portReserves,
    reserves,
    held: (sharesIssued * from.heldPerMille) / 1_000n,
    /** Fields of the vault's account. The penalty is left to the test: the global configuration can have it too. */
    fields: {
      pendingFeesSf: port.pendingFees,
      prevAumSf: port.prevAum,
      lastFeeChargeTimestamp: port.lastCharge,
      managementFeeBps: port.managementBps,
      performanceFeeBps: port.performanceBps,
      minWithdrawAmount: port.minWithdraw,
      rewardInfo: {
        rewardPerSecond: port.rewardPerSecond,
        rewardsAvailable: port.rewardsAvailable,
        lastIssuanceTs: port.lastIssuance,
      },
    },
  };
}

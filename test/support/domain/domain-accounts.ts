import { type FarmState, farmState } from '@sluice/protocol/farms/farm-state';
import { type LendingMarket, lendingMarket } from '@sluice/protocol/klend/lending-market';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { type VaultState, vaultState } from '@sluice/protocol/kvault/vault-state';
import type { AccountLayout } from '@sluice/protocol/layout/account';
import type { Fields, StructInput, StructOf } from '@sluice/protocol/layout/struct';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { Moment } from '../../../src/domain/moment.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;

export const SLOT = 345_678_901n;
export const NOW: Moment = { slot: SLOT, timestamp: 1_750_000_000n, slotDurationMs: integer(400) };
/** Arbitrary addresses used as reserves. */
export const RESERVES: readonly Address[] = [klend, kvault, farms, WRAPPED_SOL_MINT];

const build =
  <F extends Fields>(layout: AccountLayout<F>, owner: Address) =>
  (fields: StructInput<F>): StructOf<F> =>
    layout.decode({ owner, data: layout.encode(fields) }, owner);

export const makeReserve: (fields: ReserveInput) => Reserve = build(reserve, klend);
export const makeMarket: (fields: MarketInput) => LendingMarket = build(lendingMarket, klend);
export const makeObligation: (fields: ObligationInput) => Obligation = build(obligation, klend);
export const makeVault: (fields: VaultInput) => VaultState = build(vaultState, kvault);
export const makeFarm: (fields: FarmInput) => FarmState = build(farmState, farms);

export type ReserveInput = Parameters<typeof reserve.encode>[0];
export type MarketInput = Parameters<typeof lendingMarket.encode>[0];
export type ObligationInput = Parameters<typeof obligation.encode>[0];
export type VaultInput = Parameters<typeof vaultState.encode>[0];
export type FarmInput = Parameters<typeof farmState.encode>[0];

/** A reserve of a six-decimal token: 1 million supplied, part of it lent, 80/85 % LTV, a curve with one kink. */
export function usualReserve(borrowed = 600_000_000_000n, fields: ReserveInput = {}): Reserve {
  return makeReserve({
    lastUpdate: { slot: SLOT },
    liquidity: {
      totalAvailableAmount: 1_000_000_000_000n - borrowed,
      borrowedAmountSf: borrowed * FRACTION_ONE,
      cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
      marketPriceSf: FRACTION_ONE,
      mintDecimals: 6n,
      ...fields.liquidity,
    },
    collateral: { mintTotalSupply: 1_000_000_000_000n },
    config: {
      loanToValuePct: 80,
      liquidationThresholdPct: 85,
      borrowFactorPct: 100n,
      protocolTakeRatePct: 20,
      depositLimit: 10n ** 15n,
      borrowLimit: 10n ** 15n,
      borrowLimitOutsideElevationGroup: (1n << 64n) - 1n,
      borrowRateCurve: {
        points: Array.from({ length: 11 }, (_, index) =>
          index === 0
            ? { utilizationRateBps: 0, borrowRateBps: 100 }
            : index === 1
              ? { utilizationRateBps: 8_000, borrowRateBps: 900 }
              : { utilizationRateBps: 10_000, borrowRateBps: 5_000 },
        ),
      },
      ...fields.config,
    },
    ...(fields.withdrawQueue === undefined ? {} : { withdrawQueue: fields.withdrawQueue }),
  });
}

/** Offset of `config.interestRateBasis` in a reserve. */
const RATE_BASIS = 4865;

/** An account of pseudo-random bytes after its discriminator. */
export function garbage<F extends Fields>(
  layout: AccountLayout<F>,
  seed: number,
  owner: Address,
): StructOf<F> {
  const data = new Uint8Array(layout.size);
  let state = seed | 1;
  for (let i = 0; i < data.length; i += 1) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    data[i] = seed % 7 === 0 ? 0xff : (state >>> 13) & 0xff;
  }
  data.set(layout.discriminator);
  // A basis that no program knows is refused before any number is computed.
  if (layout.name === 'Reserve') data[RATE_BASIS] = seed % 2;
  return layout.decode({ owner, data }, owner);
}

import {
  Reserve,
  type ReserveFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/Reserve.js';
import { KaminoReserve } from '@kamino-finance/klend-sdk/dist/classes/reserve.js';
import type { Address } from '@solana/kit';
import sdkDecimal from 'decimal.js/decimal.js';
import { curve, rate, typical } from '../accounts/klend-typical-reserve.ts';
import { SF, SLOT, U64_MAX, UNIX_SECONDS } from '../constants.ts';
import { bn, type Overrides } from '../fill.ts';
import type { Json } from '../normalise.ts';
import type { Prng } from '../prng.ts';
import { sdkAccount } from './sdk-account.ts';

/** The SDK's own copy; its default of 20 digits would hide differences that matter here. */
const { Decimal } = sdkDecimal;
Decimal.set({ precision: 60 });

export type ReserveOverrides = Overrides<ReserveFields>;
type Liquidity = NonNullable<ReserveOverrides['liquidity']>;
type Config = NonNullable<ReserveOverrides['config']>;

/** Nothing here asks an RPC. */
type NoRpc = Parameters<typeof KaminoReserve.initialize>[3];
export const noRpc = {} as NoRpc;

/** The SDK's own default, and the length for which the curve is defined. */
export const USUAL_SLOT_MS = 400;
export const NOMINAL_SLOT_MS = 500;

export interface WorldReserve {
  readonly address: Address;
  readonly data: string;
  readonly priceUsd: string;
  at(slotDurationMs: number): KaminoReserve;
}

export function worldReserve(address: Address, fields: ReserveOverrides, priceUsd: string): WorldReserve {
  const { state, data } = sdkAccount(Reserve, fields);
  const oracle = {
    mintAddress: state.liquidity.mintPubkey,
    decimals: new Decimal(10).pow(state.liquidity.mintDecimals.toString()),
    price: new Decimal(priceUsd),
    timestamp: UNIX_SECONDS,
    valid: true,
  };
  return {
    address,
    data,
    priceUsd,
    at: (slotDurationMs) => KaminoReserve.initialize(address, state, oracle, noRpc, slotDurationMs),
  };
}

export function plainDecimal(value: number | { toString(): string }): string {
  const decimal = new Decimal(value.toString());
  return decimal.isFinite() ? decimal.toFixed() : decimal.toString();
}

const oneOf = <T>(prng: Prng, first: T, ...rest: T[]): T => rest[prng.int(0, rest.length) - 1] ?? first;

/** A reserve without anything that the SDK treats differently from the program: no queue, no cap in force. */
export function plainReserve(prng: Prng, liquidity: Liquidity = {}, config: Config = {}): ReserveOverrides {
  return typical(prng, liquidity, { depositWithdrawalCap: {}, debtWithdrawalCap: {}, ...config });
}

/** Any size from dust to billions, any utilization, any settings that the program accepts. */
export function randomReserve(prng: Prng): ReserveOverrides {
  const size = 10n ** prng.between(1n, 17n);
  const borrowed = prng.between(0n, size * SF);
  const fees = borrowed / prng.between(50n, 100_000n);
  const knots = [0, ...[1, 2, 3].map(() => prng.int(1, 9_999)).sort((a, b) => a - b), 10_000];
  const rates = knots.map(() => prng.int(0, 20_000)).sort((a, b) => a - b);
  const points = [...new Set(knots)].map((knot, index): [number, number] => [knot, rates[index] ?? 0]);
  const exchange = prng.between(60n, 100n);
  const decimals = oneOf(prng, 6, 9, 0, 8);
  return {
    ...plainReserve(
      prng,
      {
        totalAvailableAmount: bn(prng.between(0n, size)),
        borrowedAmountSf: bn(borrowed),
        mintDecimals: bn(decimals),
        marketPriceSf: bn(prng.between(1n, 100_000n * SF)),
        cumulativeBorrowRateBsf: rate(prng.between(SF, 5n * SF)),
        accumulatedProtocolFeesSf: bn(fees / 4n),
        accumulatedReferrerFeesSf: bn(fees / 8n),
        pendingReferrerFeesSf: bn(fees / 16n),
      },
      {
        protocolTakeRatePct: prng.int(0, 100),
        hostFixedInterestRateBps: oneOf(prng, 0, prng.int(1, 1_000)),
        loanToValuePct: prng.int(0, 90),
        liquidationThresholdPct: prng.int(50, 95),
        borrowFactorPct: bn(prng.int(100, 300)),
        fees: { originationFeeSf: bn(prng.between(0n, SF / 100n)), flashLoanFeeSf: bn(U64_MAX) },
        borrowRateCurve: curve(points),
        utilizationLimitBlockBorrowingAbovePct: oneOf(prng, 0, prng.int(1, 100)),
        depositLimit: bn(size * 2n),
        borrowLimit: bn(prng.between(size / 2n, size * 2n)),
        borrowLimitOutsideElevationGroup: bn(prng.between(size / 2n, size * 2n)),
      },
    ),
    collateral: { mintTotalSupply: bn((size * exchange) / 100n + 1n) },
  };
}

/** Fields of every case that say when it is evaluated. */
export const moment: { [name: string]: Json } = { slot: `${SLOT}`, timestamp: `${UNIX_SECONDS}` };

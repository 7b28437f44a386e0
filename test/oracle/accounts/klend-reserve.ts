import {
  Reserve,
  type ReserveFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/Reserve.js';
import { anchorAccount, type CaseInput } from '../anchor-account.ts';
import { SF, SLOT, TOKEN_2022_PROGRAM, U64_MAX, UNIX_SECONDS } from '../constants.ts';
import { bn } from '../fill.ts';
import { caps, curve, rate, times, typical } from './klend-typical-reserve.ts';

const cases: CaseInput<ReserveFields>[] = [
  { name: 'typical', note: 'a stable coin, no farm, no elevation group', fields: (prng) => typical(prng) },
  {
    name: 'zero supply',
    note: 'nothing deposited, nothing borrowed, no cTokens',
    fields: (prng) => ({
      ...typical(prng, {
        totalAvailableAmount: bn(0),
        borrowedAmountSf: bn(0),
        accumulatedProtocolFeesSf: bn(0),
        accumulatedReferrerFeesSf: bn(0),
        pendingReferrerFeesSf: bn(0),
        cumulativeBorrowRateBsf: rate(SF),
      }),
      collateral: { mintPubkey: prng.address(), mintTotalSupply: bn(0), supplyVault: prng.address() },
    }),
  },
  {
    name: 'saturated utilization',
    note: 'nothing is available: everything supplied is borrowed',
    fields: (prng) =>
      typical(prng, {
        totalAvailableAmount: bn(0),
        accumulatedProtocolFeesSf: bn(0),
        accumulatedReferrerFeesSf: bn(0),
        pendingReferrerFeesSf: bn(0),
      }),
  },
  {
    name: 'fees above supply',
    note: 'fees exceed available plus borrowed, so a careless subtraction goes below zero',
    fields: (prng) =>
      typical(prng, {
        totalAvailableAmount: bn(1),
        borrowedAmountSf: bn(SF),
        accumulatedProtocolFeesSf: bn(5n * SF),
      }),
  },
  {
    name: 'elevation group limits',
    note: 'twenty groups listed, a limit and a debt for each of 32 groups, collateral only inside groups',
    fields: (prng) => ({
      ...typical(
        prng,
        {},
        {
          elevationGroups: times(20, (index) => index + 1),
          disableUsageAsCollOutsideEmode: 1,
          borrowLimitOutsideElevationGroup: bn(0),
          borrowLimitAgainstThisCollateralInElevationGroup: times(32, (index) =>
            bn(prng.bits(48) * BigInt(index % 3)),
          ),
        },
      ),
      borrowedAmountsAgainstThisReserveInElevationGroups: times(32, () => bn(prng.bits(40))),
    }),
  },
  {
    name: 'both farms set',
    note: 'a farm for collateral and one for debt',
    fields: (prng) => ({ ...typical(prng), farmCollateral: prng.address(), farmDebt: prng.address() }),
  },
  {
    name: 'collateral farm only',
    note: 'no farm for debt',
    fields: (prng) => ({ ...typical(prng), farmCollateral: prng.address() }),
  },
  {
    name: 'token-2022 liquidity',
    note: 'the liquidity mint belongs to Token-2022',
    fields: (prng) => typical(prng, { tokenProgram: TOKEN_2022_PROGRAM, mintDecimals: bn(9) }),
  },
  {
    name: 'host fee',
    note: 'a fixed host rate on top of a flat curve, flash loans disabled',
    fields: (prng) =>
      typical(
        prng,
        {},
        {
          hostFixedInterestRateBps: 75,
          fees: { originationFeeSf: bn(0), flashLoanFeeSf: bn(U64_MAX) },
          borrowRateCurve: curve([
            [0, 500],
            [10_000, 500],
          ]),
        },
      ),
  },
  {
    name: 'full curve',
    note: 'eleven different points, a scope price chain of four links',
    fields: (prng) => {
      const fields = typical(
        prng,
        {},
        { borrowRateCurve: curve(times(11, (i) => [i * 1_000, i * i * 90 + 7])) },
      );
      return {
        ...fields,
        config: {
          ...fields.config,
          tokenInfo: {
            ...fields.config?.tokenInfo,
            scopeConfiguration: {
              priceFeed: prng.address(),
              priceChain: [511, 0, 7, 302],
              twapChain: [1, 2, 3, 4],
            },
          },
        },
      };
    },
  },
  {
    name: 'negative withdrawal caps',
    note: 'signed caps below zero and at both ends',
    fields: (prng) =>
      typical(
        prng,
        {},
        {
          depositWithdrawalCap: caps((1n << 63n) - 1n, -(1n << 63n)),
          debtWithdrawalCap: caps(-1n, -5n),
        },
      ),
  },
  {
    name: 'stale and hidden',
    note: 'stale, prices never refreshed, status 2, price usage blocked, emergency mode',
    fields: (prng) => {
      const fields = typical(
        prng,
        {},
        { status: 2, emergencyMode: 1, blockCtokenUsage: 1, autodeleverageEnabled: 1 },
      );
      return {
        ...fields,
        lastUpdate: { slot: bn(SLOT - 900_000n), stale: 1, priceStatus: 0 },
        config: { ...fields.config, tokenInfo: { ...fields.config?.tokenInfo, blockPriceUsage: 1 } },
      };
    },
  },
  {
    name: 'withdraw queue',
    note: 'tickets wait for liquidity',
    fields: (prng) => ({
      ...typical(prng),
      withdrawQueue: {
        queuedCollateralAmount: bn(9_876_543_210n),
        nextIssuedTicketSequenceNumber: bn(1_042),
        nextWithdrawableTicketSequenceNumber: bn(1_017),
      },
    }),
  },
  {
    name: 'fixed term with rewards',
    note: 'term, maturity and rewards per slot are set; borrow factor above 100',
    fields: (prng) =>
      typical(
        prng,
        { rewardsAmountAvailable: bn(55_000_000_000n) },
        {
          debtMaturityTimestamp: bn(UNIX_SECONDS + 7_776_000n),
          debtTermSeconds: bn(2_592_000),
          earlyRepayRemainingInterestPct: 30,
          rewardsAmountPerSlot: bn(4_321),
          borrowFactorPct: bn(125),
        },
      ),
  },
  {
    name: 'rate above two limbs',
    note: 'the cumulative borrow rate uses all four limbs and its padding',
    fields: (prng) =>
      typical(prng, {
        cumulativeBorrowRateBsf: {
          value: times(4, () => bn(prng.bits(64))),
          padding: times(2, () => bn(prng.bits(64))),
        },
      }),
  },
];

export const reserveVectors = () => anchorAccount('klend-reserve', 'Reserve', 'klend', Reserve, cases);

import { type ReserveSpec, reserveSpec } from './reserve-specs.ts';

export interface GroupSpec {
  readonly id: number;
  readonly ltvPct: number;
  readonly liquidationPct: number;
  /** Symbol of the only token that may be borrowed. */
  readonly debt: string;
  readonly maxReserves: number;
}

export interface MarketSpec {
  readonly name: string;
  readonly referralFeeBps: number;
  readonly groups: readonly GroupSpec[];
  /** Highest yearly rate of its reserves' own rewards; absent turns them off. */
  readonly rewardsMaxAprBps?: number;
  /** Takes and pays tickets of the withdraw queue. */
  readonly withdrawQueue?: boolean;
  /** Lets fixed-term debts be rolled over, and liquidated once they have ended. */
  readonly terms?: boolean;
  /** Has an authority that must sign what its reserves permission. */
  readonly permissioned?: boolean;
  readonly reserves: readonly ReserveSpec[];
}

const TERM_DAYS = [7, 14, 21, 30, 45, 60, 75, 90, 105, 120, 150, 180];

/** The markets of one cell. There are 25 USDC reserves, enough for the vault with the most allocations. */
export const MARKET_SPECS: readonly MarketSpec[] = [
  {
    name: 'Harbor Market',
    referralFeeBps: 1500,
    withdrawQueue: true,
    groups: [
      { id: 1, ltvPct: 90, liquidationPct: 93, debt: 'SOL', maxReserves: 4 },
      { id: 2, ltvPct: 91, liquidationPct: 94, debt: 'USDC', maxReserves: 3 },
      { id: 3, ltvPct: 90, liquidationPct: 93, debt: 'USDT', maxReserves: 3 },
    ],
    reserves: [
      reserveSpec('SOL', 180_000, 62, { groups: [1], farms: 'debt', outflowCaps: true }),
      reserveSpec('USDC', 220_000, 83, { groups: [2, 3], farms: 'both', hostRateBps: 25 }),
      reserveSpec('USDT', 60_000, 80, { groups: [2, 3], outflowCaps: true }),
      reserveSpec('mSOL', 40_000, 8, { groups: [1] }),
      reserveSpec('jitoSOL', 90_000, 14, { groups: [1], farms: 'collateral' }),
      reserveSpec('hbSOL', 35_000, 5, { groups: [1], farms: 'collateral' }),
      reserveSpec('tdSOL', 20_000, 3, { groups: [1], groupCollateralOnly: true }),
      reserveSpec('wBTC', 60_000, 18),
      reserveSpec('wETH', 40_000, 31, { hostRateBps: 50 }),
      reserveSpec('HUSD', 45_000, 76, { groups: [2, 3], farms: 'debt' }),
      reserveSpec('EURK', 8_000, 55, { flashLoans: false }),
      reserveSpec('REEF', 5_000, 22),
      reserveSpec('KELP', 3_000, 12, { ltvPct: 0, liquidationPct: 0 }),
      reserveSpec('CORAL', 200, 5, { status: 1 }),
      reserveSpec('BUOY', 500, 9, { status: 2 }),
    ],
  },
  {
    name: 'Staking Market',
    referralFeeBps: 0,
    groups: [{ id: 1, ltvPct: 92, liquidationPct: 95, debt: 'SOL', maxReserves: 8 }],
    reserves: [
      reserveSpec('SOL', 50_000, 84, { groups: [1], utilizationBlockPct: 80 }),
      reserveSpec('mSOL', 9_000, 2, { groups: [1] }),
      reserveSpec('jitoSOL', 22_000, 4, { groups: [1], farms: 'collateral' }),
      reserveSpec('hbSOL', 12_000, 1, { groups: [1] }),
      reserveSpec('tdSOL', 7_000, 1, { groups: [1] }),
      reserveSpec('lgSOL', 11_000, 1, { groups: [1] }),
      reserveSpec('USDC', 12_000, 72),
      reserveSpec('USDC', 4_000, 60, { label: 'USDC Conservative', ltvPct: 0, liquidationPct: 0 }),
    ],
  },
  {
    name: 'Altcoin Market',
    referralFeeBps: 2000,
    groups: [],
    reserves: [
      reserveSpec('USDC', 14_000, 74, { farms: 'collateral' }),
      reserveSpec('USDC', 3_000, 66, { label: 'USDC Isolated', ltvPct: 0, liquidationPct: 0 }),
      reserveSpec('USDT', 6_000, 70),
      reserveSpec('SOL', 9_000, 58),
      reserveSpec('REEF', 6_000, 18),
      reserveSpec('BRINE', 4_000, 9, { hostRateBps: 100 }),
      reserveSpec('KELP', 3_500, 15),
      reserveSpec('CORAL', 2_500, 0),
      reserveSpec('BUOY', 1_200, 11),
      reserveSpec('wETH', 4_000, 20),
    ],
  },
  {
    name: 'Synthetic Dollar Market',
    referralFeeBps: 0,
    withdrawQueue: true,
    groups: [{ id: 1, ltvPct: 90, liquidationPct: 92, debt: 'USDC', maxReserves: 2 }],
    reserves: [
      reserveSpec('USDC', 30_000, 79, { groups: [1], hostRateBps: 15 }),
      reserveSpec('USDC', 6_000, 70, { label: 'USDC Senior' }),
      reserveSpec('USDT', 9_000, 73),
      reserveSpec('sDOL', 16_000, 20, { groups: [1] }),
      reserveSpec('ssDOL', 26_000, 4, { groups: [1], farms: 'collateral' }),
      reserveSpec('HUSD', 8_000, 61),
      reserveSpec('EURK', 900, 100, {
        saturated: true,
        queue: [
          { usd: 1_500, daysAgo: 1.4 },
          { usd: 4_000, daysAgo: 0.9, isCancelled: true },
          { usd: 900, daysAgo: 0.6 },
          { usd: 2_600, daysAgo: 0.2 },
        ],
      }),
    ],
  },
  {
    name: 'Perps Liquidity Market',
    referralFeeBps: 500,
    groups: [],
    rewardsMaxAprBps: 500,
    reserves: [
      reserveSpec('PLP', 48_000, 1, { farms: 'collateral' }),
      reserveSpec('USDC', 26_000, 81, { rewards: { perUnit: 4_000n, total: 900_000_000_000n } }),
      // Its rewards were used up within days.
      reserveSpec('USDC', 5_000, 68, {
        label: 'USDC Senior',
        rewards: { perUnit: 3_000n, total: 1_500_000_000n },
      }),
      reserveSpec('SOL', 12_000, 35),
      reserveSpec('wBTC', 8_000, 17),
      reserveSpec('wETH', 6_000, 22),
    ],
  },
  {
    name: 'Treasury Market',
    referralFeeBps: 0,
    permissioned: true,
    groups: [{ id: 1, ltvPct: 88, liquidationPct: 91, debt: 'USDC', maxReserves: 2 }],
    reserves: [
      reserveSpec('tNOTE', 24_000, 1, { groups: [1], permissionedDeposits: true }),
      reserveSpec('USDC', 18_000, 77, { groups: [1] }),
      reserveSpec('USDC', 4_500, 58, { label: 'USDC Senior' }),
      reserveSpec('HUSD', 7_000, 64),
      reserveSpec('USDT', 5_000, 66),
      reserveSpec('ssDOL', 6_000, 3, { groups: [1] }),
    ],
  },
  {
    name: 'Bitcoin Market',
    referralFeeBps: 1000,
    groups: [{ id: 1, ltvPct: 89, liquidationPct: 92, debt: 'wBTC', maxReserves: 1 }],
    reserves: [
      reserveSpec('wBTC', 46_000, 26, { groups: [1] }),
      reserveSpec('cvBTC', 18_000, 2, { groups: [1] }),
      reserveSpec('USDC', 21_000, 78),
      reserveSpec('USDC', 3_600, 62, { label: 'USDC Senior' }),
      reserveSpec('USDT', 6_500, 69),
      reserveSpec('SOL', 7_000, 30),
    ],
  },
  {
    name: 'Term Market',
    referralFeeBps: 0,
    terms: true,
    groups: [],
    reserves: [
      reserveSpec('SOL', 26_000, 20),
      reserveSpec('wBTC', 22_000, 10),
      ...TERM_DAYS.map((termDays, i) =>
        reserveSpec('USDC', 3_000, 55, {
          label: `USDC ${termDays}d`,
          termDays,
          // Borrowers of the longer terms pay half of the interest that an early repayment saves.
          ...(termDays >= 90 && { earlyRepayPct: 50 }),
          curve: [
            [0, 520 + 25 * i],
            [10_000, 520 + 25 * i],
          ],
        }),
      ),
    ],
  },
];

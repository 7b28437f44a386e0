/** Utilization and yearly rate, both in basis points. */
export type CurvePoint = readonly [utilizationBps: number, rateBps: number];

export interface ReserveSpec {
  /** Symbol of the token. */
  readonly token: string;
  /** Name of the reserve where the symbol is not unique. */
  readonly label?: string;
  /** Thousands of USD supplied by the large lenders. */
  readonly supplyKiloUsd: number;
  /** The share of it that is borrowed, in percent. */
  readonly utilizationPct: number;
  readonly ltvPct: number;
  readonly liquidationPct: number;
  readonly borrowFactorPct: number;
  readonly curve: readonly CurvePoint[];
  readonly takeRatePct: number;
  readonly originationFeeBps: number;
  readonly hostRateBps?: number;
  /** Elevation groups of the market that it belongs to. */
  readonly groups?: readonly number[];
  /** 0 active, 1 obsolete, 2 hidden. */
  readonly status?: number;
  readonly utilizationBlockPct?: number;
  readonly groupCollateralOnly?: boolean;
  /** Fixed-term debt: days until maturity. */
  readonly termDays?: number;
  /** Percent of the remaining interest that an early repayment of fixed-term debt costs. */
  readonly earlyRepayPct?: number;
  /** Rates are true yearly rates, accrued per second instead of per slot. */
  readonly perSecond?: boolean;
  /** Rewards of its own: base units per slot or second, and in all. */
  readonly rewards?: { readonly perUnit: bigint; readonly total: bigint };
  /** The market's permissioning authority must sign deposits. */
  readonly permissionedDeposits?: boolean;
  readonly flashLoans?: boolean;
  readonly outflowCaps?: boolean;
  readonly farms?: 'collateral' | 'debt' | 'both';
  /** Fully borrowed; no other wallet uses it. */
  readonly saturated?: boolean;
  /** Tickets in its withdraw queue, the first one first. */
  readonly queue?: readonly QueuedTicketSpec[];
}

/** Each is of a wallet of its own, whose deposit was made when the reserve was opened. */
export interface QueuedTicketSpec {
  /** Value of the deposit at present prices, without its interest. */
  readonly usd: number;
  readonly daysAgo: number;
  /** The wallet has its collateral tokens back; the ticket waits for its turn to be closed. */
  readonly isCancelled?: boolean;
}

const DOLLAR: readonly CurvePoint[] = [
  [0, 40],
  [5000, 310],
  [7000, 480],
  [8500, 640],
  [9000, 820],
  [9500, 1900],
  [10_000, 5800],
];
const SOLANA: readonly CurvePoint[] = [
  [0, 60],
  [4000, 260],
  [6500, 420],
  [8000, 610],
  [9000, 940],
  [9500, 2600],
  [10_000, 8000],
];
const STAKED: readonly CurvePoint[] = [
  [0, 10],
  [4500, 150],
  [7000, 900],
  [10_000, 15_000],
];
const MAJOR: readonly CurvePoint[] = [
  [0, 30],
  [5000, 240],
  [8000, 900],
  [10_000, 9000],
];
const ALTCOIN: readonly CurvePoint[] = [
  [0, 100],
  [3000, 700],
  [6000, 2200],
  [8000, 6000],
  [10_000, 25_000],
];

/** Reserves from this size have moved to rates per second, as on mainnet. */
const LARGE_KILO_USD = 40_000;

/** A reserve with the default parameters of its token's class. */
export function reserveSpec(
  token: string,
  supplyKiloUsd: number,
  utilizationPct: number,
  more: Partial<ReserveSpec> = {},
): ReserveSpec {
  const perSecond = supplyKiloUsd >= LARGE_KILO_USD;
  return { ...classOf(token), token, supplyKiloUsd, utilizationPct, perSecond, ...more };
}

type ClassFields = Pick<
  ReserveSpec,
  'ltvPct' | 'liquidationPct' | 'borrowFactorPct' | 'curve' | 'takeRatePct' | 'originationFeeBps'
>;

function classOf(token: string): ClassFields {
  if (['USDC', 'USDT', 'HUSD', 'sDOL', 'EURK'].includes(token)) {
    return {
      ltvPct: 80,
      liquidationPct: 86,
      borrowFactorPct: 100,
      curve: DOLLAR,
      takeRatePct: 10,
      originationFeeBps: 1,
    };
  }
  if (token === 'SOL') {
    return {
      ltvPct: 74,
      liquidationPct: 80,
      borrowFactorPct: 100,
      curve: SOLANA,
      takeRatePct: 12,
      originationFeeBps: 2,
    };
  }
  if (token.endsWith('SOL')) {
    return {
      ltvPct: 65,
      liquidationPct: 72,
      borrowFactorPct: 125,
      curve: STAKED,
      takeRatePct: 20,
      originationFeeBps: 5,
    };
  }
  if (['wBTC', 'wETH', 'cvBTC'].includes(token)) {
    return {
      ltvPct: 68,
      liquidationPct: 76,
      borrowFactorPct: 115,
      curve: MAJOR,
      takeRatePct: 15,
      originationFeeBps: 2,
    };
  }
  if (['ssDOL', 'tNOTE', 'PLP'].includes(token)) {
    return {
      ltvPct: 70,
      liquidationPct: 78,
      borrowFactorPct: 130,
      curve: MAJOR,
      takeRatePct: 20,
      originationFeeBps: 3,
    };
  }
  return {
    ltvPct: 40,
    liquidationPct: 55,
    borrowFactorPct: 180,
    curve: ALTCOIN,
    takeRatePct: 25,
    originationFeeBps: 10,
  };
}

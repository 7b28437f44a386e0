import type { KaminoReserve } from '@kamino-finance/klend-sdk/dist/classes/reserve.js';
import { curve } from '../accounts/klend-typical-reserve.ts';
import { SF, SLOT, U64_MAX } from '../constants.ts';
import { bn } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import {
  moment,
  NOMINAL_SLOT_MS,
  plainDecimal,
  plainReserve,
  type ReserveOverrides,
  randomReserve,
  USUAL_SLOT_MS,
  worldReserve,
} from './lending-world.ts';

const REFERRAL_FEE_BPS = 2_000;
const LATER = [1n, 2n, 3n, 4n, 5n, 150n, 216_000n, 5_000_000n];
const RANDOM_RESERVES = 24;

const noFees = {
  accumulatedProtocolFeesSf: bn(0),
  accumulatedReferrerFeesSf: bn(0),
  pendingReferrerFeesSf: bn(0),
};

const named: [name: string, fields: (prng: Prng) => ReserveOverrides][] = [
  ['typical', (prng) => plainReserve(prng)],
  [
    'nothing supplied',
    (prng) => ({
      ...plainReserve(prng, { ...noFees, totalAvailableAmount: bn(0), borrowedAmountSf: bn(0) }),
      collateral: { mintTotalSupply: bn(0) },
    }),
  ],
  ['nothing borrowed', (prng) => plainReserve(prng, { ...noFees, borrowedAmountSf: bn(0) })],
  ['everything borrowed', (prng) => plainReserve(prng, { ...noFees, totalAvailableAmount: bn(0) })],
  ['utilization above one', (prng) => plainReserve(prng, { totalAvailableAmount: bn(0) })],
  [
    'dust',
    (prng) => ({
      ...plainReserve(prng, { ...noFees, totalAvailableAmount: bn(1), borrowedAmountSf: bn(SF / 3n) }),
      collateral: { mintTotalSupply: bn(1) },
    }),
  ],
  ['host rate', (prng) => plainReserve(prng, {}, { hostFixedInterestRateBps: 250 })],
  ['protocol takes all', (prng) => plainReserve(prng, {}, { protocolTakeRatePct: 100 })],
  ['protocol takes nothing', (prng) => plainReserve(prng, {}, { protocolTakeRatePct: 0 })],
  [
    'on a knot',
    (prng) =>
      plainReserve(prng, { ...noFees, totalAvailableAmount: bn(2_000), borrowedAmountSf: bn(8_000n * SF) }),
  ],
  [
    'queued withdrawals',
    (prng) => ({ ...plainReserve(prng), withdrawQueue: { queuedCollateralAmount: bn(5_000_000_000_000n) } }),
  ],
  [
    'queue above what is available',
    (prng) => ({ ...plainReserve(prng), withdrawQueue: { queuedCollateralAmount: bn(20_000_000_000_000n) } }),
  ],
  [
    'flat curve',
    (prng) =>
      plainReserve(
        prng,
        {},
        {
          borrowRateCurve: curve([
            [0, 700],
            [10_000, 700],
          ]),
        },
      ),
  ],
  [
    'fixed term',
    (prng) =>
      plainReserve(
        prng,
        {},
        {
          debtTermSeconds: bn(2_592_000),
          borrowRateCurve: curve([
            [0, 900],
            [10_000, 900],
          ]),
          hostFixedInterestRateBps: 30,
        },
      ),
  ],
  ['no flash loans', (prng) => plainReserve(prng, {}, { fees: { flashLoanFeeSf: bn(U64_MAX) } })],
  ['no decimals', (prng) => plainReserve(prng, { mintDecimals: bn(0) })],
];

/** Figures of the SDK for the reserve at its last refresh, with rates for usual slots. */
function expectedNow(reserve: KaminoReserve): { [name: string]: Json } {
  return {
    totalSupply: plainDecimal(reserve.getTotalSupply()),
    borrowed: plainDecimal(reserve.getBorrowedAmount()),
    utilization: plainDecimal(reserve.calculateUtilizationRatio()),
    exchangeRate: plainDecimal(reserve.getCollateralExchangeRate()),
    cumulativeBorrowRate: plainDecimal(reserve.getCumulativeBorrowRate()),
    queuedLiquidity: plainDecimal(reserve.getQueuedLiquidityAmount(SLOT)),
    freelyAvailable: plainDecimal(reserve.getFreelyAvailableLiquidityAmount(SLOT)),
    depositTvl: plainDecimal(reserve.getDepositTvl()),
    borrowTvl: plainDecimal(reserve.getBorrowTvl()),
    borrowApr: plainDecimal(
      reserve.getKind().isFixedRate()
        ? reserve.calculateBorrowAPRFixedRate()
        : reserve.calculateBorrowAPR(SLOT, REFERRAL_FEE_BPS),
    ),
    supplyApr: plainDecimal(reserve.calculateSupplyAPR(SLOT, REFERRAL_FEE_BPS)),
    borrowApy: plainDecimal(
      reserve.getKind().isFixedRate() ? reserve.totalBorrowAPYFixedRate() : reserve.totalBorrowAPY(SLOT),
    ),
    supplyApy: plainDecimal(reserve.totalSupplyAPY(SLOT)),
    originationFee: plainDecimal(reserve.getBorrowFee()),
    flashLoanFee: plainDecimal(reserve.getFlashLoanFee()),
  };
}

/** The same reserve later, with slots of the nominal length: there the SDK accrues as the program does. */
function expectedLater(reserve: KaminoReserve, slots: bigint): Json {
  const slot = SLOT + slots;
  const { totalBorrow, totalSupply } = reserve.getEstimatedDebtAndSupply(slot, REFERRAL_FEE_BPS);
  const fees = reserve.getEstimatedAccumulatedProtocolFees(slot, REFERRAL_FEE_BPS);
  return {
    slot: `${slot}`,
    borrowed: plainDecimal(totalBorrow),
    totalSupply: plainDecimal(totalSupply),
    protocolFees: plainDecimal(fees.accumulatedProtocolFees),
    cumulativeBorrowRate: plainDecimal(reserve.calculateFutureCumulativeBorrowRate(slot)),
    exchangeRate: plainDecimal(reserve.getEstimatedCollateralExchangeRate(slot, REFERRAL_FEE_BPS)),
    utilization: plainDecimal(reserve.getEstimatedUtilizationRatio(slot, REFERRAL_FEE_BPS)),
    borrowApr: plainDecimal(reserve.calculateBorrowAPR(slot, REFERRAL_FEE_BPS)),
  };
}

export function reserveCases(): Json[] {
  const random = Array.from({ length: RANDOM_RESERVES }, (_, index): (typeof named)[number] => [
    `random ${index + 1}`,
    randomReserve,
  ]);
  return [...named, ...random].map(([name, fields]) => {
    const prng = new Prng(`maths/reserve/${name}`);
    const reserve = worldReserve(
      prng.address(),
      fields(prng),
      plainDecimal(Number(prng.between(1n, 10n ** 9n)) / 1e4),
    );
    const nominal = reserve.at(NOMINAL_SLOT_MS);
    return {
      name,
      ...moment,
      referralFeeBps: REFERRAL_FEE_BPS,
      slotDurationMs: USUAL_SLOT_MS,
      priceUsd: reserve.priceUsd,
      data: reserve.data,
      now: expectedNow(reserve.at(USUAL_SLOT_MS)),
      later: LATER.map((slots) => expectedLater(nominal, slots)),
    };
  });
}

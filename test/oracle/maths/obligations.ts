import {
  LendingMarket,
  type LendingMarketFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/LendingMarket.js';
import {
  Obligation,
  type ObligationFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/Obligation.js';
import { KaminoMarket } from '@kamino-finance/klend-sdk/dist/classes/market.js';
import { KaminoObligation } from '@kamino-finance/klend-sdk/dist/classes/obligation.js';
import { SLOT, U64_MAX } from '../constants.ts';
import { bn, type Overrides } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import { atFixedTime } from './fixed-clock.ts';
import { moment, NOMINAL_SLOT_MS, noRpc, plainDecimal, type WorldReserve } from './lending-world.ts';
import { obligationScenarios, type Scenario } from './obligation-scenarios.ts';
import { sdkAccount } from './sdk-account.ts';

function marketFields({ reserves, groups = [] }: Scenario): Overrides<LendingMarketFields> {
  return {
    referralFeeBps: 2_000,
    globalAllowedBorrowValue: bn(U64_MAX),
    liquidationMaxDebtCloseFactorPct: 10,
    elevationGroups: groups.map(({ debt, ltvPct, liquidationThresholdPct }, index) => ({
      id: index + 1,
      ltvPct,
      liquidationThresholdPct,
      allowNewLoans: 1,
      maxReservesAsCollateral: 8,
      debtReserve: addressOf(reserves, debt),
    })),
  };
}

function addressOf(reserves: readonly WorldReserve[], index: number) {
  const reserve = reserves[index];
  if (reserve === undefined) throw new Error(`no reserve ${index}`);
  return reserve.address;
}

function obligationFields({ reserves, deposits, borrows, group = 0 }: Scenario): Overrides<ObligationFields> {
  return {
    elevationGroup: group,
    hasDebt: borrows.length > 0 ? 1 : 0,
    deposits: deposits.map(([index, amount]) => ({
      depositReserve: addressOf(reserves, index),
      depositedAmount: bn(amount),
    })),
    borrows: borrows.map(([index, amountSf, rateSf]) => ({
      borrowReserve: addressOf(reserves, index),
      borrowedAmountSf: bn(amountSf),
      cumulativeBorrowRateBsf: { value: [bn(rateSf & U64_MAX), bn(rateSf >> 64n)] },
    })),
  };
}

/** Slots of nominal length: rates play no part here, and later slots accrue as the program does. */
function obligationCase(scenario: Scenario): Json {
  const { name, reserves, later = 0n } = scenario;
  const prng = new Prng(`maths/obligation/${name}/accounts`);
  const slot = SLOT + later;
  const marketAccount = sdkAccount(LendingMarket, marketFields(scenario));
  const account = sdkAccount(Obligation, obligationFields(scenario));
  const market = KaminoMarket.createMarket(
    noRpc as Parameters<typeof KaminoMarket.createMarket>[0],
    marketAccount.state,
    prng.address(),
    new Map(reserves.map((reserve) => [reserve.address, reserve.at(NOMINAL_SLOT_MS)])),
    NOMINAL_SLOT_MS,
  );
  const { state } = account;
  const rates = KaminoObligation.getRatesForObligation(market, state.deposits, state.borrows, slot);
  const obligation = new KaminoObligation(
    market,
    prng.address(),
    state,
    rates.collateralExchangeRates,
    rates.cumulativeBorrowRates,
  );
  const position = ({ amount, marketValueRefreshed }: { amount: object; marketValueRefreshed: object }) => ({
    amount: plainDecimal(amount),
    valueUsd: plainDecimal(marketValueRefreshed),
  });
  const { potentialElevationGroupUpdate: _, ...stats } = obligation.refreshedStats;
  return {
    name,
    ...moment,
    slot: `${slot}`,
    slotDurationMs: NOMINAL_SLOT_MS,
    market: marketAccount.data,
    obligation: account.data,
    reserves: Object.fromEntries(
      reserves.map(({ address, data, priceUsd }) => [address, { data, priceUsd }]),
    ),
    expected: {
      deposits: Object.fromEntries([...obligation.deposits].map(([key, value]) => [key, position(value)])),
      borrows: Object.fromEntries([...obligation.borrows].map(([key, value]) => [key, position(value)])),
      stats: Object.fromEntries(Object.entries(stats).map(([key, value]) => [key, plainDecimal(value)])),
      maxBorrow: atFixedTime(() =>
        Object.fromEntries(
          reserves.map(({ address }) => [
            address,
            plainDecimal(obligation.getMaxBorrowAmountV2(market, address, slot)),
          ]),
        ),
      ),
      maxWithdraw: atFixedTime(() =>
        Object.fromEntries(
          [...obligation.deposits.keys()].map((address) => [
            address,
            plainDecimal(obligation.getMaxWithdrawAmount(market, address, slot).maxWithdrawAmount),
          ]),
        ),
      ),
      groups: obligation.getElevationGroupsForObligation(market).map(({ elevationGroup }) => elevationGroup),
    },
  };
}

export const obligationCases = (): Json[] => obligationScenarios().map(obligationCase);

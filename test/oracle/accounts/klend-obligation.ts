import {
  Obligation,
  type ObligationFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/Obligation.js';
import { anchorAccount, type CaseInput } from '../anchor-account.ts';
import { SF, SLOT, U64_MAX, UNIX_SECONDS } from '../constants.ts';
import { bn, type Overrides } from '../fill.ts';
import type { Prng } from '../prng.ts';

type Fields = Overrides<ObligationFields>;
type Deposit = NonNullable<Fields['deposits']>[number];
type Borrow = NonNullable<Fields['borrows']>[number];

const deposit = (prng: Prng): Deposit => ({
  depositReserve: prng.address(),
  depositedAmount: bn(prng.between(1n, 10n ** 13n)),
  marketValueSf: bn(prng.between(SF, SF * 10n ** 7n)),
});

const borrow = (prng: Prng): Borrow => {
  const rate = prng.between(SF, 3n * SF);
  return {
    borrowReserve: prng.address(),
    cumulativeBorrowRateBsf: { value: [bn(rate & U64_MAX), bn(rate >> 64n)] },
    lastBorrowedAtTimestamp: bn(UNIX_SECONDS - prng.between(0n, 10_000_000n)),
    borrowedAmountSf: bn(prng.between(SF, SF * 10n ** 12n)),
    marketValueSf: bn(prng.between(SF, SF * 10n ** 6n)),
    borrowFactorAdjustedMarketValueSf: bn(prng.between(SF, SF * 10n ** 6n)),
    borrowedAmountOutsideElevationGroups: bn(prng.between(0n, 10n ** 12n)),
  };
};

/** Slots say which places of the arrays are taken; a place that is left out is empty. */
function position(prng: Prng, depositSlots: number[], borrowSlots: number[]): Fields {
  const deposits: Deposit[] = Array.from({ length: 8 }, (_, i) =>
    depositSlots.includes(i) ? deposit(prng) : undefined,
  );
  const borrows: Borrow[] = Array.from({ length: 5 }, (_, i) =>
    borrowSlots.includes(i) ? borrow(prng) : undefined,
  );
  const hasDeposits = depositSlots.length > 0;
  const hasDebt = borrowSlots.length > 0;
  const value = (used: boolean, dollars: bigint) => bn(used ? prng.between(SF, SF * dollars) : 0n);
  return {
    lastUpdate: { slot: bn(SLOT), stale: 0, priceStatus: 63 },
    lendingMarket: prng.address(),
    owner: prng.address(),
    deposits,
    lowestReserveDepositLiquidationLtv: bn(hasDeposits ? 75 : 0),
    depositedValueSf: value(hasDeposits, 10n ** 7n),
    borrows,
    borrowFactorAdjustedDebtValueSf: value(hasDebt, 10n ** 6n),
    borrowedAssetsMarketValueSf: value(hasDebt, 10n ** 6n),
    allowedBorrowValueSf: value(hasDeposits, 10n ** 7n),
    unhealthyBorrowValueSf: value(hasDeposits, 10n ** 7n),
    hasDebt: hasDebt ? 1 : 0,
    highestBorrowFactorPct: bn(hasDebt ? 120 : 0),
    lowestReserveDepositMaxLtvPct: hasDeposits ? 70 : 0,
  };
}

const tags = [
  'vanilla',
  'multiply',
  'lending',
  'leverage',
  'multiply fixed',
  'lending fixed',
  'leverage fixed',
];

const cases: CaseInput<ObligationFields>[] = [
  { name: 'empty', note: 'opened, nothing deposited', fields: (prng) => position(prng, [], []) },
  { name: 'one deposit', note: 'no debt', fields: (prng) => position(prng, [0], []) },
  { name: 'one deposit and one borrow', note: 'the common case', fields: (prng) => position(prng, [0], [0]) },
  {
    name: 'eight deposits and five borrows',
    note: 'every place is taken',
    fields: (prng) => position(prng, [0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4]),
  },
  {
    name: 'holes between slots',
    note: 'empty places before and between taken ones',
    fields: (prng) => position(prng, [1, 4, 7], [2, 4]),
  },
  {
    name: 'emptied deposit keeps its reserve',
    note: 'the first place names a reserve and holds nothing',
    fields: (prng) => ({ ...position(prng, [], []), deposits: [{ depositReserve: prng.address() }] }),
  },
  {
    name: 'elevation group set',
    note: 'group 7; each collateral counts debt against it',
    fields: (prng) => ({
      ...position(prng, [], [0]),
      deposits: [
        { ...deposit(prng), borrowedAmountAgainstThisCollateralInElevationGroup: bn(123_456_789) },
        { ...deposit(prng), borrowedAmountAgainstThisCollateralInElevationGroup: bn(987_654) },
      ],
      elevationGroup: 7,
    }),
  },
  {
    name: 'unknown elevation group',
    note: 'group 255',
    fields: (prng) => ({ ...position(prng, [0], [0]), elevationGroup: 255 }),
  },
  {
    name: 'referrer set',
    note: 'refreshing needs a referrer token state for each borrow',
    fields: (prng) => ({ ...position(prng, [0, 1], [0, 1]), referrer: prng.address() }),
  },
  {
    name: 'orders',
    note: 'two repay orders, a borrow order and a rollover setting',
    fields: (prng) => ({
      ...position(prng, [0], []),
      borrows: [
        {
          ...borrow(prng),
          fixedTermBorrowRolloverConfig: {
            autoRolloverEnabled: 1,
            openTermAllowed: 1,
            migrationToFixedEnabled: 1,
            maxBorrowRateBps: 4_000_000_000,
            minDebtTermSeconds: bn(2_592_000),
          },
          borrowedAmountAtExpiration: bn(555_555),
        },
      ],
      obligationOrders: [
        {
          conditionThresholdSf: bn((SF * 7n) / 10n),
          opportunityParameterSf: bn(SF),
          conditionType: 1,
          opportunityType: 2,
        },
        {
          conditionThresholdSf: bn((SF * 3n) / 10n),
          minExecutionBonusBps: 10,
          maxExecutionBonusBps: 65_535,
          conditionType: 3,
        },
      ],
      borrowOrder: {
        debtLiquidityMint: prng.address(),
        remainingDebtAmount: bn(1_000_000),
        filledDebtDestination: prng.address(),
        minDebtTermSeconds: bn(604_800),
        fillableUntilTimestamp: bn(UNIX_SECONDS + 3_600n),
        placedAtTimestamp: bn(UNIX_SECONDS - 60n),
        lastUpdatedAtTimestamp: bn(UNIX_SECONDS - 30n),
        requestedDebtAmount: bn(2_000_000),
        maxBorrowRateBps: 4_294_967_295,
        active: 1,
        enableAutoRolloverOnFilledBorrows: 1,
      },
    }),
  },
  {
    name: 'ownership transfer and deleveraging',
    note: 'a pending owner, a margin call, borrowing disabled, stale',
    fields: (prng) => ({
      ...position(prng, [0], [0]),
      lastUpdate: { slot: bn(SLOT - 12_345n), stale: 1, priceStatus: 0 },
      borrowingDisabled: 1,
      autodeleverageTargetLtvPct: 42,
      numOfObsoleteDepositReserves: 1,
      numOfObsoleteBorrowReserves: 1,
      ownershipTransferState: 2,
      autodeleverageMarginCallStartedTimestamp: bn(UNIX_SECONDS - 86_400n),
      pendingOwner: prng.address(),
    }),
  },
  ...tags.map(
    (kind, tag): CaseInput<ObligationFields> => ({
      name: `tag ${tag}`,
      note: kind,
      fields: (prng) => ({ ...position(prng, [0], [0]), tag: bn(tag) }),
    }),
  ),
];

export const obligationVectors = () =>
  anchorAccount('klend-obligation', 'Obligation', 'klend', Obligation, cases);

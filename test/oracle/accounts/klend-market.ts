import {
  GlobalConfig,
  type GlobalConfigFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/GlobalConfig.js';
import {
  LendingMarket,
  type LendingMarketFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/LendingMarket.js';
import {
  ReferrerTokenState,
  type ReferrerTokenStateFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/ReferrerTokenState.js';
import {
  UserMetadata,
  type UserMetadataFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/UserMetadata.js';
import { anchorAccount, type CaseInput } from '../anchor-account.ts';
import { SF } from '../constants.ts';
import { bn, type Overrides, textBytes } from '../fill.ts';
import type { Prng } from '../prng.ts';

type Market = Overrides<LendingMarketFields>;
type Group = NonNullable<Market['elevationGroups']>[number];

const group = (prng: Prng, id: number): Group => ({
  id,
  maxLiquidationBonusBps: prng.int(0, 1_000),
  ltvPct: 90,
  liquidationThresholdPct: 93,
  allowNewLoans: id % 4 === 0 ? 0 : 1,
  maxReservesAsCollateral: prng.int(1, 8),
  debtReserve: prng.address(),
});

const market = (prng: Prng, groups: number, name: string): Market => ({
  version: bn(1),
  bumpSeed: bn(254),
  lendingMarketOwner: prng.address(),
  lendingMarketOwnerCached: prng.address(),
  quoteCurrency: textBytes('USD', 32),
  referralFeeBps: 2_000,
  priceRefreshTriggerToMaxAgePct: 50,
  liquidationMaxDebtCloseFactorPct: 10,
  insolvencyRiskUnhealthyLtvPct: 95,
  minFullLiquidationValueThreshold: bn(2),
  maxLiquidatableDebtMarketValueAtOnce: bn(500_000),
  globalAllowedBorrowValue: bn(45_000_000),
  emergencyCouncil: prng.address(),
  elevationGroups: Array.from({ length: groups }, (_, index) => group(prng, index + 1)),
  minNetValueInObligationSf: bn(SF / 1_000_000n),
  minValueSkipLiquidationLtvChecks: bn(100),
  name: textBytes(name, 32),
  minValueSkipLiquidationBfChecks: bn(50),
  individualAutodeleverageMarginCallPeriodSecs: bn(259_200),
  minInitialDepositAmount: bn(100_000),
  proposerAuthority: prng.address(),
  reserveRewardsMaxAprBps: 2_500,
});

const markets: CaseInput<LendingMarketFields>[] = [
  {
    name: 'no groups',
    note: 'a market without elevation groups',
    fields: (prng) => market(prng, 0, 'Main Market'),
  },
  { name: 'five groups', note: 'typical', fields: (prng) => market(prng, 5, 'Altcoins Market') },
  { name: '32 groups', note: 'every group is used', fields: (prng) => market(prng, 32, 'JLP Market') },
  {
    name: 'longest name',
    note: 'all 32 bytes of the name are used, some characters take several bytes',
    fields: (prng) => market(prng, 1, 'Märkt für Größen und Zähler'),
  },
  { name: 'no name', note: 'the name is empty', fields: (prng) => market(prng, 1, '') },
  {
    name: 'emergency',
    note: 'emergency mode, borrowing disabled, immutable, permissioned',
    fields: (prng) => ({
      ...market(prng, 2, 'Closed'),
      emergencyMode: 1,
      borrowDisabled: 1,
      autodeleverageEnabled: 1,
      immutable: 1,
      referralFeeBps: 0,
      permissioningAuthority: prng.address(),
      permissionedOps: bn(0b1011),
      withdrawTicketIssuanceEnabled: 1,
      withdrawTicketRedemptionEnabled: 1,
      withdrawTicketCancellationEnabled: 1,
      obligationOrderCreationEnabled: 1,
      obligationOrderExecutionEnabled: 1,
    }),
  },
];

const user = (prng: Prng): Overrides<UserMetadataFields> => ({ bump: bn(255), owner: prng.address() });

const users: CaseInput<UserMetadataFields>[] = [
  { name: 'plain', note: 'no referrer, no lookup table', fields: user },
  {
    name: 'referrer and lookup table',
    note: 'both are set',
    fields: (prng) => ({ ...user(prng), referrer: prng.address(), userLookupTable: prng.address() }),
  },
  {
    name: 'lookup table only',
    note: 'no referrer',
    fields: (prng) => ({ ...user(prng), userLookupTable: prng.address() }),
  },
];

const referrers: CaseInput<ReferrerTokenStateFields>[] = [
  {
    name: 'typical',
    note: 'fees collected, some of them claimed',
    fields: (prng) => ({
      referrer: prng.address(),
      mint: prng.address(),
      amountUnclaimedSf: bn(12_345n * SF + 678n),
      amountCumulativeSf: bn(987_654_321n * SF + 1n),
      bump: bn(253),
    }),
  },
  {
    name: 'fresh',
    note: 'nothing collected yet',
    fields: (prng) => ({ referrer: prng.address(), mint: prng.address(), bump: bn(255) }),
  },
];

const configs: CaseInput<GlobalConfigFields>[] = [
  {
    name: 'typical',
    note: 'three keys',
    fields: (prng) => ({
      globalAdmin: prng.address(),
      pendingAdmin: prng.address(),
      feeCollector: prng.address(),
    }),
  },
];

export const marketVectors = () => [
  anchorAccount('klend-lending-market', 'LendingMarket', 'klend', LendingMarket, markets),
  anchorAccount('klend-user-metadata', 'UserMetadata', 'klend', UserMetadata, users),
  anchorAccount('klend-referrer-token-state', 'ReferrerTokenState', 'klend', ReferrerTokenState, referrers),
  anchorAccount('klend-global-config', 'GlobalConfig', 'klend', GlobalConfig, configs),
];

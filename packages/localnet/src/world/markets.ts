import { elevationGroup, lendingMarket } from '@sluice/protocol/klend/lending-market';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { textBytes } from '@sluice/protocol/layout/codec';
import { derive } from '@sluice/protocol/layout/pda';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { LOOKUP_TABLE_PROGRAM, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import { putAddresses } from './address-bytes.ts';
import { type KeyPair, labelledKeyPair } from './key-pair.ts';
import { BONUS_BPS, LIQUIDATION_LIMITS, LIQUIDATION_PRIORITY_USD } from './liquidation-terms.ts';
import type { MarketSpec } from './market-specs.ts';
import type { Market, Reserve } from './model.ts';
import { digest, itemAt, labelledAddress } from './prng.ts';
import { GENESIS_SLOT } from './time.ts';

const { klend } = MAINNET_PROGRAMS;
/** Least value of a fill of a borrow order, as in the main market. */
const LEAST_ORDER_USD = 2n;
const DAY_SECONDS = 86_400n;
/**
 * Rollovers at any time in the last week of a term to another fixed term, in the last three days to none. Once a term has ended,
 * anyone may liquidate a part of the debt that grows to all of it in a month.
 */
const TERM_RULES = {
  fixedTermRolloverWindowDurationSeconds: 7n * DAY_SECONDS,
  openTermRolloverWindowDurationSeconds: 3n * DAY_SECONDS,
  obligationBorrowMigrationToFixedExecutionEnabled: 1,
  minPartialRolloverValue: 10n,
  obligationBorrowDebtTermLiquidationEnabled: 1,
  termBasedFullLiquidationDurationSecs: 30n * DAY_SECONDS,
};
/** The program's own default. */
const LEAST_TICKET_USD = 2n;

export function createMarket(seed: string, spec: MarketSpec, cell: number): Market {
  const name = cell === 0 ? spec.name : `${spec.name} ${cell + 1}`;
  const address = labelledAddress(seed, 'market', name);
  const authority = derive(klend, 'lma', addressBytes(address));
  return {
    address,
    name,
    cell,
    authority: authority.address,
    authorityBump: authority.bump,
    referralFeeBps: spec.referralFeeBps,
    groups: spec.groups,
    rewardsMaxAprBps: spec.rewardsMaxAprBps ?? 0,
    hasWithdrawQueue: spec.withdrawQueue === true,
    hasTerms: spec.terms === true,
    permissioningAuthority: spec.permissioned === true ? permissioner(seed).address : null,
    reserves: [],
    lookupTable: lookupTableAddress(marketOwner(seed), name),
  };
}

/** The address of a lookup table that the authority opened shortly after genesis. */
export function lookupTableAddress(authority: Address, label: string): Address {
  const slot = Buffer.alloc(8);
  slot.writeBigUInt64LE(GENESIS_SLOT + BigInt(digest('table', label).readUInt32LE(0)) / 1000n);
  return derive(LOOKUP_TABLE_PROGRAM, addressBytes(authority), slot).address;
}

/** Must sign what permissioned reserves demand. */
export const permissioner = (seed: string): KeyPair => labelledKeyPair(seed, 'permissioner');

export const marketOwner = (seed: string): Address => labelledAddress(seed, 'market-owner');

export function addMarket(store: AccountStore, seed: string, market: Market): void {
  const owner = marketOwner(seed);
  const groupsAt = lendingMarket.offsetOf('elevationGroups');
  store.add({
    address: market.address,
    owner: klend,
    encode(previous) {
      if (previous !== undefined) return previous.slice();
      const data = lendingMarket.encode({
        version: 1n,
        bumpSeed: BigInt(market.authorityBump),
        quoteCurrency: textBytes('USD'),
        referralFeeBps: market.referralFeeBps,
        autodeleverageEnabled: 1,
        ...LIQUIDATION_LIMITS,
        globalAllowedBorrowValue: U64_MAX,
        elevationGroups: market.groups.map((group) => ({
          maxLiquidationBonusBps: BONUS_BPS.mostInGroup,
          id: group.id,
          ltvPct: group.ltvPct,
          liquidationThresholdPct: group.liquidationPct,
          allowNewLoans: 1,
          maxReservesAsCollateral: group.maxReserves,
        })),
        minNetValueInObligationSf: (1n << 60n) / 1_000_000n,
        minValueSkipLiquidationLtvChecks: LIQUIDATION_PRIORITY_USD,
        name: textBytes(market.name),
        minValueSkipLiquidationBfChecks: LIQUIDATION_PRIORITY_USD,
        individualAutodeleverageMarginCallPeriodSecs: 259_200n,
        minInitialDepositAmount: 100_000n,
        obligationOrderExecutionEnabled: 1,
        obligationOrderCreationEnabled: 1,
        borrowOrderCreationEnabled: 1,
        borrowOrderExecutionEnabled: 1,
        minBorrowOrderFillValue: LEAST_ORDER_USD,
        obligationBorrowRolloverConfigurationEnabled: 1,
        matureReserveDebtLiquidationEnabled: 1,
        reserveRewardsMaxAprBps: market.rewardsMaxAprBps,
        ...(market.hasTerms && TERM_RULES),
        ...(market.hasWithdrawQueue && {
          withdrawTicketIssuanceEnabled: 1,
          withdrawTicketRedemptionEnabled: 1,
          withdrawTicketCancellationEnabled: 1,
          minWithdrawQueuedLiquidityValue: LEAST_TICKET_USD,
        }),
      });
      putAddresses(data, [
        [lendingMarket.offsetOf('lendingMarketOwner'), owner],
        [lendingMarket.offsetOf('lendingMarketOwnerCached'), owner],
        [lendingMarket.offsetOf('emergencyCouncil'), labelledAddress(seed, 'emergency-council')],
        [lendingMarket.offsetOf('proposerAuthority'), owner],
        ...(market.permissioningAuthority === null
          ? []
          : [[lendingMarket.offsetOf('permissioningAuthority'), market.permissioningAuthority] as const]),
        ...market.groups.map(
          (group, i) =>
            [
              groupsAt + i * elevationGroup.size + elevationGroup.offsets.debtReserve,
              groupDebtReserve(market, group.id),
            ] as const,
        ),
      ]);
      return data;
    },
  });
}

/** The only reserve that an obligation in the group may borrow from. */
function groupDebtReserve(market: Market, group: number): Address {
  const debt = itemAt(market.groups, group - 1).debt;
  return itemAt(
    market.reserves,
    market.reserves.findIndex((reserve) => reserve.token.symbol === debt),
  ).address;
}

/** The reserve of a market with this token. */
/** The reserve of a name, which tells reserves of one token apart. */
export function reserveLabelled(market: Market, label: string): Reserve {
  return itemAt(
    market.reserves,
    market.reserves.findIndex(({ spec }) => (spec.label ?? spec.token) === label),
  );
}

export function reserveOf(market: Market, symbol: string): Reserve {
  return itemAt(
    market.reserves,
    market.reserves.findIndex(({ token }) => token.symbol === symbol),
  );
}

import { presentAddress } from '@sluice/protocol/program-ids';
import { acceptedCollateral } from '../../../services/markets/accepted-collateral.ts';
import { groupsOfReserve } from '../../../services/markets/markets.ts';
import { paginate } from '../../../services/paging/paging.ts';
import { accountBase64, unreadableInView } from '../../../services/request/records.ts';
import { DEFAULT_RESERVE_ORDER, listReserves } from '../../../services/reserves/list.ts';
import * as reserves from '../../../services/reserves/reserves.ts';
import { lendingRewards } from '../../../services/rewards/rewards.ts';
import { tokenNamed } from '../../../services/tokens/tokens.ts';
import { sortVaults } from '../../../services/vaults/list.ts';
import { builder } from '../../builder.ts';
import { pageArgs } from '../../connections.ts';
import {
  ElevationGroupRef,
  FarmRef,
  farmLink,
  MarketRef,
  marketLink,
  ReserveConnection,
  ReserveRef,
  reserveLink,
  TokenRef,
  VaultConnection,
} from '../../node-refs.ts';
import { LendingRewardRef } from '../rewards/rewards.ts';
import { ApyBreakdownRef, PriceRef, TokenAmountRef } from '../values/amounts.ts';
import { ReserveFilterInput, ReserveOrderInput } from './reserve-inputs.ts';
import {
  CurvePointRef,
  InterestRateBasisRef,
  ReserveFeesRef,
  ReserveLimitsRef,
  ReserveRewardsRef,
  ReserveRiskRef,
  ReserveStatusRef,
} from './reserve-parts.ts';

ReserveRef.implement({
  description:
    'One token in one lending market, which users supply and borrow. Amounts include interest up to the slot of the View.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the reserve.' }),
    marketAddress: t.field({
      type: 'Address',
      description: 'Address of the market.',
      resolve: ({ value }) => value.lendingMarket,
    }),
    market: t.field({
      type: MarketRef,
      nullable: true,
      description: 'The market of the reserve. Null, with an error, when it cannot be read.',
      resolve: ({ value }, _args, { session }) => marketLink(session, value.lendingMarket),
    }),
    token: t.field({
      type: TokenRef,
      description: 'The token that is supplied and borrowed.',
      resolve: ({ value: { liquidity } }, _args, { session }) =>
        tokenNamed(session, liquidity.mintPubkey, Number(liquidity.mintDecimals)),
    }),
    collateralToken: t.field({
      type: TokenRef,
      description: 'The collateral token (cToken), which represents a share of the supply.',
      resolve: (reserve, _args, { session }) => {
        const { mint, decimals } = reserves.collateralToken(session.view, reserve);
        return tokenNamed(session, mint, decimals);
      },
    }),
    status: t.field({
      type: ReserveStatusRef,
      description: 'Status of the reserve.',
      resolve: ({ value }) => reserves.reserveStatus(value),
    }),
    emergencyMode: t.boolean({
      description:
        'Whether the reserve is in emergency mode. The lending program then refuses every action on it, and considers its price invalid: an obligation with a position in it cannot borrow, be liquidated, or withdraw while in debt.',
      resolve: ({ value }) => reserves.isInEmergency(value),
    }),
    price: t.field({
      type: PriceRef,
      nullable: true,
      description:
        'Price of the token that all values and limits use: the oracle\u2019s current price, which the lending program stores at the next refresh; every action begins with a refresh. The stored price, when the oracle reads zero; the stored price, marked stale, when no oracle can be read or the reserve is in emergency mode. Null when there is neither.',
      resolve: (reserve, _args, { session }) => reserves.reservePrice(session.view, reserve),
    }),
    storedPrice: t.field({
      type: PriceRef,
      nullable: true,
      description:
        'Price that the lending program stored at the last refresh of the reserve. Null when it stores none.',
      resolve: (reserve, _args, { session }) => reserves.storedPrice(session.view, reserve),
    }),
    reserveRewards: t.field({
      type: ReserveRewardsRef,
      description:
        "Rewards of the reserve's own token that the lending program adds to its supply. Part of `supplyApy` as `reserveRewards`.",
      resolve: (reserve, _args, { session }) => reserves.reserveRewards(session.view, reserve),
    }),
    supplied: t.field({
      type: TokenAmountRef,
      description: 'Total that belongs to suppliers: available plus borrowed, less fees.',
      resolve: (reserve, _args, { session }) => reserves.supplied(session.view, reserve),
    }),
    borrowed: t.field({
      type: TokenAmountRef,
      description: 'Total borrowed, with interest.',
      resolve: (reserve, _args, { session }) => reserves.borrowed(session.view, reserve),
    }),
    available: t.field({
      type: TokenAmountRef,
      description:
        'Liquidity that can be borrowed or withdrawn: held by the reserve and not queued for withdrawal.',
      resolve: (reserve, _args, { session }) => reserves.available(session.view, reserve),
    }),
    utilization: t.field({
      type: 'Decimal',
      description: 'Borrowed / supplied, as a fraction. 0 when nothing is supplied.',
      resolve: (reserve, _args, { session }) => reserves.utilization(session.view, reserve),
    }),
    supplyApy: t.field({
      type: ApyBreakdownRef,
      description: 'Current yield of suppliers, with all rewards.',
      resolve: (reserve, _args, { session }) => reserves.supplyYield(session.view, reserve),
    }),
    borrowApy: t.field({
      type: ApyBreakdownRef,
      description:
        'Current cost for borrowers, with all rewards. Rewards lower the cost, so their parts are negative.',
      resolve: (reserve, _args, { session }) => reserves.borrowYield(session.view, reserve),
    }),
    supplyApr: t.field({
      type: 'Decimal',
      description: 'Supply interest per year as a fraction, not compounded.',
      resolve: (reserve, _args, { session }) => reserves.supplyRate(session.view, reserve),
    }),
    borrowApr: t.field({
      type: 'Decimal',
      description: 'Borrow interest per year as a fraction, not compounded.',
      resolve: (reserve, _args, { session }) => reserves.borrowRate(session.view, reserve),
    }),
    exchangeRate: t.field({
      type: 'Decimal',
      description: 'Collateral tokens per supplied token, both in base units. 1 when nothing is supplied.',
      resolve: (reserve, _args, { session }) => reserves.exchangeRate(session.view, reserve),
    }),
    cumulativeBorrowRate: t.field({
      type: 'Decimal',
      description: 'Growth factor of a debt since the reserve was created. Starts at 1.',
      resolve: (reserve, _args, { session }) => reserves.cumulativeBorrowRate(session.view, reserve),
    }),
    interestRateBasis: t.field({
      type: InterestRateBasisRef,
      description: 'Unit of time in which the reserve accrues interest.',
      resolve: ({ value }) => reserves.interestRateBasis(value.config),
    }),
    interestRateBasisText: t.string({
      description: 'The basis of the rates in a sentence for users.',
      resolve: ({ value }, _args, { session }) => reserves.rateBasisText(session.view, value.config),
    }),
    borrowCurve: t.field({
      type: [CurvePointRef],
      description:
        'Borrow rate by utilization, with linear interpolation between the points, in the basis of `interestRateBasis`: rates per slot are not scaled to the real length of slots.',
      resolve: ({ value }) => reserves.borrowCurve(value.config),
    }),
    risk: t.field({
      type: ReserveRiskRef,
      description: 'Risk parameters outside elevation groups.',
      resolve: ({ value }) => reserves.reserveRisk(value),
    }),
    limits: t.field({
      type: ReserveLimitsRef,
      description: 'Supply and borrow limits.',
      resolve: (reserve, _args, { session }) => reserves.reserveLimits(session.view, reserve),
    }),
    fees: t.field({
      type: ReserveFeesRef,
      description: 'Fees of the reserve.',
      resolve: (reserve) => reserve,
    }),
    acceptedCollateral: t.field({
      type: [ReserveRef],
      description:
        'Reserves of the market against which this one can be borrowed now, largest supply first. Empty when it lends nothing, and when the market cannot be read.',
      resolve: (reserve, _args, { session }) => acceptedCollateral(session.view, reserve),
    }),
    elevationGroups: t.field({
      type: [ElevationGroupRef],
      description: 'Elevation groups that include this reserve. Empty when the market cannot be read.',
      resolve: (reserve, _args, { session }) => groupsOfReserve(session.view, reserve),
    }),
    collateralFarm: t.field({
      type: FarmRef,
      nullable: true,
      description:
        'The farm that rewards suppliers. Null when there is none; null with an error when it cannot be read.',
      resolve: ({ value }, _args, { session }) => {
        const farm = presentAddress(value.farmCollateral);
        return farm === null ? null : farmLink(session, farm);
      },
    }),
    debtFarm: t.field({
      type: FarmRef,
      nullable: true,
      description:
        'The farm that rewards borrowers. Null when there is none; null with an error when it cannot be read.',
      resolve: ({ value }, _args, { session }) => {
        const farm = presentAddress(value.farmDebt);
        return farm === null ? null : farmLink(session, farm);
      },
    }),
    rewards: t.field({
      type: [LendingRewardRef],
      description: 'Reward campaigns for suppliers and borrowers of this reserve that are running now.',
      args: {
        source: t.arg.string({ description: 'Points source of the campaigns. Defaults to the current one.' }),
      },
      resolve: ({ address }, { source }, { session }) =>
        lendingRewards(session.view, source).filter(
          ({ campaign }) => campaign.depositReserve === address || campaign.borrowReserve === address,
        ),
    }),
    vaults: t.field({
      type: VaultConnection,
      args: pageArgs(t.arg),
      description: 'Vaults that allocate to this reserve, most valuable first.',
      resolve: ({ address }, args, { session, warnings }, info) => {
        warnings.leftOut(info, unreadableInView(session.view, 'vault'));
        const list = (view: typeof session.view) => sortVaults(view, view.vaultsOfReserve(address));
        return paginate(session, { key: ['reserve.vaults', address], list }, args);
      },
    }),
    accountData: t.field({
      type: 'Base64',
      description: 'The raw account data.',
      resolve: (reserve, _args, { objects }, info) => objects.takeText(accountBase64(reserve), info),
    }),
    lastUpdateSlot: t.field({
      type: 'U64',
      description: 'Slot at which the program last refreshed the reserve.',
      resolve: ({ value }) => value.lastUpdate.slot,
    }),
    lastUpdatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time at which the program last refreshed the reserve. Null when a program before klend 1.25 wrote it.',
      resolve: ({ value }) => reserves.lastRefreshedAt(value),
    }),
    stale: t.boolean({
      description: 'Whether the program has marked the reserve as stale, in need of a refresh.',
      resolve: ({ value }) => value.lastUpdate.stale !== 0,
    }),
  }),
});

builder.queryFields((t) => ({
  reserve: t.field({
    type: ReserveRef,
    nullable: true,
    description:
      'Fetches a reserve by its address. Null, with an error, when there is none or it cannot be read.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the reserve.' }) },
    resolve: (_root, { address }, { session }) => reserveLink(session, address),
  }),
  reserves: t.field({
    type: ReserveConnection,
    description:
      'Reserves of all markets. Ordered by supply in USD, largest first, unless `orderBy` is given.',
    args: {
      filter: t.arg({ type: ReserveFilterInput, description: 'Filter. Defaults to all reserves.' }),
      orderBy: t.arg({
        type: ReserveOrderInput,
        description: 'Sort order. Defaults to supply in USD, largest first.',
      }),
      ...pageArgs(t.arg),
    },
    resolve: (_root, { filter, orderBy, ...page }, { session, warnings }, info) => {
      warnings.leftOut(info, unreadableInView(session.view, 'reserve', filter?.addresses));
      const [which, order] = [filter ?? {}, orderBy ?? DEFAULT_RESERVE_ORDER];
      const list = (view: typeof session.view) => listReserves(view, which, order);
      return paginate(session, { key: ['reserves', which, order], list }, page);
    },
  }),
}));

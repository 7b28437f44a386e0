import { presentAddress } from '../../programs/program-ids.ts';
import { groupsOfReserve } from '../../services/markets.ts';
import { paginate } from '../../services/paging.ts';
import { accountBase64 } from '../../services/records.ts';
import { DEFAULT_RESERVE_ORDER, listReserves } from '../../services/reserve-lists.ts';
import * as reserves from '../../services/reserves.ts';
import { lendingRewards } from '../../services/rewards.ts';
import { sortVaults } from '../../services/vault-lists.ts';
import { builder } from '../builder.ts';
import { pageArgs } from '../connections.ts';
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
  tokenLink,
  VaultConnection,
} from '../node-refs.ts';
import { ApyBreakdownRef, PriceRef, priceFrom, TokenAmountRef } from './amounts.ts';
import { ReserveFilterInput, ReserveOrderInput } from './reserve-inputs.ts';
import {
  CurvePointRef,
  ReserveFeesRef,
  ReserveLimitsRef,
  ReserveRewardsRef,
  ReserveRiskRef,
  ReserveStatusRef,
} from './reserve-parts.ts';
import { LendingRewardRef } from './rewards.ts';

ReserveRef.implement({
  description:
    'One token in one lending market: supplied by some, borrowed by others. Amounts include interest up to the View\u2019s slot.',
  fields: (t) => ({
    address: t.expose('address', {
      type: 'Address',
      nullable: false,
      description: 'Address of the reserve.',
    }),
    marketAddress: t.field({
      type: 'Address',
      nullable: false,
      description: 'Address of its market.',
      resolve: ({ value }) => value.lendingMarket,
    }),
    market: t.field({
      type: MarketRef,
      nullable: true,
      description: 'Its market. Null, with an error, when it cannot be read.',
      resolve: ({ value }, _args, { session }) => marketLink(session, value.lendingMarket),
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that is lent. Null, with an error, when its mint cannot be read.',
      resolve: ({ value }, _args, { session }) => tokenLink(session, value.liquidity.mintPubkey),
    }),
    collateralToken: t.field({
      type: TokenRef,
      nullable: true,
      description:
        'The collateral token (cToken) that stands for a share of the supply. Null, with an error, when its mint cannot be read.',
      resolve: ({ value }, _args, { session }) => tokenLink(session, value.collateral.mintPubkey),
    }),
    status: t.field({
      type: ReserveStatusRef,
      nullable: false,
      description: 'Whether it is in use.',
      resolve: ({ value }) => reserves.reserveStatus(value),
    }),
    price: t.field({
      type: PriceRef,
      nullable: true,
      description:
        'Price of the token as stored in the reserve: what the lending program used last. Null when it stores none.',
      resolve: (reserve, _args, { session }) =>
        priceFrom('RESERVE', reserves.reservePrice(session.view, reserve)),
    }),
    oraclePrice: t.field({
      type: PriceRef,
      nullable: true,
      description:
        'Price of the token by the oracle that the reserve names, as it was last read; the program takes it over at the next refresh. Null when the oracle has none.',
      resolve: (reserve, _args, { session }) =>
        priceFrom('SCOPE', reserves.oraclePrice(session.view, reserve)),
    }),
    reserveRewards: t.field({
      type: ReserveRewardsRef,
      nullable: false,
      description:
        'Rewards that the program pays straight into the reserve, as the account holds them. They are in no yield here.',
      resolve: (reserve, _args, { session }) => reserves.reserveRewards(session.view, reserve),
    }),
    supplied: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'What belongs to suppliers: available and borrowed, less fees.',
      resolve: (reserve, _args, { session }) => reserves.supplied(session.view, reserve),
    }),
    borrowed: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'What is lent out, with interest.',
      resolve: (reserve, _args, { session }) => reserves.borrowed(session.view, reserve),
    }),
    available: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'What can be borrowed or withdrawn: in the reserve and not queued for withdrawal.',
      resolve: (reserve, _args, { session }) => reserves.available(session.view, reserve),
    }),
    utilization: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Borrowed / supplied, a fraction; 0 without supply.',
      resolve: (reserve, _args, { session }) => reserves.utilization(session.view, reserve),
    }),
    supplyApy: t.field({
      type: ApyBreakdownRef,
      nullable: false,
      description: 'What suppliers earn in a year.',
      resolve: (reserve, _args, { session }) => reserves.supplyYield(session.view, reserve),
    }),
    borrowApy: t.field({
      type: ApyBreakdownRef,
      nullable: false,
      description: 'What borrowers pay in a year. Rewards lower the cost: their parts are negative.',
      resolve: (reserve, _args, { session }) => reserves.borrowYield(session.view, reserve),
    }),
    supplyApr: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Supply interest as a yearly rate, a fraction, not compounded.',
      resolve: (reserve, _args, { session }) => reserves.supplyRate(session.view, reserve),
    }),
    borrowApr: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Borrow interest as a yearly rate, a fraction, not compounded.',
      resolve: (reserve, _args, { session }) => reserves.borrowRate(session.view, reserve),
    }),
    exchangeRate: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Collateral per liquidity, both in base units; 1 while there is no supply.',
      resolve: (reserve, _args, { session }) => reserves.exchangeRate(session.view, reserve),
    }),
    cumulativeBorrowRate: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'By how much a debt has grown since the reserve began; starts at 1.',
      resolve: (reserve, _args, { session }) => reserves.cumulativeBorrowRate(session.view, reserve),
    }),
    borrowCurve: t.field({
      type: [CurvePointRef],
      nullable: false,
      description: 'Borrow rate by utilisation; straight lines between the points.',
      resolve: ({ value }) => reserves.borrowCurve(value.config),
    }),
    risk: t.field({
      type: ReserveRiskRef,
      nullable: false,
      description: 'How far its token counts as collateral and as debt, outside elevation groups.',
      resolve: ({ value }) => reserves.reserveRisk(value),
    }),
    limits: t.field({
      type: ReserveLimitsRef,
      nullable: false,
      description: 'What may be supplied and borrowed.',
      resolve: (reserve, _args, { session }) => reserves.reserveLimits(session.view, reserve),
    }),
    fees: t.field({
      type: ReserveFeesRef,
      nullable: false,
      description: 'What it charges.',
      resolve: (reserve) => reserve,
    }),
    elevationGroups: t.field({
      type: [ElevationGroupRef],
      nullable: false,
      description: 'Elevation groups that it is part of. Empty when its market cannot be read.',
      resolve: (reserve, _args, { session }) => groupsOfReserve(session.view, reserve),
    }),
    collateralFarm: t.field({
      type: FarmRef,
      nullable: true,
      description:
        'The farm that rewards suppliers. Null when there is none; with an error when it cannot be read.',
      resolve: ({ value }, _args, { session }) => {
        const farm = presentAddress(value.farmCollateral);
        return farm === null ? null : farmLink(session, farm);
      },
    }),
    debtFarm: t.field({
      type: FarmRef,
      nullable: true,
      description:
        'The farm that rewards borrowers. Null when there is none; with an error when it cannot be read.',
      resolve: ({ value }, _args, { session }) => {
        const farm = presentAddress(value.farmDebt);
        return farm === null ? null : farmLink(session, farm);
      },
    }),
    rewards: t.field({
      type: [LendingRewardRef],
      nullable: false,
      description: 'Campaigns on this reserve that run now, on either side.',
      args: { source: t.arg.string({ description: 'Points source; the current one when left out.' }) },
      resolve: ({ address }, { source }, { session }) =>
        lendingRewards(session.view, source).filter(
          ({ campaign }) => campaign.depositReserve === address || campaign.borrowReserve === address,
        ),
    }),
    vaults: t.field({
      type: VaultConnection,
      nullable: false,
      args: pageArgs(t.arg),
      description: 'Vaults that allocate to this reserve, most valuable first.',
      resolve: ({ address }, args, { session }) => {
        const list = (view: typeof session.view) => sortVaults(view, view.vaultsOfReserve(address));
        return paginate(session, { key: ['reserve.vaults', address], list }, args);
      },
    }),
    accountData: t.field({
      type: 'Base64',
      nullable: false,
      description: 'The whole account.',
      resolve: (reserve) => accountBase64(reserve),
    }),
    lastUpdateSlot: t.field({
      type: 'U64',
      nullable: false,
      description: 'Slot at which the program last refreshed it.',
      resolve: ({ value }) => value.lastUpdate.slot,
    }),
    stale: t.boolean({
      nullable: false,
      description: 'Whether the program has marked it as in need of a refresh.',
      resolve: ({ value }) => value.lastUpdate.stale !== 0,
    }),
  }),
});

builder.queryFields((t) => ({
  reserve: t.field({
    type: ReserveRef,
    nullable: true,
    description: 'A reserve by its address. Null, with an error, when there is none or it cannot be read.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the reserve.' }) },
    resolve: (_root, { address }, { session }) => reserveLink(session, address),
  }),
  reserves: t.field({
    type: ReserveConnection,
    nullable: false,
    description: 'Reserves of all markets, largest supply first unless ordered otherwise.',
    args: {
      filter: t.arg({ type: ReserveFilterInput, description: 'Which reserves. All when left out.' }),
      orderBy: t.arg({ type: ReserveOrderInput, description: 'In which order.' }),
      ...pageArgs(t.arg),
    },
    resolve: (_root, { filter, orderBy, ...page }, { session }) => {
      const [which, order] = [filter ?? {}, orderBy ?? DEFAULT_RESERVE_ORDER];
      const list = (view: typeof session.view) => listReserves(view, which, order);
      return paginate(session, { key: ['reserves', which, order], list }, page);
    },
  }),
}));

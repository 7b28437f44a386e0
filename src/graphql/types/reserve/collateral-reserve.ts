import { type CollateralUse, collateralUse } from '../../../services/history/collateral-use.ts';
import {
  type CollateralBorrowTerms,
  type CollateralReserve,
  collateralReserves,
  type DebtCategory,
} from '../../../services/markets/collateral-reserves.ts';
import { unreadableInView } from '../../../services/request/records.ts';
import { builder } from '../../builder.ts';
import { MarketRef, ReserveRef } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const DebtCategoryRef = builder.enumType('DebtCategory', {
  description: 'A category of tokens that can be borrowed.',
  values: {
    STABLECOIN: { description: 'Tokens that the catalogue of this deployment marks as stablecoins.' },
    SOL: { description: 'SOL and liquid-staking tokens.' },
    OTHER: { description: 'Any other token.' },
  } as const satisfies Record<DebtCategory, object>,
});

const CollateralBorrowTermsRef = builder.objectRef<CollateralBorrowTerms>('CollateralBorrowTerms').implement({
  description: 'Terms on which a reserve can be borrowed against a collateral.',
  fields: (t) => ({
    debtReserve: t.expose('debt', { type: ReserveRef, description: 'The reserve to borrow from.' }),
    elevationGroup: t.exposeInt('group', {
      description: 'Number of the elevation group that the loan must be in. 0 for terms outside groups.',
    }),
    maxLtv: t.expose('maxLtv', {
      type: 'Decimal',
      description: 'Maximum loan-to-value: the fraction of the collateral\u2019s value that can be borrowed.',
    }),
    liquidationLtv: t.expose('liquidationLtv', {
      type: 'Decimal',
      description:
        'Liquidation threshold: the fraction of the collateral\u2019s value at which the debt can be liquidated.',
    }),
    borrowFactor: t.expose('borrowFactor', {
      type: 'Decimal',
      description: 'Factor that multiplies the debt before it is compared with both LTVs. 1 in a group.',
    }),
    remaining: t.field({
      type: TokenAmountRef,
      description:
        'Amount that all borrowers together can still borrow on these terms now, fees included: the least of what the debt reserve can lend and the limit on debt outside groups, or against this collateral in the group.',
      resolve: (terms) => terms.room(),
    }),
  }),
});

const CollateralUseRef = builder.objectRef<CollateralUse>('CollateralUse').implement({
  description:
    'Use of a collateral, from the hourly scan of all loans and at its prices. A collateral of several debts is divided among them by their value, and a debt with several collaterals likewise, so that sums count nothing twice.',
  fields: (t) => ({
    collateralUsd: t.expose('collateralUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'Deposits that back these debts, in USD. Null when a loan had an unknown price.',
    }),
    debtUsd: t.expose('debtUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'Debts against this collateral, in USD. Null when a loan had an unknown price.',
    }),
    scannedAt: t.expose('scannedAt', { type: 'DateTime', description: 'Time of the scan.' }),
  }),
});

const CollateralReserveRef = builder.objectRef<CollateralReserve>('CollateralReserve').implement({
  description: 'A collateral with the debts of one category that it can back.',
  fields: (t) => ({
    reserve: t.expose('collateral', { type: ReserveRef, description: 'The reserve of the collateral.' }),
    debtCategory: t.expose('debtCategory', { type: DebtCategoryRef, description: 'Category of the debts.' }),
    terms: t.expose('terms', {
      type: [CollateralBorrowTermsRef],
      description:
        'Terms by reserve to borrow from, largest supply first. A reserve may have several, highest maximum loan-to-value first.',
    }),
    use: t.field({
      type: CollateralUseRef,
      nullable: true,
      description:
        'Existing loans between this collateral and these debts. Null before the first scan; null with an error when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
      resolve: (of, _args, { platform, session }) => collateralUse(platform, session, of),
    }),
  }),
});

builder.objectFields(MarketRef, (t) => ({
  collateralReserves: t.field({
    type: [CollateralReserveRef],
    description:
      'Borrowing against each collateral, with its terms and amounts: one entry per collateral and category of debt, largest supply first. Includes terms whose limits are used up, and excludes borrowing a token against itself. A reserve that cannot be read is left out and named in `extensions.warnings`.',
    resolve: (market, _args, { session, warnings }, info) => {
      warnings.leftOut(info, unreadableInView(session.view, 'reserve'));
      return [...collateralReserves(session.view, market)];
    },
  }),
}));

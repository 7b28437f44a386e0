import { collateralUse } from '../../services/history/collateral-use.ts';
import {
  type CollateralReserve,
  collateralReserves,
  type DebtCategory,
} from '../../services/markets/collateral-reserves.ts';
import { listMarkets, marketFacts, marketInView } from '../../services/markets/markets.ts';
import { tokenSymbol } from '../../services/tokens/tokens.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Call, operation } from '../operation/operation.ts';
import { decimal } from '../values/decimal.ts';
import { CollateralReserves, CollateralReservesQuery } from './collateral-schemas.ts';

const CATEGORY_NAMES = {
  STABLECOIN: 'Stablecoin assets',
  SOL: 'SOL assets',
  OTHER: 'Other assets',
} as const satisfies Record<DebtCategory, string>;

async function entryOf({ session, platform }: Call, entry: CollateralReserve) {
  const { market, collateral, debtCategory, terms } = entry;
  const { mintPubkey } = collateral.value.liquidity;
  const use = platform.recordsHistory ? await collateralUse(platform, session, entry) : null;
  return {
    lendingMarket: market.address,
    lendingMarketName: marketFacts(session.view, market).name,
    name: `${tokenSymbol(session.view, mintPubkey)} Borrow Market`,
    collateralReserve: collateral.address,
    collateralMint: mintPubkey,
    debtCategory: CATEGORY_NAMES[debtCategory],
    borrowReserves: [...new Set(terms.map(({ debt }) => debt.address))],
    borrowReserveTerms: terms.map(({ debt, group, maxLtv, liquidationLtv }) => ({
      reserve: debt.address,
      elevationGroup: group,
      maxLtv: decimal(maxLtv),
      liquidationLtv: decimal(liquidationLtv),
    })),
    collateralBackingDebtUsd: decimal(use?.collateralUsd),
    debtAgainstCollateralUsd: decimal(use?.debtUsd),
  };
}

export const COLLATERAL_RESERVES = operation({
  id: 'listCollateralReserves',
  method: 'get',
  path: '/markets/collateral-reserves',
  tag: 'Markets',
  summary: 'Borrowing against each collateral',
  description:
    'For each collateral and each category of debt: the reserves that can be borrowed from, on which terms, and existing loans. Borrowing a token against itself is left out. An unknown market is a 400.',
  graph:
    'query { markets(filter first) { nodes { address name collateralReserves { reserve { address token { mint symbol } } debtCategory terms { debtReserve { address } elevationGroup maxLtv liquidationLtv } use { collateralUsd debtUsd } } } } }',
  family: READ_ERRORS,
  holds: 'view',
  query: CollateralReservesQuery,
  response: CollateralReserves,
  example: ({ market }) => ({ query: { market } }),
  async answer(call, { query: { market } }) {
    const { view } = call.session;
    const markets = market === undefined ? listMarkets(view) : [marketInView(view, market)];
    const entries = markets.flatMap((each) => collateralReserves(view, each));
    return { collateralReserves: await Promise.all(entries.map((entry) => entryOf(call, entry))) };
  },
});

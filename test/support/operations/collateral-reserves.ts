import type { Shape } from '../contract/field-shapes.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';

const COLLATERAL: Shape = {
  fields: {
    lendingMarket: 'address',
    lendingMarketName: 'label',
    name: 'label',
    collateralReserve: 'address',
    collateralMint: 'address',
    debtCategory: { oneOf: ['Stablecoin assets', 'SOL assets', 'Other assets'] },
    borrowReserves: { list: 'address' },
    borrowReserveTerms: {
      list: {
        fields: {
          reserve: 'address',
          elevationGroup: 'integer',
          maxLtv: 'decimal',
          liquidationLtv: 'decimal',
        },
      },
    },
    collateralBackingDebtUsd: 'decimal',
    debtAgainstCollateralUsd: 'decimal',
  },
};

interface GraphEntry {
  readonly reserve: {
    readonly address: string;
    readonly token: { readonly mint: string; readonly symbol: string };
  };
  readonly debtCategory: string;
  readonly terms: readonly {
    readonly debtReserve: { readonly address: string };
    readonly elevationGroup: number;
    readonly maxLtv: string;
    readonly liquidationLtv: string;
  }[];
  readonly use: { readonly collateralUsd: string | null; readonly debtUsd: string | null } | null;
}

interface GraphMarket {
  readonly address: string;
  readonly name: string;
  readonly collateralReserves: readonly GraphEntry[];
}

const CATEGORIES: Readonly<Record<string, string>> = {
  STABLECOIN: 'Stablecoin assets',
  SOL: 'SOL assets',
  OTHER: 'Other assets',
};

const DOCUMENT = `query ($market: Address!) { market(address: $market) { address name collateralReserves {
  reserve { address token { mint symbol } } debtCategory
  terms { debtReserve { address } elevationGroup maxLtv liquidationLtv } use { collateralUsd debtUsd }
} } }`;

const PATH = '/markets/collateral-reserves';

export const COLLATERAL_RESERVE_ROW: OperationRow = {
  method: 'get',
  path: PATH,
  answer: { fields: { collateralReserves: { list: COLLATERAL } } },
  requests: ({ markets }) => [
    { url: PATH },
    ...markets.map((market) => ({ url: `${PATH}?market=${market}`, variables: { market } })),
  ],
  refusals: ({ addresses }) => [
    badRequest('no market', `${PATH}?market=nonsense`, 'market'),
    {
      name: 'unknown market',
      ask: { url: `${PATH}?market=${addresses.wallet}` },
      status: 400,
      code: 'KLEND_MARKET_NOT_FOUND',
    },
  ],
  async twin(graph, variables, rule) {
    const { market } = await graph<{ market: GraphMarket }>(DOCUMENT, variables);
    return {
      collateralReserves: market.collateralReserves.map(({ reserve, debtCategory, terms, use }) => ({
        lendingMarket: market.address,
        lendingMarketName: market.name,
        name: `${reserve.token.symbol} Borrow Market`,
        collateralReserve: reserve.address,
        collateralMint: reserve.token.mint,
        debtCategory: CATEGORIES[debtCategory],
        borrowReserves: [...new Set(terms.map(({ debtReserve }) => debtReserve.address))],
        borrowReserveTerms: terms.map(({ debtReserve, ...each }) => ({
          reserve: debtReserve.address,
          elevationGroup: each.elevationGroup,
          maxLtv: each.maxLtv,
          liquidationLtv: each.liquidationLtv,
        })),
        collateralBackingDebtUsd: rule.decimal(use?.collateralUsd),
        debtAgainstCollateralUsd: rule.decimal(use?.debtUsd),
      })),
    };
  },
};

import type { ParityRow } from './parity-row.ts';

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

export const COLLATERAL_PARITY: readonly ParityRow[] = [
  {
    path: '/markets/collateral-reserves',
    cases: ({ markets }) =>
      markets.map((market) => ({
        url: `/markets/collateral-reserves?market=${market}`,
        variables: { market },
      })),
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
  },
];

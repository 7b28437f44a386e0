/** Page size of the nested query. */
export const VAULTS = 50;

/** @param own extra selection for every object that could otherwise be shared between requests */
const nestedFields = (own: string) =>
  `address${own} name token { symbol${own} price { usd } } totalValue { amount usd } currentApy { total base farmRewards }
  allocations { actualShare invested { amount usd } reserve { address${own} supplyApy { total base } utilization price { usd }
    market { address${own} name } token { symbol${own} price { usd } } } }`;

/** Body of a GraphQL request. */
export interface GraphRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Difference between requests: nothing, a variable (defeats an answer cache), the operation name (also defeats a document
 * cache), or an alias in every object (also defeats reuse of parts of an answer). Only that alias changes the answer.
 */
export type Variation = 'same' | 'variables' | 'documents' | 'selections';

/** The minimum value is so small that it filters out no vault on the page. */
export function nested(variation: Variation, number: number, vaults = VAULTS): GraphRequest {
  const name = variation === 'documents' ? `Nested${number}` : 'Nested';
  const own = variation === 'selections' ? ` own${number}: __typename` : '';
  const least = variation === 'variables' ? `0.${String(number + 1).padStart(9, '0')}` : '0.000000001';
  return {
    query: `query ${name}($first: Int!, $least: Decimal) {
  vaults(first: $first, filter: { minTotalValueUsd: $least }) { nodes { ${nestedFields(own)} } } }`,
    variables: { first: vaults, least },
  };
}

export const portfolio = (wallet: string): GraphRequest => ({
  query: `query Portfolio($wallet: Address!) { wallet(address: $wallet) {
  vaultPositions { nodes { totalShares value { amount usd } vault { address name currentApy { total }
    allocations { invested { amount } reserve { address market { name } token { symbol price { usd } } } } } } }
  obligations { nodes { address healthFactor market { address name }
    deposits { amount { amount usd } reserve { address token { symbol price { usd } } } }
    borrows { amount { amount usd } reserve { address token { symbol price { usd } } } } } } } }`,
  variables: { wallet },
});

interface Token {
  readonly symbol: string;
  readonly price: { readonly usd: string } | null;
}
interface Amount {
  readonly amount: string;
  readonly usd: string | null;
}

/** The compared part of the nested answer. */
export interface NestedAnswer {
  readonly vaults: {
    readonly nodes: readonly {
      readonly address: string;
      readonly name: string;
      readonly token: Token;
      readonly totalValue: Amount | null;
      readonly currentApy: { readonly total: string; readonly base: string } | null;
      readonly allocations: readonly {
        readonly invested: Amount | null;
        readonly reserve: {
          readonly address: string;
          readonly supplyApy: { readonly total: string; readonly base: string };
          readonly utilization: string;
          readonly price: { readonly usd: string } | null;
          readonly market: { readonly address: string; readonly name: string };
          readonly token: Token;
        } | null;
      }[];
    }[];
  };
}

interface Position {
  readonly amount: Amount;
  readonly reserve: { readonly address: string; readonly token: Token };
}

export interface PortfolioAnswer {
  readonly wallet: {
    readonly vaultPositions: {
      readonly nodes: readonly {
        readonly totalShares: string;
        readonly value: Amount | null;
        readonly vault: { readonly address: string; readonly name: string };
      }[];
    };
    readonly obligations: {
      readonly nodes: readonly {
        readonly address: string;
        readonly healthFactor: string | null;
        readonly deposits: readonly Position[];
        readonly borrows: readonly Position[];
      }[];
    };
  };
}

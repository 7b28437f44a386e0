/** How many vaults the nested read asks for. */
export const VAULTS = 50;

/** @param own what stands in every object that others may ask for, too */
const nestedFields = (own: string) =>
  `address${own} name token { symbol${own} price { usd } } totalValue { amount usd } apy { total base farmRewards }
  allocations { actualShare invested { amount usd } reserve { address${own} supplyApy { total base } utilization price { usd }
    market { address${own} name } token { symbol${own} price { usd } } } }`;

/** A question as it is sent. */
export interface Question {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * What changes from one request to the next: nothing, a variable (so that no answer can be kept), the name of the
 * operation (so that nothing made of the document can be kept either), or a field's name in every object (so that not even
 * a part of the answer can be). The answer is the same but for that name.
 */
export type Variation = 'same' | 'variables' | 'documents' | 'selections';

/** Vaults of next to nothing are last in the order, so the least value that is asked for changes no answer. */
export function nested(variation: Variation, number: number, vaults = VAULTS): Question {
  const name = variation === 'documents' ? `Nested${number}` : 'Nested';
  const own = variation === 'selections' ? ` own${number}: __typename` : '';
  const least = variation === 'variables' ? `0.${String(number + 1).padStart(9, '0')}` : '0.000000001';
  return {
    query: `query ${name}($first: Int!, $least: Decimal) {
  vaults(first: $first, filter: { minTotalValueUsd: $least }) { nodes { ${nestedFields(own)} } } }`,
    variables: { first: vaults, least },
  };
}

export const portfolio = (wallet: string): Question => ({
  query: `query Portfolio($wallet: Address!) { wallet(address: $wallet) {
  vaultPositions { nodes { totalShares value { amount usd } vault { address name apy { total }
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

/** The answer to the nested read, as far as it is compared. */
export interface NestedAnswer {
  readonly vaults: {
    readonly nodes: readonly {
      readonly address: string;
      readonly name: string;
      readonly token: Token;
      readonly totalValue: Amount | null;
      readonly apy: { readonly total: string; readonly base: string } | null;
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

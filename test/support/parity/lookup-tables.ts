import type { ParityRow } from './parity-row.ts';

interface Table {
  readonly address: string;
}

/** Either field is null with an error for an address of the other kind, so each is asked alone. */
const managed = (kind: string) =>
  `query ($product: Address!) { product: ${kind}(address: $product) { lookupTable { address } } }`;

export const LOOKUP_TABLE_PARITY: readonly ParityRow[] = [
  {
    path: '/luts/find-minimal',
    cases: ({ reserves, vaults, addresses: { wallet, market } }) => {
      const some = [market, wallet, ...reserves.slice(0, 8).map(({ address }) => address)];
      const many = [...some, ...vaults.slice(0, 12).map(({ address }) => address)];
      return [
        { addresses: some },
        { addresses: many, userAccounts: [wallet] },
        { addresses: many, verify: true },
      ].map(({ addresses, ...rest }) => ({
        url: '/luts/find-minimal',
        body: { addresses, ...rest },
        variables: { covering: addresses, ...rest },
      }));
    },
    async twin(graph, variables) {
      const document = `query ($covering: [Address!]!, $userAccounts: [Address!], $verify: Boolean) {
        lookupTables(covering: $covering, userAccounts: $userAccounts, verify: $verify) { address }
      }`;
      const { lookupTables } = await graph<{ lookupTables: readonly Table[] }>(document, variables);
      return { lutAddresses: lookupTables.map(({ address }) => address) };
    },
  },
  {
    path: '/luts/managed',
    cases: ({ vaults, markets }) =>
      [
        ...vaults.map(({ address }) => ({ product: address, kind: 'vault' })),
        ...markets.map((product) => ({ product, kind: 'market' })),
      ].map((variables) => ({
        url: `/luts/managed?productIdentifierAddress=${variables.product}`,
        variables,
      })),
    async twin(graph, { product, kind }) {
      const answer = await graph<{ product: { lookupTable: Table | null } }>(managed(String(kind)), {
        product,
      });
      const { lookupTable } = answer.product;
      return {
        productIdentifierAddress: product,
        lutAddresses: lookupTable === null ? [] : [lookupTable.address],
      };
    },
  },
];

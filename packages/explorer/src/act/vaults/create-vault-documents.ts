import { graphql, type ResultOf } from '@sluice/client';

/** Reserves that a new vault can lend through. */
export const VAULT_RESERVES = graphql(`
  query VaultReserves($first: Int!, $tokenMints: [Address!]) {
    reserves(first: $first, filter: { tokenMints: $tokenMints, statuses: [ACTIVE] }) {
      nodes {
        id
        address
        supplyApy { total }
        token { id mint symbol decimals }
        market { id name }
      }
    }
  }
`);

export type VaultReserve = ResultOf<typeof VAULT_RESERVES>['reserves']['nodes'][number];

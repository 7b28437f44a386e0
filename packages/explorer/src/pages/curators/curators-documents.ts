import { graphql, type ResultOf } from '@sluice/client';

export const CURATORS = graphql(`
  query Curators($first: Int!, $after: String) {
    curators(first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        id
        address
        name
        verified
        logoUrl
        value { usd }
        fees { performance { usd } management { usd } pending { usd } }
        vaults(first: 1) { totalCount nodes { id address name } }
      }
    }
  }
`);

export type ListedCurator = ResultOf<typeof CURATORS>['curators']['nodes'][number];

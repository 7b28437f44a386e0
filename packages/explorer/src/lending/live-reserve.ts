import { graphql } from '@sluice/client';

/** Fields that change with every View. A query and a subscription that both select it can be merged by `id`. */
export const LIVE_RESERVE = graphql(`
  fragment LiveReserve on Reserve @_unmask {
    id
    price { usd source stale asOf failedChecks }
    utilization
    supplied { amount baseUnits usd }
    borrowed { amount baseUnits usd }
    available { amount baseUnits usd }
    supplyApr
    borrowApr
    supplyApy { base farmRewards incentives total }
    borrowApy { base farmRewards incentives total }
    limits {
      deposit { amount baseUnits usd }
      depositRemaining { amount baseUnits usd }
      borrow { amount baseUnits usd }
      borrowRemaining { amount baseUnits usd }
    }
  }
`);

export const LIVE_RESERVES = graphql(
  `
    subscription LiveReserves($addresses: [Address!]!) {
      reserves(addresses: $addresses) { reserve { ...LiveReserve } }
    }
  `,
  [LIVE_RESERVE],
);

/** Most addresses of one subscription, unless the gateway is set up otherwise. */
export const MOST_LIVE = 100;

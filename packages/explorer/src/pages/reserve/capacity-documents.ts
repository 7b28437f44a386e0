import { graphql, type ResultOf } from '@sluice/client';

const CAPACITY = graphql(`
  fragment CapacityFields on Capacity @_unmask {
    amount { amount usd }
    bindingLimit
    limits { name amount { amount usd } }
  }
`);

export const RESERVE_CAPACITY = graphql(
  `
    query ReserveCapacity($address: Address!) {
      reserve(address: $address) {
        id
        token { id symbol }
        capacity {
          supply { ...CapacityFields }
          borrow { ...CapacityFields }
          withdraw { ...CapacityFields }
          borrowRoutes {
            elevationGroup
            collateralAddress
            collateral { id address token { id symbol } }
            bindingLimit
            amount { amount usd }
            cap { amount usd }
          }
        }
      }
    }
  `,
  [CAPACITY],
);

export type ReserveCapacity = NonNullable<ResultOf<typeof RESERVE_CAPACITY>['reserve']>['capacity'];
export type Capacity = ResultOf<typeof CAPACITY>;
export type BorrowRoute = ReserveCapacity['borrowRoutes'][number];
export type Limit = Capacity['bindingLimit'];

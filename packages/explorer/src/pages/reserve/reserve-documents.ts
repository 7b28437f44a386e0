import { graphql, type ResultOf } from '@sluice/client';
import { LIVE_RESERVE } from '../../lending/live-reserve.ts';

export const RESERVE = graphql(
  `
    query Reserve($address: Address!) {
      chain { slotDurationMs blockTime }
      reserve(address: $address) {
        ...LiveReserve
        address
        status
        token { id symbol name mint }
        market { id address name }
        marketAddress
        borrowable { amount usd }
        interestRateBasis
        interestRateBasisText
        borrowCurve { utilization rate }
        borrowCaps {
          outsideElevationGroups {
            currentTotal { amount baseUnits usd }
            capacity { amount baseUnits usd }
          }
          againstCollateral {
            elevationGroup
            currentTotal { amount baseUnits usd }
            capacity { amount baseUnits usd }
            collateralReserve { id address token { id symbol } }
          }
        }
        limits { utilizationBorrowBlock }
        risk { maxLtv liquidationLtv borrowFactor minLiquidationBonus maxLiquidationBonus }
        terms {
          kind
          rate
          termSeconds
          maturesAt
          penaltyOfNewDebt
          rolloverWindowSeconds
          liquidatedAfterTerm
          liquidatedAfterMaturity
        }
        fees { protocolTake hostFixedRate origination flashLoan accumulatedProtocol { amount usd } }
        acceptedCollateral { id address token { id symbol } }
        elevationGroups {
          id
          number
          maxLtv
          liquidationLtv
          allowsNewLoans
          debtReserve { id address token { id symbol } }
        }
      }
    }
  `,
  [LIVE_RESERVE],
);

export type ReserveDetail = NonNullable<ResultOf<typeof RESERVE>['reserve']>;

export const RESERVE_USE = graphql(`
  query ReserveUse($address: Address!) {
    reserve(address: $address) {
      id
      address
      vaults(first: 50) {
        totalCount
        nodes {
          id
          address
          name
          totalValue { amount usd }
          allocations {
            reserveAddress
            invested { amount baseUnits usd }
            cap { amount baseUnits }
            actualShare
            targetShare
          }
        }
      }
      rewards {
        source
        apy
        tokensPerSecond
        token { id symbol }
        depositReserve { id address token { id symbol } }
        borrowReserve { id address token { id symbol } }
      }
      collateralFarm { id address rewards { apr perSecond endsAt available { amount usd } token { id symbol } } }
      debtFarm { id address rewards { apr perSecond endsAt available { amount usd } token { id symbol } } }
    }
  }
`);

export type ReserveUse = NonNullable<ResultOf<typeof RESERVE_USE>['reserve']>;

export const RESERVE_HISTORY = graphql(`
  query ReserveHistory($address: Address!, $last: Period) {
    reserve(address: $address) {
      id
      metricsHistory(last: $last) {
        interval
        complete
        recordedSince
        points {
          timestamp
          supplied
          borrowed
          suppliedUsd
          borrowedUsd
          utilization
          supplyInterestApy
          borrowInterestApy
          priceUsd
        }
      }
    }
  }
`);

export type ReservePoint = NonNullable<
  NonNullable<ResultOf<typeof RESERVE_HISTORY>['reserve']>['metricsHistory']
>['points'][number];

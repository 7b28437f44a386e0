import { graphql, type ResultOf } from '@sluice/client';

/** The moves that reach targets, with what they change and what stops them. */
export const VAULT_PLAN = graphql(`
  query VaultPlan($vault: Address!, $targets: [VaultTargetInput!]!, $unallocatedWeight: U64, $wallet: Address) {
    vault(address: $vault) {
      id
      plan(targets: $targets, unallocatedWeight: $unallocatedWeight, wallet: $wallet) {
        __typename
        ... on VaultRebalance {
          wallet
          moves {
            kind
            summary
            reserve
            allocation { weight { before after } cap { before after } tokens { before after } }
            settings { setting before after }
          }
          obstacles { reserve code message tokens }
          exposures { reserve share { before after } allocation { tokens { before after } } }
          idleShare { before after }
          idleTokens { before after }
          interestApy { before after }
          reserveRewardsApy { before after reason }
          build {
            __typename
            ... on TransactionPlan {
              transactions { sizeBytes sizeLimit splitReason }
              warnings { code level message }
              simulation { success unitsConsumed error { name message } }
            }
            ... on BuildError { code message }
          }
        }
        ... on BuildError { code message }
      }
    }
  }
`);

export const VAULT_BACKTEST = graphql(`
  query VaultBacktest($vault: Address!, $weights: [VaultWeightInput!]!, $unallocatedWeight: U64!, $last: Period!) {
    vault(address: $vault) {
      id
      backtest(weights: $weights, unallocatedWeight: $unallocatedWeight, last: $last) {
        from
        to
        given {
          beforeFees { growth apy }
          afterFees { growth apy }
          unallocatedShare
          unknown
          unknownReserveAddress
          reserves { reserveAddress share own { growth apy } contribution gaps { from to bridged } }
        }
        current { beforeFees { growth apy } afterFees { growth apy } unknown unknownReserveAddress }
        recorded { growth { growth apy } unknown }
        limits { code message }
      }
    }
  }
`);

type PlanResult = NonNullable<ResultOf<typeof VAULT_PLAN>['vault']>['plan'];
export type PlannedMoves = Extract<PlanResult, { readonly __typename: 'VaultRebalance' }>;
export type Backtest = NonNullable<NonNullable<ResultOf<typeof VAULT_BACKTEST>['vault']>['backtest']>;

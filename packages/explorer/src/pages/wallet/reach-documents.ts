import { graphql, type ResultOf, type VariablesOf } from '@sluice/client';

export const REACH_HEALTH = graphql(`
  query ReachHealth($loan: Address!, $by: HealthAction!, $healthFactor: Decimal!, $reserve: Address!) {
    obligation(address: $loan) {
      id
      present: healthFactor
      toReach(by: $by, healthFactor: $healthFactor, reserve: $reserve) {
        amount { amount usd token { id symbol } }
        healthFactor
        limit
      }
    }
  }
`);

export type HealthAction = VariablesOf<typeof REACH_HEALTH>['by'];
export type HealthTarget = NonNullable<NonNullable<ResultOf<typeof REACH_HEALTH>['obligation']>['toReach']>;

import { graphql, type ResultOf } from '@sluice/client';

const AlertRow = graphql(`
  fragment AlertRow on Alert @_unmask {
    id
    label
    metric
    subject
    above
    below
    state
    paused
    url
    value
    deliveries(first: 10) {
      id
      event
      status
      createdAt
      endedAt
      attempts
      lastError
    }
  }
`);

/** Only for callers with an API key. */
export const ALERTS = graphql(`query Alerts { alerts { ...AlertRow } }`, [AlertRow]);

export const TEST_ALERT = graphql(`
  mutation TestAlert($id: ID!) { testAlert(id: $id) { id status } }
`);

export const CREATE_ALERT = graphql(`
  mutation CreateAlert($input: CreateAlertInput!) {
    createAlert(input: $input) { secret alert { id } }
  }
`);

export const DELETE_ALERT = graphql(`
  mutation DeleteAlert($id: ID!) { deleteAlert(id: $id) }
`);

export type AlertState = ResultOf<typeof ALERTS>['alerts'][number];

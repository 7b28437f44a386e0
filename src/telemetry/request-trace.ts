import { randomUUID } from 'node:crypto';

/** How a GraphQL request ended: with everything, with some nulls and errors, refused as it stands, or failed on our side. */
export type OperationOutcome = 'ok' | 'partial' | 'refused' | 'failed';

/** What becomes known of a request on its way; its log line and its metrics are made of it. */
export interface RequestTrace {
  readonly id: string;
  /** A pattern of the route table, so that there are only so many. */
  route: string;
  /** The name that the caller gave the operation; null without one. */
  operation: string | null;
  /** Null for what is not a GraphQL request. */
  outcome: OperationOutcome | null;
  /** What the query was to cost; null when that was not computed. */
  cost: number | null;
  /** Number of the View that was read; null when none was. */
  view: number | null;
  /** Codes of the errors in the answer, repetitions included. */
  codes: readonly string[];
}

export const REQUEST_ID_HEADER = 'x-request-id';
export const UNKNOWN_ROUTE = 'other';

/** Takes the caller's request id when it is one, so that a request can be followed through several services. */
export function traceOf(headers: Pick<Headers, 'get'>): RequestTrace {
  const given = headers.get(REQUEST_ID_HEADER);
  return {
    id: given !== null && /^[\w.:+/=~-]{1,128}$/.test(given) ? given : randomUUID(),
    route: UNKNOWN_ROUTE,
    operation: null,
    outcome: null,
    cost: null,
    view: null,
    codes: [],
  };
}

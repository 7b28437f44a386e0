import { randomUUID } from 'node:crypto';

/** Outcome of a GraphQL request: complete, with some errors, refused as invalid, or failed on our side. */
export type OperationOutcome = 'ok' | 'partial' | 'refused' | 'failed';

/** Collected while a request is handled, for its log line and metrics. */
export interface RequestTrace {
  readonly id: string;
  /** A pattern of the route table, so that the number of values is bounded. */
  route: string;
  /** The caller's name of the operation; null without one. */
  operation: string | null;
  /** Null unless it is a GraphQL request. */
  outcome: OperationOutcome | null;
  /** Computed cost of the query; null if it was not computed. */
  cost: number | null;
  /** Id of the View that was read; null if none was. */
  view: string | null;
  /** Error codes in the response, with repetitions. */
  codes: readonly string[];
}

export const REQUEST_ID_HEADER = 'x-request-id';
export const UNKNOWN_ROUTE = 'other';

/** Adopts a well-formed request id of the caller, so that a request can be followed across services. */
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

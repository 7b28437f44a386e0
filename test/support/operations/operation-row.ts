import type { Shape } from '../contract/field-shapes.ts';
import type { NullRule } from './null-rule.ts';
import type { Subjects } from './subjects.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** One request. A string body is sent unchanged, anything else as JSON; a body makes it a POST. */
export interface Ask {
  readonly url: string;
  readonly body?: unknown;
  /** Whether an operation that needs an API key of the operator is asked without one. */
  readonly withoutKey?: boolean;
}

export interface OperationRequest extends Ask {
  /** Variables of the equivalent GraphQL query. Without them the answers are not compared. */
  readonly variables?: Variables;
  /** Where the answer differs from that of the row. */
  readonly answer?: Shape;
}

/** A documented error and a request that causes it. */
export interface Refusal {
  readonly name: string;
  readonly ask: Ask;
  readonly status: number;
  /** In `X-Error-Code` on reads, in the body on builders. Omitted where the contract names none. */
  readonly code?: string;
  /** The invalid parameter, which one of the `details` names. */
  readonly at?: string;
}

/** The mutation of a builder, with inputs that equal bodies of its REST operation. */
export interface BuilderTwin {
  readonly mutation: string;
  readonly inputType: string;
  readonly inputs: (
    addresses: Subjects['addresses'],
  ) => readonly { readonly body: object; readonly input: object }[];
}

/** Queries the View of the REST answer. */
export type Graph = <T>(document: string, variables?: Variables) => Promise<T>;

/** Answers that are no JSON. */
export type TextMedia = 'image/svg+xml' | 'text/csv' | 'application/jsonl';

/** The specification of one operation, written by hand and not derived from the code, with its equivalent in GraphQL. */
export interface OperationRow {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly answer: Shape | TextMedia;
  readonly requests: (subjects: Subjects) => readonly OperationRequest[];
  readonly refusals: (subjects: Subjects) => readonly Refusal[];
  /** For builders of instructions: `bundle-parity.test.ts` compares the bundles. */
  readonly builder?: BuilderTwin;
  /** The REST body, built from the GraphQL answer. Absent for builders and pictures. */
  readonly twin?: (graph: Graph, variables: Variables, rule: NullRule) => Promise<unknown>;
  /** The REST body with rounded base units, see `roundedPositions`. */
  readonly rounded?: (body: unknown) => unknown;
  /** Parts of the REST body that GraphQL lacks; other suites check them. */
  readonly without?: readonly string[];
  /** Sort key for lists without a documented order. */
  readonly sortBy?: string;
}

const ADDRESS = /[1-9A-HJ-NP-Za-km-z]{32,44}/g;

/**
 * Of the requests that differ in their addresses alone, about `few`: the first, whose subject has the most traits, and others
 * that depend on the number of the row, so that the rows together take every subject.
 */
export function fewSubjects(
  requests: readonly OperationRequest[],
  row: number,
  few: number,
): OperationRequest[] {
  const alike = new Map<string, OperationRequest[]>();
  for (const request of requests) {
    const form = JSON.stringify([request.url, request.body]).replace(ADDRESS, '');
    alike.set(form, [...(alike.get(form) ?? []), request]);
  }
  return [...alike.values()].flatMap((group) => {
    const stride = Math.ceil(group.length / few);
    return stride <= 1 ? group : group.filter((_, i) => i === 0 || i % stride === row % stride);
  });
}

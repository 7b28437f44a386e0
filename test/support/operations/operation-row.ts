import type { Shape } from '../contract/field-shapes.ts';
import type { NullRule } from './null-rule.ts';
import type { Subjects } from './subjects.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** One request. A string body is sent unchanged, anything else as JSON; a body makes it a POST. */
export interface Ask {
  readonly url: string;
  readonly body?: unknown;
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

import type { CodedError } from '../errors/sluice-error.ts';
import { WORK_PER_LIMIT_UNIT } from '../node/work-budget.ts';

/** Cost of every request; a cached answer adds its own units. */
export const REQUEST_COST = 1;

/** Query cost that equals one unit of the caller's limit: it estimates work. */
export const COST_PER_UNIT = WORK_PER_LIMIT_UNIT;

/** Bytes of an answer that cost another unit. */
const BYTES_PER_UNIT = 256 * 1024;

/** Units for the length of an answer. Few are long: raw accounts of whole markets. */
export const lengthUnits = (text: string): number => Math.floor(text.length / BYTES_PER_UNIT);

/** Null if the cost was taken; otherwise the reason why not. */
export type Refusal = CodedError | null;

/** A short-lived token that opens streams on behalf of an API key, for clients that cannot send headers. */
export interface StreamToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Pays for the events of a stream after the request that opened it. */
export interface StreamBudget {
  /** Identifies the payer, a key or a network. */
  readonly id: string;
  /** False once its key has been revoked. */
  isAdmitted(): boolean;
  /** Takes a cost; false if the limit does not cover it. A promise never rejects. */
  spend(cost: number): boolean | Promise<boolean>;
  /** Charges for work that is already done, even beyond the limit. */
  charge(cost: number): void;
}

/** The account that a request is charged to. */
export interface Allowance {
  /** Identifies the payer, a key or a network, for limits per client. */
  readonly client: string;
  /** Whether the caller sent a stream token, which opens subscriptions and nothing else. */
  readonly isForStreams: boolean;
  /** Public id of the caller's API key. Null without one, and for a stream token. */
  readonly keyId: string | null;
  /** Null for a caller without a key. */
  streamToken(): StreamToken | null;
  streamBudget(): StreamBudget;
  /**
   * Takes a cost before the work is done. The result is synchronous unless the limit is shared between gateways or the
   * keys have not been read yet. A promise never rejects.
   */
  spend(cost: number): Refusal | Promise<Refusal>;
  /** Charges for work that is already done, even beyond the limit. */
  charge(cost: number): void;
  /** Response headers that report the limit and what is left of it. */
  headers(): Record<string, string>;
}

/** Finds the account that pays for a request. */
export interface Admission {
  /**
   * @param peer address of the other end of the socket; undefined without one
   * @param target path and query, which may contain a stream token
   */
  allowanceOf(headers: Pick<Headers, 'get'>, peer: string | undefined, target: string): Allowance;
}

/** Limits pages, which need no key and are not charged to the budget for requests. */
export interface PageAdmission {
  /** Null if the page may be sent. A promise never rejects. */
  spend(headers: Pick<Headers, 'get'>, peer: string | undefined): Refusal | Promise<Refusal>;
  /** Charges for the bytes of a page. */
  sent(headers: Pick<Headers, 'get'>, peer: string | undefined, bytes: number): void;
}

import type { SluiceError } from '../errors/sluice-error.ts';

/** Null when it was taken; otherwise why it was not. */
export type Refusal = SluiceError | null;

/** Opens streams for a short time where no header can be sent, in the name of the key that it was made for. */
export interface StreamToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** What a request may cost, and who pays for it. */
export interface Allowance {
  /** Who asks, for what is counted by client: a key, or a network. */
  readonly client: string;
  /** Null for who asks without a key. */
  streamToken(): StreamToken | null;
  /**
   * Takes a cost before the work is done. An answer that is kept in this process is not waited for: only a limit that
   * several gateways share, and keys that are not read yet, give a promise. It never rejects.
   */
  spend(cost: number): Refusal | Promise<Refusal>;
  /** Counts work that has been done already, whatever is left. */
  charge(cost: number): void;
  /** What the answer tells about it. */
  headers(): Readonly<Record<string, string>>;
}

/** Finds out who pays. */
export interface Admission {
  /**
   * @param peer address of the other end of the socket; undefined without one
   * @param target path and query, which may hold a token
   */
  allowanceOf(headers: Pick<Headers, 'get'>, peer: string | undefined, target: string): Allowance;
}

/** For a gateway that limits nobody. */
export const UNLIMITED: Admission = {
  allowanceOf: () => ({
    client: '',
    streamToken: () => null,
    spend: () => null,
    charge: () => undefined,
    headers: () => ({}),
  }),
};

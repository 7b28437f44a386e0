import type { TransactionFailure } from '../outcome.ts';

/** Thrown while a transaction is checked: it can be in no block and costs nothing. */
export class Refusal extends Error {
  readonly failure: TransactionFailure;

  constructor(failure: TransactionFailure) {
    super(typeof failure === 'string' ? failure : JSON.stringify(failure));
    this.failure = failure;
  }
}

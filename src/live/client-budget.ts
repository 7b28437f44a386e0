/** The key or network that pays for the events of a stream. */
export interface ClientBudget {
  /** Streams with the same id have the same payer. It pays for each event of a channel once. */
  readonly id: string;
  /** False once its key has been revoked. */
  isAdmitted(): boolean;
  /** Takes units of its rate limit; false if it has not enough left. A promise never rejects. */
  spend(units: number): boolean | Promise<boolean>;
  /** Charges for work that is done, even beyond its limit. */
  charge(units: number): void;
}

/** Cost of the events of a subscription, in units of the rate limit. */
export interface EventCost {
  /** For looking for changes in a View; 0 if that reads no accounts. */
  readonly check: number;
  /** On top of that, for the events of one View. */
  of(events: number): number;
}

/**
 * Inputs of an answer besides the request and its View, each recorded where it is read. True: the input is the same for
 * every answer on a View, so the answer can be cached with the View. False: it may change while the View is read.
 */
const FIXED_BY_VIEW = {
  /** Read from the RPC for this request: accounts, scans, blockhashes, simulations. */
  live: false,
  /** The index of a market's obligations, which is updated apart from the Views. */
  obligationIndex: false,
  /** The database, read for this request. */
  history: false,
  /** Recorded facts that are read once per View and cached with it. */
  factOfView: true,
  /** Completed epochs: the same until the View's epoch ends. */
  epochs: true,
  /** Ages and health as this process sees them. */
  process: false,
} as const;

export type Dependency = keyof typeof FIXED_BY_VIEW;

/** Sources that one answer depends on besides its request and its View. */
export class Dependencies {
  readonly #all = new Set<Dependency>();
  #isFixedByView = true;

  add(input: Dependency): void {
    this.#all.add(input);
    this.#isFixedByView &&= FIXED_BY_VIEW[input];
  }

  get all(): ReadonlySet<Dependency> {
    return this.#all;
  }

  /** Whether a second answer to the same request on the same View would be the same. */
  get isFixedByView(): boolean {
    return this.#isFixedByView;
  }
}

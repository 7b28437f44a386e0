/** What a face tells of an answer, for who may give it again. */
export interface AnswerNote {
  /** Set when something beside the View was asked: the past, the deployment, the chain itself. */
  beyondView: boolean;
  /** What the answer was made of; null for one that is made anew each time. */
  made: Made | null;
}

export interface Made {
  /** Number of the View. */
  readonly view: number;
  /** Milliseconds since the epoch: when the View was built. */
  readonly builtAtMs: number;
  /** What is taken from a caller's allowance for it, beside what every request costs. */
  readonly units: number;
}

export const freshNote = (): AnswerNote => ({ beyondView: false, made: null });

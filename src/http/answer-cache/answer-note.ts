/** The View that an answer was made from, and what the answer costs its caller. */
export interface ViewAnswer {
  /** Id of the View. */
  readonly view: string;
  /** Units taken from the caller's allowance for each copy, on top of `REQUEST_COST`. */
  readonly units: number;
}

/** Collected by an API while it produces an answer; `cacheableAnswer` decides by it. */
export interface AnswerNote {
  /** False once the answer depends on something that may change while its View is read, as its session recorded. */
  isFixedByView: boolean;
  /** Set when the answer is complete and without errors; null until then. */
  made: ViewAnswer | null;
}

export const emptyNote = (): AnswerNote => ({ isFixedByView: true, made: null });

const STREAM = 'text/event-stream';

/** The one rule for what the answer cache stores: complete 200 answers that their View determines. Null for any other. */
export function cacheableAnswer({ isFixedByView, made }: AnswerNote, response: Response): ViewAnswer | null {
  const isStream = response.headers.get('content-type')?.startsWith(STREAM) ?? false;
  return !isFixedByView || response.status !== 200 || isStream ? null : made;
}

/** The View that an answer was made from, and what the answer costs its caller. */
export interface ViewAnswer {
  /** Id of the View. */
  readonly view: string;
  /** Units taken from the caller's allowance for each copy, on top of `REQUEST_COST`. */
  readonly units: number;
}

/**
 * Collected by an API while it produces an answer. Only answers that depend on nothing but the request and the View can
 * be cached; `cacheableAnswer` decides.
 */
export interface AnswerNote {
  /** Set once something outside the View was read: history, live accounts, the state of this process. */
  beyondView: boolean;
  /** Set when the answer is complete and without errors; null until then. */
  made: ViewAnswer | null;
}

export const emptyNote = (): AnswerNote => ({ beyondView: false, made: null });

const STREAM = 'text/event-stream';

/** The one rule for what the answer cache stores: complete 200 answers made from a View alone. Null for any other. */
export function cacheableAnswer({ beyondView, made }: AnswerNote, response: Response): ViewAnswer | null {
  const isStream = response.headers.get('content-type')?.startsWith(STREAM) ?? false;
  return beyondView || response.status !== 200 || isStream ? null : made;
}

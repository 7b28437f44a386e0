import type { IncomingMessage } from 'node:http';
import { WeighedCache } from '../../collections/weighed-cache.ts';
import { type AnswerNote, freshNote } from '../answer-note.ts';
import { asResponse } from '../encoded-answer.ts';
import type { Connection, Passage } from '../pipeline.ts';
import { refusedPlainly } from '../refusals.ts';
import { HotAnswer } from './hot-answer.ts';
import { HotAnswers } from './hot-answers.ts';

/** Makes an answer the usual way, and notes what it was made of. */
type Operate = (note: AnswerNote) => Promise<Response>;

const STREAMED = 'text/event-stream';
/** A thousand usual questions; of the longest that the door takes, thirty. */
const NEVER_KEPT_CHARACTERS = 1_000_000;

/** Questions whose answers may be given again: which they are, and which are being answered at this moment. */
export class HotQuestions {
  readonly answers: HotAnswers;
  readonly #asked = new WeakMap<object, string>();
  readonly #flights = new Map<string, Promise<HotAnswer | null>>();
  /** Questions whose answers are made anew each time: nobody waits for another's. */
  readonly #neverKept = new WeighedCache<true>(NEVER_KEPT_CHARACTERS);

  constructor(answers: HotAnswers = new HotAnswers()) {
    this.answers = answers;
  }

  /** Notes what a request asks, as the socket gave it. */
  ask(incoming: IncomingMessage, question: string): void {
    this.#asked.set(incoming, question);
  }

  /** The request is the same one in another form. */
  carryOver(request: Request, connection: Connection | undefined): void {
    const question = connection?.incoming && this.#asked.get(connection.incoming);
    if (question !== undefined) this.#asked.set(request, question);
  }

  /** Answers a request the usual way, once for all who ask the same at the same time, and keeps what may be kept. */
  async answered(request: Request, passage: Passage, operate: Operate): Promise<Response> {
    const question = this.#asked.get(request);
    if (question === undefined || this.#neverKept.get(question) !== undefined)
      return await operate(freshNote());
    const flight = this.#flights.get(question);
    if (flight !== undefined) {
      const made = await flight;
      return made === null ? await operate(freshNote()) : await served(made, passage);
    }
    let land: (made: HotAnswer | null) => void = () => undefined;
    const begun = new Promise<HotAnswer | null>((resolve) => {
      land = resolve;
    });
    this.#flights.set(question, begun);
    let made: HotAnswer | null = null;
    try {
      const note = freshNote();
      const response = await operate(note);
      if (note.made === null || response.status !== 200 || isStream(response)) {
        // A fault may pass; what reads beside the View always does.
        if (note.beyondView) this.#neverKept.set(question, true, question.length);
        return response;
      }
      // The text is there as it is; bytes would be copied twice.
      const bytes = Buffer.from(await response.text());
      const { operation, cost } = passage.trace;
      const type = response.headers.get('content-type') ?? '';
      made = HotAnswer.of(bytes, type, note.made, { operation, cost });
      if (made !== null) this.answers.keep(question, made);
      return new Response(bytes, { status: 200, headers: response.headers });
    } finally {
      this.#flights.delete(question);
      land(made);
    }
  }
}

const isStream = ({ headers }: Response) => headers.get('content-type')?.startsWith(STREAMED) ?? false;

async function served(answer: HotAnswer, { trace, allowance, target }: Passage): Promise<Response> {
  const refusal = await allowance.spend(answer.made.units);
  if (refusal !== null) return asResponse(refusedPlainly(target, refusal, trace));
  Object.assign(trace, { ...answer.asked, outcome: 'ok', view: answer.made.view });
  const parts = answer.parts('identity', Date.now()) ?? [];
  return new Response(Buffer.concat(parts), { headers: { 'content-type': answer.contentType } });
}

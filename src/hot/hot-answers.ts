import { WeighedCache } from '../programs/layout/weighed-cache.ts';
import type { HotAnswer } from './hot-answer.ts';

/** Some hundred of the largest answers. */
const MAX_BYTES = 16_000_000;
/** What an answer takes beside its bytes and its question. */
const OVERHEAD_BYTES = 2_000;

/** Answers of the newest View by their questions. Those of an older View go when the first of a newer one comes. */
export class HotAnswers {
  readonly #answers: WeighedCache<HotAnswer>;
  #view = -1;

  constructor(maxBytes: number = MAX_BYTES) {
    this.#answers = new WeighedCache(maxBytes);
  }

  /** What is kept now, questions included. */
  get bytes(): number {
    return this.#answers.weight;
  }

  find(view: number, question: string): HotAnswer | undefined {
    return view === this.#view ? this.#answers.get(question) : undefined;
  }

  keep(question: string, answer: HotAnswer): void {
    const { view } = answer.made;
    if (view < this.#view) return;
    if (view > this.#view) {
      this.#view = view;
      this.#answers.clear();
    }
    if (this.#answers.has(question)) return;
    const bytes = answer.byteLength + question.length + OVERHEAD_BYTES;
    answer.onGrowth = this.#answers.set(question, answer, bytes);
  }
}

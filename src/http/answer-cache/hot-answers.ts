import { WeighedCache } from '../../collections/weighed-cache.ts';
import { AskedOnce } from './asked-once.ts';
import type { HotAnswer } from './hot-answer.ts';

/** Some hundred of the largest answers. */
const MAX_BYTES = 16_000_000;
/** The part of it for answers that were not asked for again yet: most never are, and must not push out those that are. */
const ASKED_ONCE = 0.25;
/** What an answer takes beside its bytes and its question. */
const OVERHEAD_BYTES = 2_000;

/** Answers of the newest View by their questions. Those of an older View go when the first of a newer one comes. */
export class HotAnswers {
  readonly #once: AskedOnce<HotAnswer>;
  readonly #again: WeighedCache<HotAnswer>;
  #view = -1;

  constructor(maxBytes: number = MAX_BYTES) {
    this.#once = new AskedOnce(maxBytes * ASKED_ONCE);
    this.#again = new WeighedCache(maxBytes * (1 - ASKED_ONCE));
  }

  /** What is kept now, questions included. One that was asked for again is counted twice for a while. */
  get bytes(): number {
    return this.#once.weight + this.#again.weight;
  }

  find(view: number, question: string): HotAnswer | undefined {
    if (view !== this.#view) return undefined;
    const known = this.#again.get(question);
    if (known !== undefined) return known;
    const second = this.#once.get(question);
    if (second !== undefined) this.#keepOn(question, second);
    return second;
  }

  keep(question: string, answer: HotAnswer): void {
    const { view } = answer.made;
    if (view < this.#view) return;
    if (view > this.#view) {
      this.#view = view;
      this.#once.clear();
      this.#again.clear();
    }
    if (this.#again.has(question) || this.#once.get(question) !== undefined) return;
    if (!this.#once.set(question, answer, weightOf(question, answer))) this.#keepOn(question, answer);
  }

  #keepOn(question: string, answer: HotAnswer): void {
    answer.onGrowth = this.#again.set(question, answer, weightOf(question, answer));
  }
}

function weightOf(question: string, { keptBytes }: HotAnswer): number {
  return keptBytes + question.length + OVERHEAD_BYTES;
}

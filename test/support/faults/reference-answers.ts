import type { Address } from '@solana/kit';
import type { TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { KINDS } from '../../../src/chain/view/kinds.ts';
import type { View } from '../../../src/chain/view/view.ts';
import type { TestApp } from '../apps/test-app.ts';
import { withoutLateCounters } from '../localnet/late-counters.ts';
import { askFor, type Reply } from './replies.ts';
import { type Question, STREAMS, type StreamName, streamQuestion } from './traffic.ts';

interface Step {
  readonly slot: bigint;
  /** View id of the reference gateway. */
  readonly view: string;
  /** The bytes of the catalogue's accounts. */
  readonly bytes: ReadonlyMap<Address, Uint8Array | null>;
}

const ORIGIN = 'http://sluice.test';

/**
 * Reference data for each slot at which the world paused: the bytes of its accounts, and the answers of a gateway
 * without faults. An answer on an old View may include newer live reads, so there is one answer for each pair of View
 * slot and live slot.
 */
export class Truth {
  readonly #localChain: TestChain;
  readonly #gateway: TestApp;
  readonly #questions: readonly Question[];
  readonly #steps: Step[] = [];
  readonly #answers = new Map<string, unknown>();
  /** Answers for earlier steps are no longer needed. */
  #first = 0;

  constructor(localChain: TestChain, gateway: TestApp, questions: readonly Question[]) {
    this.#localChain = localChain;
    this.#gateway = gateway;
    this.#questions = [
      ...questions,
      ...(Object.keys(STREAMS) as StreamName[]).map((name) =>
        streamQuestion(name, localChain.addresses[STREAMS[name].field]),
      ),
    ];
  }

  /** Drops all steps but the last. */
  forget(): void {
    this.#first = Math.max(0, this.#steps.length - 1);
  }

  /** Advances the world and records the reference answers at the new slot. */
  async move(slots: number): Promise<void> {
    this.#localChain.advance(slots);
    const { slot } = this.#localChain;
    const known = new Set(addressesOf(this.#gateway.app.chain.views.newest));
    const bytes = new Map([...known].map((at) => [at, this.#localChain.account(at)?.data ?? null] as const));
    const answer = await this.#gateway.query('{ chain { slot } }', {
      headers: { 'x-min-slot': String(slot) },
    });
    const view = answer.extensions.chain?.view;
    if (view === undefined || BigInt(answer.extensions.chain?.slot ?? 0) !== slot) {
      throw new Error(`no reference answer at slot ${slot}: ${answer.text}`);
    }
    this.#steps.push({ slot, view, bytes });
    await Promise.all(this.#questions.map((question) => this.#learn(question, slot)));
  }

  /** The answer on the View of one slot with live reads of another. */
  of(question: Question, viewSlot: bigint, liveSlot: bigint): unknown {
    const known = this.#answers.get(keyOf(question, viewSlot, liveSlot));
    if (known === undefined)
      throw new Error(`no reference answer for ${question.name} at ${viewSlot} and ${liveSlot}`);
    return known;
  }

  /**
   * The answer on a View of another gateway, whose accounts may be of several slots. Only for questions whose data is in
   * the View. Its bytes are compared by `wrongBytes`, so the answer is known to the last digit.
   */
  async on(question: Question, view: View): Promise<unknown> {
    const { views } = this.#gateway.app.chain;
    if (views.find(view.moment.id) === undefined) views.publish(view);
    return (await this.#ask(question, view.moment.id)).content;
  }

  /** Slots at which the world paused, both ends included. */
  slotsWithin(from: bigint, to: bigint): readonly bigint[] {
    return this.#steps
      .slice(this.#first)
      .map(({ slot }) => slot)
      .filter((slot) => slot >= from && slot <= to);
  }

  /** Accounts of a View whose bytes differ from the chain at the slot they were read at. */
  wrongBytes(view: View, checked: WeakSet<object>): readonly string[] {
    return KINDS.flatMap((kind) =>
      [...view.all(kind).values()].flatMap((held) => {
        if (checked.has(held)) return [];
        checked.add(held);
        const step = this.#steps.find(({ slot }) => slot === held.slot);
        const truth = step?.bytes.get(held.address);
        // Skips accounts that were created before the reference gateway knew them.
        if (step === undefined || truth === undefined) return [];
        const known = (data: Uint8Array) => withoutLateCounters(kind, data);
        const isSame = truth !== null && Buffer.compare(known(held.data), known(truth)) === 0;
        return isSame ? [] : [`${kind} ${held.address} at slot ${held.slot}`];
      }),
    );
  }

  async #learn(question: Question, slot: bigint): Promise<void> {
    const steps =
      question.source === 'view' || question.source === 'history' ? [] : this.#steps.slice(this.#first, -1);
    for (const step of [...steps, this.#steps.at(-1)]) {
      if (step === undefined) continue;
      const key = keyOf(question, step.slot, slot);
      if (this.#answers.has(key)) continue;
      this.#answers.set(key, (await this.#ask(question, step.view)).content);
    }
  }

  async #ask(question: Question, view: string): Promise<Reply> {
    const fetch = (request: Request) => this.#gateway.app.fetch(request);
    const reply = await askFor(fetch, ORIGIN, question, { 'x-view': view });
    if (reply.codes.length > 0 || reply.content === null) {
      throw new Error(`no reference answer for ${question.name}: ${reply.text.slice(0, 300)}`);
    }
    return reply;
  }
}

/** Answers from the View do not depend on live reads, and recorded history depends on neither. */
function keyOf({ name, api, source }: Question, viewSlot: bigint, liveSlot: bigint): string {
  if (source === 'history') return `${name} ${api}`;
  return `${name} ${api} ${viewSlot} ${source === 'view' ? '' : liveSlot}`;
}

function* addressesOf(view: View | undefined): Iterable<Address> {
  if (view === undefined) return;
  for (const kind of KINDS) yield* view.all(kind).keys();
}

import type { Address } from '@solana/kit';
import { KINDS } from '../../../src/chain/kinds.ts';
import type { View } from '../../../src/chain/view.ts';
import type { TestApp } from '../apps/test-app.ts';
import type { TestLedger } from '../ledger/test-ledger.ts';
import { askFor, type Reply } from './replies.ts';
import { type Question, STREAMS, type StreamName, streamQuestion } from './traffic.ts';

interface Step {
  readonly slot: bigint;
  /** Of the gateway that tells the truth. */
  readonly view: number;
  /** The bytes of the catalogue's accounts. */
  readonly bytes: ReadonlyMap<Address, Uint8Array | null>;
}

const ORIGIN = 'http://sluice.test';

/**
 * What is true at each slot at which the world has stood: the bytes of its accounts, and the answers of a gateway to
 * which nothing ever happens. An answer about an old View may have read something newer beside it, so these are kept for
 * each pair of the two.
 */
export class Truth {
  readonly #ledger: TestLedger;
  readonly #gateway: TestApp;
  readonly #questions: readonly Question[];
  readonly #steps: Step[] = [];
  readonly #answers = new Map<string, unknown>();
  /** Answers about steps before this one are no longer wanted. */
  #first = 0;

  constructor(ledger: TestLedger, gateway: TestApp, questions: readonly Question[]) {
    this.#ledger = ledger;
    this.#gateway = gateway;
    this.#questions = [
      ...questions,
      ...(Object.keys(STREAMS) as StreamName[]).map((name) =>
        streamQuestion(name, ledger.addresses[STREAMS[name].field]),
      ),
    ];
  }

  /** Nobody asks about what was before any more. */
  forget(): void {
    this.#first = Math.max(0, this.#steps.length - 1);
  }

  /** Lives through so many slots and learns what is true then. */
  async move(slots: number): Promise<void> {
    this.#ledger.advance(slots);
    const { slot } = this.#ledger;
    const known = new Set(addressesOf(this.#gateway.app.chain.views.newest));
    const bytes = new Map([...known].map((at) => [at, this.#ledger.account(at)?.data ?? null] as const));
    const told = await this.#gateway.query('{ chain { slot } }', { headers: { 'x-min-slot': String(slot) } });
    const view = told.extensions.chain?.view;
    if (view === undefined || BigInt(told.extensions.chain?.slot ?? 0) !== slot) {
      throw new Error(`the truth is not known at slot ${slot}: ${told.text}`);
    }
    this.#steps.push({ slot, view, bytes });
    await Promise.all(this.#questions.map((question) => this.#learn(question, slot)));
  }

  /** The answer about the View of one slot with what another slot gave beside it. */
  of(question: Question, viewSlot: bigint, liveSlot: bigint): unknown {
    const known = this.#answers.get(keyOf(question, viewSlot, liveSlot));
    if (known === undefined) throw new Error(`nobody knows ${question.name} at ${viewSlot} and ${liveSlot}`);
    return known;
  }

  /** The slots at which the world has stood, from one to another. */
  slotsWithin(from: bigint, to: bigint): readonly bigint[] {
    return this.#steps
      .slice(this.#first)
      .map(({ slot }) => slot)
      .filter((slot) => slot >= from && slot <= to);
  }

  /** Accounts of a View whose bytes are not those that the chain had at the slot at which they were read. */
  wrongBytes(view: View, checked: WeakSet<object>): readonly string[] {
    return KINDS.flatMap((kind) =>
      [...view.all(kind).values()].flatMap((held) => {
        if (checked.has(held)) return [];
        checked.add(held);
        const step = this.#steps.find(({ slot }) => slot === held.slot);
        const truth = step?.bytes.get(held.address);
        // What began to be before it was known is not looked at.
        if (step === undefined || truth === undefined) return [];
        const isSame = truth !== null && Buffer.compare(held.data, truth) === 0;
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
      const headers = { 'x-view': String(step.view) };
      const reply: Reply = await askFor(
        (request) => this.#gateway.app.fetch(request),
        ORIGIN,
        question,
        headers,
      );
      if (reply.codes.length > 0 || reply.content === null) {
        throw new Error(`the truth about ${question.name} is not known: ${reply.text.slice(0, 300)}`);
      }
      this.#answers.set(key, reply.content);
    }
  }
}

/** What the View answers alone does not depend on what else was read; what was recorded, on nothing that moves. */
function keyOf({ name, face, source }: Question, viewSlot: bigint, liveSlot: bigint): string {
  if (source === 'history') return `${name} ${face}`;
  return `${name} ${face} ${viewSlot} ${source === 'view' ? '' : liveSlot}`;
}

function* addressesOf(view: View | undefined): Iterable<Address> {
  if (view === undefined) return;
  for (const kind of KINDS) yield* view.all(kind).keys();
}

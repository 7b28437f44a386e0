import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import type { StampedChain } from './stamped-chain.ts';

/** An answer that some gateway gave. */
export interface SeenAnswer {
  /** Id of its View. */
  readonly view: string;
  readonly slot: bigint;
  /** Identifies the request. Null when the answer depends on more than the View. */
  readonly request: string | null;
  /** Everything that is equal for equal requests on one View. */
  readonly bytes: string;
  /** Liquidity of each account, in base units. */
  readonly amounts: ReadonlyMap<Address, bigint>;
  /** The slot that the client asked for, or 0. */
  readonly minSlot: bigint;
}

interface SeenView {
  readonly slot: bigint;
  readonly readAt: Map<Address, bigint>;
  readonly answers: Map<string, string>;
}

/**
 * Compares the answers of all gateways with the chain and with each other. Every View must have been read as a whole:
 * `VAULT_REFRESH_MS` below half of `VIEW_REFRESH_MS`.
 */
export class AnswerBook {
  readonly #localChain: StampedChain;
  readonly #views = new Map<string, SeenView>();
  readonly #problems = new Set<string>();

  constructor(localChain: StampedChain) {
    this.#localChain = localChain;
  }

  get views(): number {
    return this.#views.size;
  }

  report(problem: string): void {
    this.#problems.add(problem);
  }

  see({ view: id, slot, request, bytes, amounts, minSlot }: SeenAnswer): void {
    const view = this.#views.get(id) ?? { slot, readAt: new Map(), answers: new Map() };
    this.#views.set(id, view);
    if (view.slot !== slot) this.report(`${id} has slots ${view.slot} and ${slot}`);
    if (slot < minSlot) this.report(`${id} of slot ${slot} answers a request for slot ${minSlot}`);
    if (request !== null) {
      const digest = createHash('sha256').update(bytes).digest('base64');
      if ((view.answers.get(request) ?? digest) !== digest)
        this.report(`${id} has two answers to ${request}`);
      view.answers.set(request, digest);
    }
    for (const [address, amount] of amounts) {
      const readAt = this.#localChain.slotOf(address, amount);
      if (readAt === null) this.report(`${id} has ${amount} for ${address}, which it never had`);
      else this.#seeAccount(id, view, address, readAt, minSlot);
    }
  }

  /** Faults so far. */
  problems(): readonly string[] {
    const origins = new Map<
      string,
      { readonly id: string; readonly number: number; readonly view: SeenView }[]
    >();
    for (const [id, view] of this.#views) {
      const [origin = '', number = ''] = id.split('-');
      origins.set(origin, [...(origins.get(origin) ?? []), { id, number: Number(number), view }]);
    }
    for (const views of origins.values()) {
      views.sort((a, b) => a.number - b.number);
      for (const [i, { id, view }] of views.entries()) {
        const before = views[i - 1]?.view.slot ?? 0n;
        // Each View is read after the one before it.
        for (const [address, readAt] of view.readAt)
          if (readAt < before) this.report(`${id} has ${address} of slot ${readAt}, before ${before}`);
      }
    }
    return [...this.#problems];
  }

  #seeAccount(
    id: string,
    { slot, readAt: known }: SeenView,
    address: Address,
    readAt: bigint,
    minSlot: bigint,
  ) {
    const before = known.get(address);
    if (before !== undefined && before !== readAt)
      this.report(`${id} has ${address} of slots ${before} and ${readAt}`);
    if (readAt > slot) this.report(`${id} of slot ${slot} has ${address} of slot ${readAt}`);
    if (readAt < minSlot) this.report(`${id} has ${address} of slot ${readAt}, asked for ${minSlot}`);
    known.set(address, readAt);
  }
}

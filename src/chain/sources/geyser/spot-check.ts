import { systemClock, type Clock as Timer } from '@sluice/rpc-pool';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../accounts/account-page.ts';
import type { AccountKey, ReadOptions } from '../../accounts/account-reader.ts';
import { isPositionKind } from '../../positions/position-kinds.ts';
import type { AccountSink } from '../../view/account-source.ts';
import { isKind, KINDS, type LiveKind } from '../../view/kinds.ts';
import type { View } from '../../view/view.ts';
import type { ViewStore } from '../../view/view-store.ts';
import type { StreamEvent } from './stream-events.ts';

/** Reads accounts over JSON-RPC, as AccountReader does. */
export interface CheckReader {
  readMany(keys: readonly AccountKey[], options: ReadOptions): Promise<readonly (CheckRead | Error)[]>;
}

interface CheckRead {
  /** Null when there is no such account. */
  readonly account: ChainAccount | null;
  readonly page: { readonly slot: bigint };
}

export interface SpotCheckOptions {
  readonly reader: CheckReader;
  readonly views: ViewStore;
  readonly sink: Pick<AccountSink, 'refreshNow'>;
  /** Ended with the chain that is followed. */
  readonly signal: AbortSignal;
  readonly intervalMs: number;
  readonly onEvent: (event: StreamEvent) => void;
  /** Called when the accounts of the stream are not those of the RPC. */
  readonly onContradiction: () => void;
  readonly timer?: Timer;
}

/** An account that a View has. */
interface Sampled {
  readonly kind: LiveKind;
  readonly address: Address;
  readonly expectedBytes: number;
}

/** Of the catalogue, and as many of positions: one page. */
const SAMPLE = 50;

/**
 * Compares random accounts of Views with the RPC: a stream that alters or withholds changes is noticed by nothing else until
 * everything is read again. Views of a slot at which the RPC has been read have to have the same bytes.
 */
export class SpotCheck {
  readonly #options: SpotCheckOptions;
  #running: Promise<void> = Promise.resolve();

  constructor(options: SpotCheckOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when the last check has ended. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal, intervalMs, onEvent, onContradiction, timer = systemClock } = this.#options;
    while (!signal.aborted) {
      await timer.sleep(intervalMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const outcome = await this.#check();
        if (signal.aborted) return;
        onEvent({ type: 'CHECKED', outcome });
        if (outcome === 'contradicted') onContradiction();
      } catch (error) {
        if (!signal.aborted) onEvent({ type: 'CHECKED', outcome: 'failed', error });
      }
    }
  }

  /** What differs is read a second time: one answer of an endpoint that is wrong is not the fault of the stream. */
  async #check(): Promise<'agreed' | 'contradicted'> {
    const { views } = this.#options;
    const suspected = await this.#differing(sampleOf(views.current()));
    const confirmed = suspected.length === 0 ? [] : await this.#differing(suspected);
    return confirmed.length === 0 ? 'agreed' : 'contradicted';
  }

  async #differing(sampled: readonly Sampled[]): Promise<readonly Sampled[]> {
    const { reader, views, sink, signal } = this.#options;
    const reads = await reader.readMany(sampled, { minSlot: 0n, signal });
    let highest = 0n;
    for (const read of reads) {
      if (read instanceof Error) throw read;
      if (read.page.slot > highest) highest = read.page.slot;
    }
    // Views are made of slots with changes alone.
    sink.refreshNow(highest);
    const view = await views.reaching(highest, 'slot', signal);
    return sampled.filter((each, i) => {
      const read = reads[i];
      return read !== undefined && !(read instanceof Error) && contradicts(view, each, read);
    });
  }
}

function sampleOf(view: View): readonly Sampled[] {
  const catalogue = KINDS.flatMap((kind) =>
    [...view.all(kind).values()].map(({ address, data }) => ({ kind, address, expectedBytes: data.length })),
  );
  const positions = view.positions?.sample(SAMPLE) ?? [];
  return [
    ...randomOf(catalogue, SAMPLE),
    ...positions.map(({ kind, account: { address, data } }) => ({
      kind,
      address,
      expectedBytes: data.length,
    })),
  ];
}

function randomOf<T>(all: readonly T[], count: number): readonly T[] {
  const left = [...all];
  const chosen: T[] = [];
  while (left.length > 0 && chosen.length < count)
    chosen.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  return chosen;
}

/**
 * Whether the View, which is of the slot of the read or later, has other bytes than the read and has had them since then. An
 * account that the chain no longer has is none: some operators do not stream closed accounts.
 */
function contradicts(view: View, { kind, address }: Sampled, { account, page }: CheckRead): boolean {
  const held = heldIn(view, kind, address);
  if (held === null || account === null || held.slot > page.slot) return false;
  return held.owner !== account.owner || Buffer.compare(held.data, account.data) !== 0;
}

function heldIn(
  view: View,
  kind: LiveKind,
  address: Address,
): Pick<ChainAccount, 'owner' | 'data' | 'slot'> | null {
  if (isKind(kind)) return view.get(kind, address) ?? null;
  return isPositionKind(kind) ? (view.positions?.account(kind, address) ?? null) : null;
}

import type { GetSignatureStatusesApi, Rpc, Signature } from '@solana/kit';
import { growingLru } from '../../node/growing-lru.ts';
import { pauseFor } from '../../node/pause-for.ts';
import { unlessAborted } from '../../node/unless-aborted.ts';

/** Commitment level that a transaction has reached. */
export type ConfirmationLevel = 'processed' | 'confirmed' | 'finalized';

/** A transaction in a block. */
export interface SignatureStatus {
  readonly slot: bigint;
  readonly level: ConfirmationLevel;
  /** Null when it succeeded; otherwise the error as the RPC returns it. */
  readonly error: unknown;
}

interface Known {
  /** Null when no block has it. */
  readonly status: SignatureStatus | null;
  readonly atMs: number;
}

/** A search that others may still join. */
interface Search {
  readonly signatures: Set<string>;
  readonly found: Promise<ReadonlyMap<string, SignatureStatus | null>>;
}

/** Most signatures that an RPC accepts in one call. */
const MAX_PER_CALL = 256;
/** A call waits this long for others to join it. */
const COLLECT_MS = 20;
/** Time that each call takes from the calls after it: at most 20 calls a second, however many signatures are followed. */
const CALL_GAP_MS = 50;
/** A status this young is not read again. */
const FRESH_MS = 300;
/** A signature that was asked about this recently is read along with others, so that all followers share one call. */
const FOLLOWED_MS = 6_000;
const MAX_KNOWN = 20_000;

/** Statuses of recent transactions. All who follow transactions share the calls, of up to 256 signatures each. */
export class SignatureStatuses {
  readonly #rpc: Rpc<GetSignatureStatusesApi>;
  readonly #signal: AbortSignal;
  readonly #known = growingLru<string, Known>(MAX_KNOWN);
  /** When each signature was last asked about. */
  readonly #askedAtMs = new Map<string, number>();
  #reading: Promise<void> | null = null;
  #search: Search | null = null;
  /** No call before this time. */
  #restUntilMs = 0;

  /** @param signal aborted when the chain stops */
  constructor(rpc: Rpc<GetSignatureStatusesApi>, signal: AbortSignal) {
    this.#rpc = rpc;
    this.#signal = signal;
  }

  /** The status of a recent transaction; null when no block has it, or the RPC has dropped its status. */
  async read(signature: string, signal: AbortSignal): Promise<SignatureStatus | null> {
    const startedAtMs = Date.now();
    for (;;) {
      this.#askedAtMs.set(signature, Date.now());
      const known = this.#known.get(signature);
      if (known !== undefined && (isUsable(known) || known.atMs >= startedAtMs)) return known.status;
      // A read that is under way may have begun without this signature: then the next one has it.
      this.#reading ??= this.#readFollowed().finally(() => {
        this.#reading = null;
      });
      await unlessAborted(this.#reading, signal);
    }
  }

  /** The same, also for transactions that are long past. Slower: the RPC searches its archive. */
  async search(signature: string, signal: AbortSignal): Promise<SignatureStatus | null> {
    this.#search ??= this.#startSearch();
    this.#search.signatures.add(signature);
    const found = await unlessAborted(this.#search.found, signal);
    return found.get(signature) ?? null;
  }

  #startSearch(): Search {
    const signatures = new Set<string>();
    const found = this.#collected().then(() => {
      this.#search = null;
      return this.#statusesOf([...signatures], true);
    });
    return { signatures, found };
  }

  async #readFollowed(): Promise<void> {
    await this.#collected();
    const statuses = await this.#statusesOf(this.#followed(), false);
    const atMs = Date.now();
    for (const [signature, status] of statuses) this.#known.set(signature, { status, atMs });
  }

  /** Waits until others have joined, and until earlier calls have used up their time. */
  async #collected(): Promise<void> {
    await pauseFor(COLLECT_MS, this.#signal);
    while (Date.now() < this.#restUntilMs && !this.#signal.aborted)
      await pauseFor(this.#restUntilMs - Date.now(), this.#signal);
  }

  /** Signatures whose status may still change. Fresh ones are included, so that later reads of all of them fall together. */
  #followed(): string[] {
    const now = Date.now();
    for (const [signature, atMs] of this.#askedAtMs)
      if (now - atMs > FOLLOWED_MS) this.#askedAtMs.delete(signature);
    return [...this.#askedAtMs.keys()].filter((signature) => !isFinal(this.#known.get(signature)));
  }

  async #statusesOf(
    signatures: readonly string[],
    searchTransactionHistory: boolean,
  ): Promise<ReadonlyMap<string, SignatureStatus | null>> {
    const found = new Map<string, SignatureStatus | null>();
    for (let first = 0; first < signatures.length; first += MAX_PER_CALL) {
      const page = signatures.slice(first, first + MAX_PER_CALL);
      this.#restUntilMs = Math.max(this.#restUntilMs, Date.now()) + CALL_GAP_MS;
      const { value } = await this.#rpc
        .getSignatureStatuses(page as readonly string[] as readonly Signature[], { searchTransactionHistory })
        .send({ abortSignal: this.#signal });
      for (const [i, signature] of page.entries()) found.set(signature, statusOf(value[i] ?? null));
    }
    return found;
  }
}

type RpcStatus = ReturnType<GetSignatureStatusesApi['getSignatureStatuses']>['value'][number];

function statusOf(status: RpcStatus): SignatureStatus | null {
  if (status === null) return null;
  return {
    slot: BigInt(status.slot),
    level: status.confirmationStatus ?? (status.confirmations === null ? 'finalized' : 'processed'),
    error: status.err ?? null,
  };
}

/** A finalized status does not change any more. */
const isFinal = (known: Known | undefined) => known?.status?.level === 'finalized';

const isUsable = (known: Known) => isFinal(known) || Date.now() - known.atMs < FRESH_MS;

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRpcServer } from '@sluice/localnet/rpc/server';
import type { WorldChain } from '@sluice/localnet/world/world-chain';
import { type Address, getBase58Decoder } from '@solana/kit';

/** One transaction of the long history. */
export interface LongEntry {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

const FIRST_SLOT = 1_000;
const FIRST_TIME = 1_700_000_000;

/** A node with any number of transactions for one address, all copies of one, and optional faults. */
export class LongHistoryRpc {
  #entries: LongEntry[] = [];
  #places = new Map<string, number>();
  /** Number of newest slots that are not finalized. */
  unfinalizedSlots = 0;
  firstAvailable: number | null = 0;
  readonly withheld = new Set<string>();
  /** Answers matching calls with status 500. */
  breaks: (method: string, nth: number) => boolean = () => false;
  blocks = true;
  latencyMs = 0;
  readonly counts = new Map<string, number>();
  readonly #template: string;
  readonly #server: Server;
  #made = 0;
  url = '';

  constructor(template: string) {
    this.#template = template;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const call = JSON.parse(Buffer.concat(chunks).toString()) as Call;
        const nth = (this.counts.get(call.method) ?? 0) + 1;
        this.counts.set(call.method, nth);
        const answer = () => {
          if (this.breaks(call.method, nth)) response.writeHead(500).end();
          else response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},${this.#answer(call)}}`);
        };
        if (this.latencyMs === 0) answer();
        else setTimeout(answer, this.latencyMs);
      });
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  /** Newest first. */
  get entries(): readonly LongEntry[] {
    return this.#entries;
  }

  set entries(entries: readonly LongEntry[]) {
    this.#entries = [...entries];
    this.#places = new Map(entries.map(({ signature }, place) => [signature, place]));
  }

  get slot(): number {
    return this.entries[0]?.slot ?? FIRST_SLOT;
  }

  count(method: string): number {
    return this.counts.get(method) ?? 0;
  }

  /** Appends transactions, one per slot. */
  grow(count: number, { failedEvery = 0, sameSlot = false } = {}): void {
    const fresh: LongEntry[] = [];
    for (let i = 0; i < count; i += 1) {
      this.#made += 1;
      const slot = sameSlot ? this.slot : FIRST_SLOT + this.#made * 10;
      const failed = failedEvery > 0 && this.#made % failedEvery === 0;
      fresh.push({ signature: signatureNumbered(this.#made), slot, failed });
    }
    this.entries = [...fresh.reverse(), ...this.entries];
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #answer({ method, params }: Call): string {
    const config = (params.at(-1) ?? {}) as {
      before?: string;
      until?: string;
      limit?: number;
      commitment?: string;
    };
    if (method === 'getSlot') {
      // A node defaults to finalized.
      return `"result":${config.commitment === 'confirmed' ? this.slot : this.slot - this.unfinalizedSlots}`;
    }
    if (method === 'getFirstAvailableBlock') {
      return this.firstAvailable === null
        ? '"error":{"code":-32601,"message":"Method not found"}'
        : `"result":${this.firstAvailable}`;
    }
    if (method === 'getSignaturesForAddress') return `"result":${this.#list(config)}`;
    if (method === 'getTransaction') return `"result":${this.#transaction(String(params[0]))}`;
    if (method === 'getBlock' && this.blocks) {
      const inSlot = this.entries.filter(({ slot }) => slot === params[0]).reverse();
      return `"result":{"signatures":${JSON.stringify(inSlot.map(({ signature }) => signature))}}`;
    }
    return '"error":{"code":-32601,"message":"Method not found"}';
  }

  #list({ before, until, limit = 1_000 }: { before?: string; until?: string; limit?: number }): string {
    const available = this.entries.filter(({ slot }) => slot >= (this.firstAvailable ?? 0));
    const at = (signature: string | undefined) => available.findIndex((each) => each.signature === signature);
    const start = before === undefined ? 0 : at(before) < 0 ? available.length : at(before) + 1;
    const end = until === undefined || at(until) < 0 ? available.length : at(until);
    return JSON.stringify(
      available
        .slice(start, Math.max(start, Math.min(end, start + limit)))
        .map(({ signature, slot, failed }) => ({
          signature,
          slot,
          err: failed ? { InstructionError: [0, 'Custom'] } : null,
          memo: null,
          blockTime: timeOf(slot),
          confirmationStatus: 'confirmed',
        })),
    );
  }

  #transaction(signature: string): string {
    const entry = this.#entries[this.#places.get(signature) ?? -1];
    if (entry === undefined || this.withheld.has(signature)) return 'null';
    return this.#template
      .replace(/"slot":\d+/, `"slot":${entry.slot}`)
      .replace(/"blockTime":\d+/, `"blockTime":${timeOf(entry.slot)}`);
  }
}

const timeOf = (slot: number) => FIRST_TIME + Math.floor(slot / 2);

function signatureNumbered(number: number): string {
  const bytes = new Uint8Array(64).fill(7);
  new DataView(bytes.buffer).setUint32(0, number);
  return getBase58Decoder().decode(bytes);
}

/** A node whose every transaction is a copy of a deposit into the first vault of the generated world. */
export async function startLongHistory(
  localChain: WorldChain,
): Promise<{ readonly rpc: LongHistoryRpc; readonly vault: Address; readonly events: number }> {
  const served = await startRpcServer(localChain);
  try {
    const vault = localChain.world.vaults[0];
    if (vault === undefined) throw new Error('the world has no vault');
    const oldest = localChain.transactionsOf(vault.address).at(-1);
    const response = await fetch(served.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'getTransaction',
        params: [oldest?.signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }],
      }),
    });
    // Extracted as text, because JSON.parse would round large numbers.
    const text = await response.text();
    const [, result] = /"result":(\{.*\})\}?$/s.exec(text) ?? [];
    if (result === undefined) throw new Error(`no transaction in ${text.slice(0, 200)}`);
    const template = balanced(result);
    const rpc = await new LongHistoryRpc(template).listen();
    return { rpc, vault: vault.address, events: 1 };
  } finally {
    await served.close();
  }
}

/** The JSON object at the start of a text. */
function balanced(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '{') depth += 1;
    if (text[i] === '}') depth -= 1;
    if (depth === 0) return text.slice(0, i + 1);
  }
  throw new Error('unterminated object');
}

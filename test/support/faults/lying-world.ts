import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { vi } from 'vitest';
import { serveChain, TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import type { View } from '../../../src/chain/view/view.ts';
import { STILL, startReadyApp } from '../apps/test-app.ts';
import { type Lie, LyingChain } from '../localnet/lying-chain.ts';
import { FaultGateway } from './fault-gateway.ts';
import { Truth } from './reference-answers.ts';
import type { Reply } from './replies.ts';
import { type Question, questionsAbout, STREAMS, type StreamName } from './traffic.ts';

/** Every refresh reads everything, so a View has one slot unless the world advanced meanwhile. */
const PACE = {
  VIEW_REFRESH_MS: '200',
  VAULT_REFRESH_MS: '100',
  DISCOVERY_INTERVAL_MS: '1000',
  VIEWS_KEPT: '100',
  DRIFT_INTERVAL_MS: '0',
  PROGRAMS_INTERVAL_MS: '0',
};
const SLOTS = 3;
/** One of each source. More would take long: the reference has an answer for each pair of slots. */
const ASKED = new Set(['nested vaults', 'wallet', 'deposit']);
/** A bound on hangs. */
const PATIENCE_MS = 120_000;
/** The nodes that tell the truth answer later than the liar. */
const HONEST_LATENCY_MS = 15;

/** Three nodes of one chain, each of which can lie, and a gateway over them. */
export class LyingWorld {
  readonly localChain: TestChain;
  readonly nodes: readonly LyingChain[];
  readonly #servers: readonly LocalnetRpc[];
  readonly #truth: Truth;
  readonly #questions: readonly Question[];
  readonly #close: () => Promise<void>;
  #wrongMoments: string[] = [];

  private constructor(
    localChain: TestChain,
    nodes: readonly LyingChain[],
    servers: readonly LocalnetRpc[],
    reference: Awaited<ReturnType<typeof startReadyApp>>,
    close: () => Promise<void>,
  ) {
    this.localChain = localChain;
    this.nodes = nodes;
    this.#servers = servers;
    this.#questions = questionsAbout(localChain.addresses, { start: '', end: '' }).filter(({ name }) =>
      ASKED.has(name),
    );
    this.#truth = new Truth(localChain, reference, this.#questions);
    this.#close = close;
  }

  static async start(): Promise<LyingWorld> {
    const localChain = new TestChain();
    const nodes = [1, 2, 3].map(() => new LyingChain(localChain));
    const [honest, ...servers] = await Promise.all([localChain, ...nodes].map(serveChain));
    const reference = await startReadyApp({
      rpcUrls: [honest?.url ?? ''],
      env: { ...STILL, VIEWS_KEPT: '100' },
    });
    const world = new LyingWorld(localChain, nodes, servers, reference, async () => {
      await reference.stop();
      for (const server of [honest, ...servers]) await server?.close();
    });
    await world.move();
    return world;
  }

  /** Starts a gateway. `sockets`: with notifications of every node. */
  async gateway({ sockets = false, env = {} } = {}): Promise<FaultGateway> {
    this.#truth.forget();
    const { vault, obligation } = this.localChain.addresses;
    const app = await startReadyApp({
      rpcUrls: this.#servers.map(({ url }) => url),
      wsUrls: sockets ? this.#servers.map(({ wsUrl }) => wsUrl) : [],
      env: { ...PACE, ...env },
    });
    const { views } = app.app.chain;
    this.#wrongMoments = [];
    if (views.newest !== undefined) this.#checkMoment(views.newest);
    views.onView((view) => this.#checkMoment(view));
    return await FaultGateway.serve(app, this.#truth, { vaults: vault, obligations: obligation });
  }

  /** Views of the last gateway whose slot or time the chain never had. */
  get wrongMoments(): readonly string[] {
    return this.#wrongMoments;
  }

  #checkMoment({ moment: { slot, timestamp } }: View): void {
    const isTrue = this.localChain.blockTime(slot) === Number(timestamp);
    if (!isTrue) this.#wrongMoments.push(`slot ${slot} at ${timestamp}`);
  }

  /** Makes one node the quickest. */
  favour(liar: number): void {
    this.#servers.forEach(({ faults }, i) => {
      faults.latencyMs = i === liar ? 0 : HONEST_LATENCY_MS;
    });
  }

  lie(liar: number, lie: Lie): void {
    const node = this.nodes[liar];
    if (node === undefined) throw new RangeError(`there is no node ${liar}`);
    node.lie = lie;
  }

  /** Ends all lies. */
  tellTruth(): void {
    for (const node of this.nodes) node.lie = {};
  }

  move(): Promise<void> {
    return this.#truth.move(SLOTS);
  }

  ask(gateway: FaultGateway): Promise<readonly Reply[]> {
    return gateway.ask(this.#questions, this.localChain.slot);
  }

  /** Repeats the traffic until every answer is of the newest slot. */
  async untilNewest(gateway: FaultGateway): Promise<void> {
    const { slot } = this.localChain;
    let last = '';
    await vi
      .waitUntil(
        async () => {
          const stale = (await this.ask(gateway)).filter((r) => r.codes.length > 0 || r.slot !== slot);
          last = stale.map(({ text }) => text.slice(0, 150)).join('\n');
          return stale.length === 0;
        },
        { timeout: PATIENCE_MS, interval: 50 },
      )
      .catch(() => {
        throw new Error(`no answer at slot ${slot}: ${last}`);
      });
  }

  /** Waits until every stream has sent the newest slot. */
  async untilStreamed(gateway: FaultGateway): Promise<void> {
    const names = Object.keys(STREAMS) as StreamName[];
    await vi.waitUntil(() => names.every((name) => gateway.hasStreamed(name, this.localChain.slot)), {
      timeout: PATIENCE_MS,
      interval: 20,
    });
  }

  async stop(): Promise<void> {
    await this.#close();
  }
}

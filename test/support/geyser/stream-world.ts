import { type Localnet, startLocalnet } from '@sluice/localnet/localnet';
import { obligation } from '@sluice/protocol/klend/obligation';
import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { until } from '../../../packages/rpc-pool/test/support/test-pools.ts';
import { POSITION_KINDS } from '../../../src/chain/positions/position-kinds.ts';
import type { StreamTiming } from '../../../src/chain/sources/geyser/geyser-source.ts';
import { streamedKinds, TOKEN_PROGRAMS } from '../../../src/chain/sources/geyser/streamed-kinds.ts';
import { KINDS } from '../../../src/chain/view/kinds.ts';
import type { View } from '../../../src/chain/view/view.ts';
import { startReadyApp, type TestApp } from '../apps/test-app.ts';
import { withoutLateCounters } from '../localnet/late-counters.ts';

const NEVER = '3600000';
/** Time in which actors of the world act, and some slots pass. */
const STEP_MS = 2_000;
/** Between two moves. */
const PAUSE_MS = 25;
const START = Date.UTC(2026, 10, 1);

/** A world that moves when the test says so, a gateway that polls it and one that follows its stream. */
export class StreamWorld {
  readonly localnet: Localnet;
  readonly polling: TestApp;
  readonly streaming: TestApp;
  readonly #clock: { now: number };

  private constructor(localnet: Localnet, polling: TestApp, streaming: TestApp, clock: { now: number }) {
    this.localnet = localnet;
    this.polling = polling;
    this.streaming = streaming;
    this.#clock = clock;
  }

  static async start(timing: Partial<StreamTiming>, token?: string): Promise<StreamWorld> {
    const clock = { now: START };
    const geyser = { port: 0, ...(token === undefined ? {} : { token }) };
    const localnet = await startLocalnet({ scale: 1, now: () => clock.now, geyser });
    const url = new URL(localnet.geyser?.url ?? '');
    if (token !== undefined) url.username = encodeURIComponent(token);
    const rpcUrls = [localnet.rpc.url];
    const polling = await startReadyApp({ rpcUrls });
    const env = { GEYSER_URLS: url.href, VAULT_REFRESH_MS: NEVER, DISCOVERY_INTERVAL_MS: NEVER };
    const streaming = await startReadyApp({ rpcUrls, env, streamTiming: timing });
    const world = new StreamWorld(localnet, polling, streaming, clock);
    await world.untilStreamed();
    return world;
  }

  get stream() {
    const { stream } = this.streaming.app.chain.state();
    if (stream === null) throw new Error('no stream is configured');
    return stream;
  }

  get faults() {
    const { geyser } = this.localnet;
    if (geyser === null) throw new Error('the localnet has no stream');
    return geyser.faults;
  }

  /** Moves the world. The slot before the new one is complete then. */
  move(ms = STEP_MS): void {
    this.#clock.now += ms;
    this.localnet.chain.tick();
  }

  /** Moves the world, not faster than a gateway can follow, until the condition holds. */
  async moveUntil(isMet: () => boolean): Promise<void> {
    let movedAt = Number.NEGATIVE_INFINITY;
    await until(() => {
      if (performance.now() - movedAt >= PAUSE_MS) {
        this.move(400);
        movedAt = performance.now();
      }
      return isMet();
    });
  }

  /** Moves the world until a View of a later slot comes from the stream, with positions. */
  async untilStreamed(): Promise<void> {
    const { slot } = this.localnet.chain;
    await this.moveUntil(() => {
      const newest = this.streaming.app.chain.views.newest;
      const isLater = newest !== undefined && newest.moment.slot > slot && newest.positions !== null;
      return isLater && this.stream.status === 'streaming';
    });
  }

  /** Differences of a View of the stream from a polled one and from the chain, all of one slot. */
  async differences(): Promise<readonly string[]> {
    this.move();
    const { chain } = this.localnet;
    const { slot } = chain;
    const { signal } = new AbortController();
    const polled = await this.polling.app.chain.reach(slot, signal);
    const positions = this.#positionsOnChain(polled);
    const reached = this.streaming.app.chain.reach(slot, signal);
    this.move(400);
    const streamed = await reached;
    if (polled.moment.slot !== slot || streamed.moment.slot < slot)
      return [`Views of slots ${polled.moment.slot} and ${streamed.moment.slot} instead of ${slot}`];
    if (streamed.moment.slot > slot) return await this.differences();
    const { slotMin, slotMax, slotWhole, torn, timestamp } = streamed.moment;
    const isOfOneSlot = [slotMin, slotMax, slotWhole].every((each) => each === slot) && !torn;
    return [
      ...(isOfOneSlot ? [] : [`the View of slot ${slot} is of several slots`]),
      ...(timestamp === polled.moment.timestamp ? [] : ['the time differs']),
      ...differencesOfCatalogue(polled, streamed),
      ...differencesOfPositions(positions, streamed),
    ];
  }

  /** Obligations with their owners. */
  loansOnChain(): readonly (readonly [loan: Address, owner: Address])[] {
    const found: [Address, Address][] = [];
    for (const [address, { data }] of this.localnet.chain.programAccounts(MAINNET_PROGRAMS.klend))
      if (obligation.discriminator.every((byte, i) => data[i] === byte))
        found.push([address, readAddress(viewOf(data), obligation.offsetOf('owner'))]);
    return found;
  }

  /** Bytes by kind and address. */
  #positionsOnChain(view: View): ReadonlyMap<string, Uint8Array> {
    const found = new Map<string, Uint8Array>();
    for (const { kind, program, discriminator } of streamedKinds(MAINNET_PROGRAMS)) {
      if (!(POSITION_KINDS as readonly string[]).includes(kind)) continue;
      for (const [address, { data }] of this.localnet.chain.programAccounts(program))
        if (discriminator.every((byte, i) => data[i] === byte))
          found.set(`${kind} ${address}`, Uint8Array.from(data));
    }
    const shareMints = new Set<Address>([...view.all('vault').values()].map(({ value }) => value.sharesMint));
    for (const program of TOKEN_PROGRAMS)
      for (const [address, { data }] of this.localnet.chain.programAccounts(program)) {
        const isAccount = data.length >= TOKEN_ACCOUNT_BYTES;
        if (isAccount && shareMints.has(readAddress(viewOf(data), TOKEN_ACCOUNT_OFFSETS.mint)))
          found.set(`tokenAccount ${address}`, Uint8Array.from(data));
      }
    return found;
  }

  async stop(): Promise<void> {
    await Promise.all([this.polling.stop(), this.streaming.stop()]);
    await this.localnet.stop();
  }
}

function differencesOfCatalogue(polled: View, streamed: View): readonly string[] {
  return KINDS.flatMap((kind) => {
    const [before, now] = [polled.all(kind), streamed.all(kind)];
    return [...new Set([...before.keys(), ...now.keys()])].flatMap((address) => {
      const [a, b] = [before.get(address)?.data, now.get(address)?.data];
      if (a === undefined || b === undefined) return [`${kind} ${address} is in one View alone`];
      const isSame = Buffer.compare(withoutLateCounters(kind, a), withoutLateCounters(kind, b)) === 0;
      return isSame ? [] : [`${kind} ${address}`];
    });
  });
}

function differencesOfPositions(onChain: ReadonlyMap<string, Uint8Array>, view: View): readonly string[] {
  const { positions } = view;
  if (positions === null) return ['the View has no positions'];
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const { kind, account } of positions.all()) {
    const key = `${kind} ${account.address}`;
    seen.add(key);
    const truth = onChain.get(key);
    if (truth === undefined || Buffer.compare(truth, account.data) !== 0) wrong.push(key);
  }
  for (const key of onChain.keys()) if (!seen.has(key)) wrong.push(`${key} is missing`);
  return wrong;
}

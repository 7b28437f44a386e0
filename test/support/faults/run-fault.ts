import type { Misbehaviour } from '../rpc/faulty-proxy.ts';
import { judge } from './fault-checks.ts';
import type { FaultGateway, Readiness } from './fault-gateway.ts';
import { faultTable } from './fault-table.ts';
import type { FaultWorld, GatewayOptions } from './fault-world.ts';
import { STREAMS, type StreamName } from './traffic.ts';

export interface Fault {
  /** Name in docs/faults.md. */
  readonly name: string;
  readonly gateway?: GatewayOptions;
  /** Minimum duration; by default as long as the traffic takes. */
  readonly lastsMs?: number;
  begin(world: FaultWorld): void | Promise<void>;
  end(world: FaultWorld): void | Promise<void>;
  /** Extra checks during the fault, after the traffic; returns problems. */
  during?(gateway: FaultGateway): Promise<readonly string[]>;
  /** Waits until everything specific to this fault has recovered. */
  after?(gateway: FaultGateway): Promise<void>;
}

/** The result of a fault run. */
export interface Outcome {
  /** Every deviation from docs/faults.md and every wrong number. */
  readonly problems: readonly string[];
  readonly codes: readonly string[];
  /** Number of answers compared with the reference. */
  readonly compared: number;
  readonly recoveredAfterMs: number;
}

const MOVES = 2;
const ROUNDS = 2;
const SLOTS = 3;
const ROUND_PAUSE_MS = 500;
const PATIENCE_MS = 30_000;
/** Runs a fault and its recovery under steady traffic. */
export async function suffer(world: FaultWorld, fault: Fault): Promise<Outcome> {
  const row = faultTable().get(fault.name);
  if (row === undefined) throw new Error(`docs/faults.md does not list "${fault.name}"`);
  const gateway = await world.start(fault.gateway);
  const problems: string[] = [];
  try {
    await world.truth.move(SLOTS);
    await untilWell(world, gateway, 'before the fault');
    await gateway.openStreams();
    await untilStreamed(world, gateway);
    const before = gateway.heard.length;

    await fault.begin(world);
    const beganAt = performance.now();
    const readiness: Readiness[] = [];
    const round = async () => {
      await gateway.ask(world.questions, world.localChain.slot);
      readiness.push(await gateway.ready());
    };
    for (let move = 0; move < MOVES; move += 1) {
      await world.truth.move(SLOTS);
      for (let i = 0; i < ROUNDS; i += 1) await round();
    }
    while (performance.now() - beganAt < (fault.lastsMs ?? 0)) {
      await pause(ROUND_PAUSE_MS);
      await round();
    }
    if (row.ready === 'not ready') {
      const ready = await untilReadiness(gateway, 503);
      readiness.push(ready);
      const { chain } = JSON.parse(ready.text) as { chain: { slot: string } };
      if (BigInt(chain.slot) >= world.localChain.slot) problems.push('/ready does not report the old View');
    }
    problems.push(...((await fault.during?.(gateway)) ?? []));
    const faulty = gateway.heard.slice(before);

    await world.truth.move(SLOTS);
    await fault.end(world);
    const endedAt = performance.now();
    await untilWell(world, gateway, 'after the fault');
    const recoveredAfterMs = performance.now() - endedAt;
    await untilStreamed(world, gateway);
    await untilReadiness(gateway, 200);
    await fault.after?.(gateway);

    problems.push(...(await judge(row, { gateway, faulty, readiness })));
    const codes = [...faulty.flatMap(({ reply }) => reply.codes), ...gateway.streamCodes()];
    return {
      problems: [...new Set(problems)],
      codes: [...new Set(codes)],
      compared: gateway.compared,
      recoveredAfterMs,
    };
  } finally {
    await fault.end(world);
    await gateway.stop();
  }
}

/** The same for a misbehaving single endpoint; `met` counts the affected calls. */
export async function sufferMisbehaviour(
  world: FaultWorld,
  name: string,
  misbehaviour: Misbehaviour,
  env: Readonly<Record<string, string>>,
): Promise<Outcome & { readonly met: number }> {
  const [proxy] = world.proxies;
  let met = 0;
  const outcome = await suffer(world, {
    name,
    gateway: { env },
    begin: () => proxy?.misbehave(misbehaviour),
    end: () => proxy?.heal(),
    async during() {
      met = proxy?.met ?? 0;
      return [];
    },
  });
  return { ...outcome, met };
}

/** Repeats the traffic until every answer is of the world's current slot. */
async function untilWell(world: FaultWorld, gateway: FaultGateway, when: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { slot } = world.localChain;
    const replies = await gateway.ask(world.questions, slot);
    const unwell = replies.filter((reply) => reply.codes.length > 0 || reply.slot !== slot);
    if (unwell.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(
        `${when} it does not answer: ${unwell.map(({ text }) => text.slice(0, 200)).join('\n')}`,
      );
    }
    await pause(50);
  }
}

async function untilStreamed(world: FaultWorld, gateway: FaultGateway): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const names = Object.keys(STREAMS) as StreamName[];
  while (!names.every((name) => gateway.hasStreamed(name, world.localChain.slot))) {
    if (performance.now() > deadline) throw new Error('a stream does not continue');
    await pause(20);
  }
}

async function untilReadiness(gateway: FaultGateway, status: number): Promise<Readiness> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const ready = await gateway.ready();
    if (ready.status === status) return ready;
    if (performance.now() > deadline) throw new Error(`/ready stays ${ready.status}: ${ready.text}`);
    await pause(20);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

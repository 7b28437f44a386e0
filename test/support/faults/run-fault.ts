import type { Misbehaviour } from '../rpc/faulty-proxy.ts';
import { judge } from './fault-checks.ts';
import type { FaultGateway, Readiness } from './fault-gateway.ts';
import { faultTable } from './fault-table.ts';
import type { FaultWorld, GatewayOptions } from './fault-world.ts';
import { STREAMS, type StreamName } from './traffic.ts';

export interface Fault {
  /** As docs/faults.md calls it. */
  readonly name: string;
  readonly gateway?: GatewayOptions;
  /** At least so long; as long as the traffic takes when left out. */
  readonly lastsMs?: number;
  begin(world: FaultWorld): void | Promise<void>;
  end(world: FaultWorld): void | Promise<void>;
  /** Asserted while it lasts, after the traffic. */
  during?(gateway: FaultGateway): Promise<readonly string[]>;
  /** Returns when what only this fault broke is whole again. */
  after?(gateway: FaultGateway): Promise<void>;
}

/** What came of a fault. */
export interface Outcome {
  /** Everything that is not as docs/faults.md promises, and every number that is not true. */
  readonly problems: readonly string[];
  readonly codes: readonly string[];
  /** Answers that were compared with the truth. */
  readonly compared: number;
  readonly recoveredAfterMs: number;
}

const MOVES = 2;
const ROUNDS = 2;
const SLOTS = 3;
const ROUND_PAUSE_MS = 500;
const PATIENCE_MS = 30_000;
/** Lives through a fault under steady traffic, and through its end. */
export async function suffer(world: FaultWorld, fault: Fault): Promise<Outcome> {
  const row = faultTable().get(fault.name);
  if (row === undefined) throw new Error(`docs/faults.md does not tell of "${fault.name}"`);
  const gateway = await world.start(fault.gateway);
  const problems: string[] = [];
  try {
    await world.truth.move(SLOTS);
    await untilWell(world, gateway, 'before the fault');
    await gateway.openStreams();
    await untilTold(world, gateway);
    const before = gateway.heard.length;

    await fault.begin(world);
    const beganAt = performance.now();
    const readiness: Readiness[] = [];
    const round = async () => {
      await gateway.ask(world.questions, world.ledger.slot);
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
      if (BigInt(chain.slot) >= world.ledger.slot) problems.push('/ready does not tell that the View is old');
    }
    problems.push(...((await fault.during?.(gateway)) ?? []));
    const faulty = gateway.heard.slice(before);

    await world.truth.move(SLOTS);
    await fault.end(world);
    const endedAt = performance.now();
    await untilWell(world, gateway, 'after the fault');
    const recoveredAfterMs = performance.now() - endedAt;
    await untilTold(world, gateway);
    await untilReadiness(gateway, 200);
    await fault.after?.(gateway);

    problems.push(...judge(row, { gateway, faulty, readiness }));
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

/** The same for an only endpoint that does something wrong; `met` counts the calls to which it happened. */
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

/** Asks until everything answers about the slot at which the world stands. */
async function untilWell(world: FaultWorld, gateway: FaultGateway, when: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { slot } = world.ledger;
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

async function untilTold(world: FaultWorld, gateway: FaultGateway): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const names = Object.keys(STREAMS) as StreamName[];
  while (!names.every((name) => gateway.hasTold(name, world.ledger.slot))) {
    if (performance.now() > deadline) throw new Error('a stream does not go on');
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

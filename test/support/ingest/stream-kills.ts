import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { TestDatabase } from '../databases/test-databases.ts';
import type { StreamTask } from './stream-process.ts';
import { StreamReader, StreamWorld, storedEvents } from './stream-world.ts';
import { ownersOf } from './world-events.ts';

/** Kills a process that stores a stream several times, and compares what the last one completes with the world. */
export async function expectStreamWhole(kind: TestDatabase, kills: number): Promise<void> {
  const world = await StreamWorld.open();
  const reader = await StreamReader.open(kind, world);
  const folder = await mkdtemp(join(tmpdir(), 'stream-'));
  const file = join(folder, 'task.json');
  try {
    await writeFile(file, JSON.stringify(taskOf(world, reader)));
    const first = await reader.begin();
    for (let killed = 0; killed < kills; killed += 1) {
      const child = await started(file);
      // Some kills happen before the first write, some within one, while slots pass.
      const untilMs = performance.now() + Math.random() ** 2 * 2_500;
      while (performance.now() < untilMs) await pass(world);
      await kill(child);
      await world.advance(10);
      // Every other time the server cannot replay, so that the next process reads from the RPC.
      if (killed % 2 === 1) world.geyser.faults.restart();
    }
    const last = await started(file);
    const to = await world.advance(5);
    await reader.storedTo(to);
    await kill(last);
    const expected = world.eventsBetween(first, to);
    expect(expected.length).toBeGreaterThan(3);
    expect(await storedEvents(reader.history.db, first, to)).toEqual(expected);
  } finally {
    await rm(folder, { recursive: true });
    await reader.close();
    await world.close();
  }
}

async function pass(world: StreamWorld): Promise<void> {
  await world.advance(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function started(file: string): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('stream-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no output');
  await once(createInterface(child.stdout), 'line');
  return child;
}

function taskOf({ chain, geyser, rpcUrl }: StreamWorld, { history }: StreamReader): StreamTask {
  const { world } = chain;
  return {
    geyserUrl: geyser.url,
    rpcUrl,
    databaseUrl: history.url,
    vaultsOfShares: world.vaults.map(({ sharesMint, address }) => [sharesMint.address, address]),
    vaultsOfFarms: world.vaults.flatMap(({ farm, address }) => (farm ? [[farm.address, address]] : [])),
    owners: [...ownersOf(world)],
    referralFees: world.markets.map(({ address, referralFeeBps }) => [address, referralFeeBps]),
  };
}

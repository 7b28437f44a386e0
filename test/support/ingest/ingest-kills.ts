import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { startRpcServer } from '@sluice/localnet/rpc/server';
import { createWorldChain } from '@sluice/localnet/world/world-chain';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import { readCursors } from '../../../src/store/transactions/cursors.ts';
import { readLendingEvents } from '../../../src/store/transactions/read-lending-events.ts';
import { readVaultEvents } from '../../../src/store/transactions/read-vault-events.ts';
import type { TestDatabase } from '../databases/test-databases.ts';
import { openHistory } from '../history/history-database.ts';
import type { ChildTask } from './ingest-process.ts';
import { byName, eventsOf, ownersOf } from './world-events.ts';

const ALL = { order: 'oldestFirst', limit: null } as const;

/** Kills an ingesting process several times, lets the last one finish, and compares the result with the world. */
export async function expectNothingLost(kind: TestDatabase, kills: number): Promise<void> {
  let nowMs = Date.UTC(2026, 5, 15);
  const localChain = createWorldChain({ now: () => nowMs });
  const rpc = await startRpcServer(localChain);
  const history = await openHistory(kind);
  const folder = await mkdtemp(join(tmpdir(), 'ingest-'));
  try {
    const { world } = localChain;
    const addresses = [
      ...world.vaults.flatMap(({ address, sharesMint, farm }) => [
        address,
        sharesMint.address,
        ...(farm === null ? [] : [farm.address]),
      ]),
      ...world.wallets.map(({ address }) => address),
    ];
    const task: ChildTask = {
      rpcUrl: rpc.url,
      databaseUrl: history.url,
      addresses,
      vaultsOfShares: world.vaults.map(({ sharesMint, address }) => [sharesMint.address, address]),
      vaultsOfFarms: world.vaults.flatMap(({ farm, address }) => (farm ? [[farm.address, address]] : [])),
      owners: [...ownersOf(world)],
      referralFees: world.markets.map(({ address, referralFeeBps }) => [address, referralFeeBps]),
    };
    const file = join(folder, 'task.json');
    await writeFile(file, JSON.stringify(task));
    let killed = 0;
    while (killed < kills) {
      const child = start(file);
      const lines = createInterface(outputOf(child));
      await once(lines, 'line');
      // Some kills happen before the first page, some within a database transaction.
      await new Promise((resolve) => setTimeout(resolve, Math.random() ** 2 * 2_500));
      if (child.exitCode === null) killed += 1;
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      // The chain advances while no process is running.
      for (let i = 0; i < 40; i += 1) {
        nowMs += 400;
        localChain.tick();
      }
    }
    const last = start(file);
    const said: string[] = [];
    createInterface(outputOf(last)).on('line', (line) => said.push(line));
    await once(last, 'exit');
    expect(said).toEqual(['ready', 'complete']);
    await expectWhole(history.db, localChain, addresses);
  } finally {
    await rm(folder, { recursive: true });
    await history.drop();
    await rpc.close();
  }
}

function start(file: string): ChildProcess {
  const script = fileURLToPath(new URL('ingest-process.ts', import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function expectWhole(
  db: Parameters<typeof readCursors>[0],
  localChain: ReturnType<typeof createWorldChain>,
  addresses: readonly Address[],
): Promise<void> {
  const expectedEvents = eventsOf(localChain);
  for (const { address: vault } of localChain.world.vaults) {
    const stored = await readVaultEvents(db, { vault }, {}, ALL);
    expect(byName(stored)).toEqual(byName(expectedEvents.vaultEvents.filter((each) => each.vault === vault)));
  }
  for (const { address: owner } of localChain.world.wallets) {
    const stored = await readLendingEvents(db, { owner }, {}, ALL);
    // A wallet's transaction list omits liquidations and repayments by other wallets.
    const own = new Set(localChain.transactionsOf(owner).map(({ signature }) => signature));
    const expected = expectedEvents.lendingEvents.filter(
      (each) => each.owner === owner && own.has(each.signature),
    );
    expect(byName(stored.filter(({ signature }) => own.has(signature)))).toEqual(byName(expected));
  }
  const cursors = await readCursors(db, addresses);
  for (const address of addresses) {
    // Each transaction was counted once, however often its page was started.
    expect(cursors.get(address)?.transactions ?? 0).toBe(localChain.transactionsOf(address).length);
  }
}

function outputOf({ stdout }: ChildProcess): Readable {
  if (stdout === null) throw new Error('no output');
  return stdout;
}

import { makeKey } from '../../../src/limits/keys/api-key.ts';
import { KeyDatabase } from '../../../src/limits/keys/key-database.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { findGaps } from '../../../src/store/history/gaps.ts';
import { recordedMinutes } from '../history/read-points.ts';
import type { FaultWorld } from './fault-world.ts';
import { type Outcome, suffer } from './run-fault.ts';

const SLOTS_PER_MINUTE = 150;
const PATIENCE_MS = 60_000;

/** A recording gateway loses its database for some time, during which a new minute begins. */
export async function sufferDatabaseLoss(world: FaultWorld, goneMs: number): Promise<Outcome> {
  const { postgres, localChain, truth } = world;
  const { key, text } = makeKey({ name: 'Front end', limit: 0, origins: [] }, new Date());
  const keys = new KeyDatabase(postgres.url);
  await keys.add(key);
  await keys.close();
  const problems: string[] = [];
  const statusWith = async (origin: string, secret: string) => {
    const response = await fetch(`${origin}/kvaults/vaults`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    await response.text();
    return response.status;
  };
  const minuteNow = () => Math.floor((localChain.blockTime(localChain.slot) ?? 0) / 60) * 60_000;
  let first = 0;
  const outcome = await suffer(world, {
    name: 'Database gone',
    gateway: { env: { RECORDER: 'inside' } },
    lastsMs: goneMs,
    async begin() {
      await untilRecorded(postgres.url, minuteNow());
      first = minuteNow();
      postgres.kill();
      await truth.move(SLOTS_PER_MINUTE);
    },
    end: () => postgres.start(),
    async during({ origin }) {
      const ready = await (await fetch(`${origin}/ready`)).text();
      return [
        ...(ready.includes('"history":{"status":"unavailable"') ? [] : [`/ready says ${ready}`]),
        ...((await statusWith(origin, text)) === 200 ? [] : ['a known key does not go on']),
        ...((await statusWith(origin, `${text.slice(0, -3)}AAA`)) === 401 ? [] : ['a wrong key is taken']),
      ];
    },
    async after({ origin }) {
      await untilRecorded(postgres.url, minuteNow());
      await truth.move(SLOTS_PER_MINUTE);
      await untilRecorded(postgres.url, minuteNow());
      if ((await statusWith(origin, text)) !== 200) problems.push('the key is gone');
      problems.push(...(await gapsSince(postgres.url, first, minuteNow())));
    },
  });
  return { ...outcome, problems: [...outcome.problems, ...problems] };
}

/** Waits until the minute is in the database. */
async function untilRecorded(url: string, minute: number): Promise<void> {
  const db = await openDatabase({ url, poolSize: 1, statementTimeoutMs: 20_000 });
  const deadline = performance.now() + PATIENCE_MS;
  try {
    for (;;) {
      const recorded = await recordedMinutes(db);
      if (recorded !== null && recorded.last.getTime() >= minute) return;
      if (performance.now() > deadline) throw new Error(`${new Date(minute).toISOString()} is not recorded`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await db.close();
  }
}

async function gapsSince(url: string, first: number, last: number): Promise<readonly string[]> {
  const db = await openDatabase({ url, poolSize: 1, statementTimeoutMs: 20_000 });
  try {
    const gaps = await findGaps(db, { start: new Date(first), end: new Date(last + 60_000) });
    const [row] = await db.rows('SELECT count(*) - count(DISTINCT bucket) AS doubled FROM snapshot');
    return [
      ...gaps.map(({ start }) => `no minute at ${start.toISOString()}`),
      ...(Number(row?.doubled) === 0 ? [] : ['a minute is there twice']),
    ];
  } finally {
    await db.close();
  }
}

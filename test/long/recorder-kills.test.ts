import { describe, expect, it } from 'vitest';
import { postgres } from '../support/databases.ts';
import { killAgainAndAgain } from '../support/recorder-kills.ts';

const KILLS = 50;

describe.each(postgres())('a recorder that is killed fifty times on $name', (kind) => {
  it('loses no minute that it wrote, writes none twice, and leaves hours and days right', async () => {
    const { url, close } = await kind.open();
    const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
    try {
      const outcome = await killAgainAndAgain({ url }, async () => url, KILLS, seed);
      expect(outcome).toMatchObject({ lost: [], doubled: 0, missing: 0, faults: [] });
      expect(outcome.acknowledged).toBeGreaterThanOrEqual(KILLS);
      process.stdout.write(`${outcome.acknowledged} minutes acknowledged\n`);
    } finally {
      await close();
    }
  });
});

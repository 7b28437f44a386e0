import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EmbeddedDatabase } from '../../src/store/embedded/embedded-database.ts';
import { postgres, startTestPglite } from '../support/databases.ts';
import { killAgainAndAgain } from '../support/recorder-kills.ts';

const KILLS = 5;
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
const UNHARMED = { lost: [], doubled: 0, missing: 0, faults: [] };

describe.each(postgres())('a recorder that is killed at any moment on $name', (kind) => {
  it('loses no minute that it wrote, writes none twice, and leaves hours and days right', async () => {
    const { url, close } = await kind.open();
    try {
      const outcome = await killAgainAndAgain({ url }, async () => url, KILLS, seed);
      expect(outcome).toMatchObject(UNHARMED);
      expect(outcome.acknowledged).toBeGreaterThanOrEqual(KILLS);
    } finally {
      await close();
    }
  }, 180_000);
});

describe('a recorder that is killed at any moment on PGlite', () => {
  it('loses no minute that it wrote, writes none twice, and leaves hours and days right', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sluice-kills-'));
    let opened: EmbeddedDatabase | null = null;
    const open = async () => {
      opened = await startTestPglite(dataDir);
      return opened.url;
    };
    try {
      const outcome = await killAgainAndAgain({ dataDir }, open, KILLS, seed);
      expect(outcome).toMatchObject(UNHARMED);
      expect(outcome.acknowledged).toBeGreaterThanOrEqual(KILLS);
    } finally {
      await (opened as EmbeddedDatabase | null)?.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 300_000);
});

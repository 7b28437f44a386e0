import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EmbeddedDatabase } from '../../../src/store/embedded/embedded-database.ts';
import { postgres, startTestPglite } from '../databases/test-databases.ts';
import { type KillsOutcome, killAgainAndAgain } from './recorder-kills.ts';

const TITLE = 'loses no minute that it wrote, writes none twice, and leaves hours and days right';

function expectUnharmed(outcome: KillsOutcome, kills: number): void {
  expect(outcome).toMatchObject({ lost: [], doubled: 0, missing: 0, faults: [] });
  expect(outcome.acknowledged).toBeGreaterThanOrEqual(kills);
}

/** Kills recorders repeatedly on each database, at moments derived from KILL_SEED. */
export function describeRecorderKills(kills: { readonly postgres: number; readonly pglite: number }): void {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);

  describe.each(postgres())(`a recorder that is killed ${kills.postgres} times on $name`, (kind) => {
    it(TITLE, async () => {
      const { url, close } = await kind.open();
      try {
        expectUnharmed(
          await killAgainAndAgain({ url }, async () => url, kills.postgres, seed),
          kills.postgres,
        );
      } finally {
        await close();
      }
    });
  });

  describe(`a recorder that is killed ${kills.pglite} times on PGlite`, () => {
    it(TITLE, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'sluice-kills-'));
      let opened: EmbeddedDatabase | null = null;
      const open = async () => {
        opened = await startTestPglite(dataDir);
        return opened.url;
      };
      try {
        expectUnharmed(await killAgainAndAgain({ dataDir }, open, kills.pglite, seed), kills.pglite);
      } finally {
        await (opened as EmbeddedDatabase | null)?.stop();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  });
}

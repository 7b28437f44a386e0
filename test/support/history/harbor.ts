import { expect } from 'vitest';
import type { ReserveSample, VaultSample } from '../../../src/store/history/samples.ts';
import type { Step } from '../../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../apps/history-app.ts';
import { snapshot } from './samples.ts';

/** A vault named as if it were one of the verified curator. */
export const IMITATION = 'Harbor Staked SOL';

interface Moment {
  readonly at: Date;
  readonly vaults?: readonly VaultSample[];
  readonly reserves?: readonly ReserveSample[];
}

/** A gateway over the localnet's catalogue, in which the curator "Harbor" is verified. */
export class HarborWorld {
  readonly app: HistoryWorld;

  constructor(app: HistoryWorld) {
    this.app = app;
  }

  get vaults() {
    return this.app.localChain.worldChain.world.vaults;
  }

  /** Those of the curator. */
  get ofHarbor() {
    return this.vaults.filter(({ name }) => name.startsWith('Harbor ') && name !== IMITATION);
  }

  /** Data of an answer, which must have no errors. */
  async ask<T>(document: string, variables: Readonly<Record<string, unknown>> = {}): Promise<T> {
    const { data, errors } = await this.app.query<T>(document, variables);
    expect(errors).toEqual([]);
    return data;
  }

  async write(step: Step, moments: readonly Moment[]): Promise<void> {
    const { db, fence } = this.app.history;
    await writeHistory(
      db,
      fence,
      step,
      moments.map(({ at, ...samples }) => snapshot(at, samples)),
    );
  }
}

export const startHarborWorld = async (): Promise<HarborWorld> => new HarborWorld(await startHistoryWorld());

import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { readForBuild } from '../../src/services/builds/reads.ts';
import type { Session } from '../../src/services/request/session.ts';

const FIRST = 'So11111111111111111111111111111111111111112' as Address;
const SECOND = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

describe('builds that share a read', () => {
  it('give way between each round of reads and what follows', async () => {
    const steps: string[] = [];
    const session = {
      account: async () => null,
      newestMoment: { slot: 7n },
      work: {
        giveWay: () => {
          steps.push('gave way');
          return null;
        },
      },
    } as unknown as Session;
    const built = await readForBuild(session, { named: [FIRST], expected: [] }, ({ isRead }) => {
      steps.push('attempt');
      return isRead(SECOND) ? { built: 'done' } : { needs: [SECOND] };
    });
    expect([built, ...steps]).toEqual(['done', 'gave way', 'attempt', 'gave way', 'attempt']);
  });
});

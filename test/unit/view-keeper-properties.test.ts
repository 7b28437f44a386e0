import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { View } from '../../src/chain/view/view.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { announced, keeperOver, RESERVES, slotInView, VAULTS } from '../support/rpc/test-view-keeper.ts';

beforeEach(() => {
  // Skips the backoff between RPC attempts.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

async function settled<T>(work: Promise<T>): Promise<T> {
  let done = false;
  const watched = work.finally(() => {
    done = true;
  });
  watched.catch(() => undefined);
  while (!done) await vi.advanceTimersByTimeAsync(250);
  return await watched;
}

const FIRST_SLOT = 1_000;
const EVERYTHING: readonly Address[] = [...VAULTS, ...RESERVES];

/** Between two Views the chain advances and accounts are announced, some of them late. */
const step = fc.record({
  slots: fc.nat({ max: 10 }),
  announcements: fc.array(
    fc.record({ vault: fc.nat({ max: VAULTS.length - 1 }), behind: fc.integer({ min: -5, max: 40 }) }),
    { maxLength: 4 },
  ),
});

/** Lag of each page and of its clock in slots; an honest RPC rejects a `minContextSlot` that it has not reached. */
const answers = fc.array(
  fc.record({ behind: fc.integer({ min: -3, max: 30 }), honest: fc.boolean(), clockLag: fc.nat({ max: 9 }) }),
  {
    maxLength: 120,
  },
);

const now = (lag: { behind?: number; clockLag?: number } = {}) => ({
  behind: 0,
  honest: false,
  clockLag: 0,
  ...lag,
});
/** First the clock lags behind its accounts, then a page lags behind the accounts but not behind that clock. */
const LAGGING_CLOCK: [{ slots: number; announcements: [] }[], ReturnType<typeof now>[]] = [
  [
    { slots: 0, announcements: [] },
    { slots: 0, announcements: [] },
  ],
  [now(), now(), now(), now(), now({ clockLag: 1 }), now({ behind: 1 })],
];

it('never moves an account or a slot backwards, whatever the order of the answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), answers, async (steps, script) => {
      let chain = FIRST_SLOT;
      let next = 0;
      const answer = () => script[next] ?? { behind: 0, honest: true, clockLag: 0 };
      const { keeper, store } = keeperOver({
        slotOf: () => {
          next += 1;
          return BigInt(chain - answer().behind);
        },
        honoursMinSlot: () => answer().honest,
        clockLag: () => answer().clockLag,
        // Three or four accounts a page, so the pages of one View have different slots.
        pageBytes: 70_000,
      });
      const announcedSlots = new Map<Address, bigint>();
      let before: View | undefined;
      for (const { slots, announcements } of steps) {
        chain += slots;
        for (const { vault, behind } of announcements) {
          const address = VAULTS[vault] ?? VAULTS[0];
          const slot = BigInt(chain - behind);
          if (address === undefined) continue;
          keeper.announce('vault', announced(address, slot));
          announcedSlots.set(address, max(announcedSlots.get(address) ?? 0n, slot));
        }
        try {
          await settled(keeper.read());
        } catch (error) {
          // A lagging RPC produces no View; the next View must still not move backwards.
          expect(isCodedError(error, 'MIN_SLOT_NOT_REACHED')).toBe(true);
          continue;
        }
        const view = store.current();
        if (before !== undefined) expectLater(view, before);
        for (const [address, slot] of announcedSlots) {
          expect((slotInView(view, address) ?? 0n) >= slot).toBe(true);
        }
        before = view;
      }
    }),
    { numRuns: 60, examples: [LAGGING_CLOCK] },
  );
});

function expectLater(view: View, before: View): void {
  expect(view.moment.number).toBe(before.moment.number + 1);
  expect(view.moment.slot >= before.moment.slot).toBe(true);
  expect(view.moment.timestamp >= before.moment.timestamp).toBe(true);
  expect(view.moment.slotWhole >= before.moment.slotWhole).toBe(true);
  for (const address of EVERYTHING) {
    const [now, then] = [slotInView(view, address), slotInView(before, address)];
    expect(now !== undefined && then !== undefined && now >= then).toBe(true);
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

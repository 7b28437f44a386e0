import { slotAt } from '@sluice/localnet/world/time';
import type { World } from '@sluice/localnet/world/world';
import { createWorldChain } from '@sluice/localnet/world/world-chain';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { accountsOf } from '../../packages/localnet/test/world/world-reading.ts';
import { realisedApy } from '../../src/domain/apy.ts';
import { NOT_COUNTED, takeSnapshot } from '../../src/recorder/take-snapshot.ts';
import type { Snapshot, VaultSample } from '../../src/store/history/samples.ts';
import { replayMoments } from '../support/localnet/past-moments.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WINDOWS = [365, 180, 90, 30, 7, 1];

interface SnapshotAt {
  readonly snapshot: Snapshot;
  readonly world: World;
}

/** Snapshots at the start of each window, oldest first, and at the present. */
function snapshotsUntil(presentMs: number): { past: readonly SnapshotAt[]; present: SnapshotAt } {
  const moments = [...WINDOWS.map((days) => presentMs - days * DAY), presentMs - 1_000];
  const snapshots: SnapshotAt[] = [];
  replayMoments(presentMs, moments, ({ view, world }) => {
    snapshots.push({ snapshot: takeSnapshot(view, NOT_COUNTED), world });
  });
  const present = snapshots.pop();
  if (present === undefined) throw new Error('no snapshot of the present');
  return { past: snapshots, present };
}

/** Withdrawal penalties in tokens. They stay in the vault, so they count as yield for the remaining holders. */
function penaltiesSince(world: World, address: Address, fromMs: number): number {
  const vault = world.vaults.find((one) => one.address === address);
  if (vault === undefined) throw new Error(`no vault ${address}`);
  const penaltyShare = vault.spec.penaltyBps / (10_000 - vault.spec.penaltyBps);
  let penalties = 0;
  for (const { slot, action } of world.journal.of(address)) {
    if (action.kind === 'vaultWithdraw' && slot >= slotAt(fromMs))
      penalties += Number(action.tokens) * penaltyShare;
  }
  return penalties / 10 ** vault.token.mint.decimals;
}

function realised(first: VaultSample, last: VaultSample, seconds: number): number {
  const apy =
    first.tokensPerShare &&
    last.tokensPerShare &&
    realisedApy(first.tokensPerShare, last.tokensPerShare, BigInt(seconds));
  if (apy === null) throw new Error(`${first.vault} has no share price`);
  return apy.toNumber();
}

describe('the realised yield of a vault', () => {
  // Just after midnight, and after a morning or a whole day was skipped.
  it.each([
    Date.UTC(2026, 10, 15, 0, 0, 40),
    Date.UTC(2026, 10, 15, 9, 12, 30),
    Date.UTC(2026, 10, 15, 20, 40),
    Date.UTC(2026, 5, 3, 23, 58, 30),
  ])('is between zero and twice the current yield in every window, at %i', (presentMs) => {
    const { past, present } = snapshotsUntil(presentMs);
    const vaults = present.snapshot.vaults.filter(({ sharesIssued }) => !sharesIssued?.isZero);
    expect(vaults.length).toBeGreaterThan(30);
    let looked = 0;
    for (const last of vaults) {
      const now = last.apyActual.toNumber();
      for (const { snapshot } of past) {
        const first = snapshot.vaults.find(({ vault }) => vault === last.vault);
        if (first === undefined || first.sharesIssued?.isZero) continue;
        const fromMs = snapshot.sampledAt.getTime();
        const seconds = (present.snapshot.sampledAt.getTime() - fromMs) / 1_000;
        const penalties =
          penaltiesSince(present.world, last.vault, fromMs) / (last.tvlTokens?.toNumber() ?? 0);
        const most = Math.abs(now) + 2 * penalties * ((365 * DAY) / 1_000 / seconds);
        // The yield can be negative where fees exceed the interest.
        expect(
          Math.abs(realised(first, last, seconds) - now),
          `${last.vault} over ${seconds} s`,
        ).toBeLessThanOrEqual(most);
        looked += 1;
      }
    }
    expect(looked).toBeGreaterThan(vaults.length * (WINDOWS.length - 1));
  });

  it('is charged fees throughout skipped time', () => {
    let now = Date.UTC(2026, 5, 15, 13, 20);
    const localChain = createWorldChain({ now: () => now });
    // The program charges fees when it invests, and refuses to invest less than a minimum: a tiny vault has less, and so has
    // one whose only reserve holds everything.
    const excepted = new Set(
      localChain.world.vaults
        .filter(({ spec, allocations }) => spec.size !== 'usual' || allocations.length === 1)
        .map(({ address }) => address),
    );
    for (const pause of [8 * HOUR, 30 * DAY]) {
      now += pause;
      localChain.tick();
      const inUse = accountsOf(localChain, MAINNET_PROGRAMS.kvault, vaultState).filter(
        ([address, { sharesIssued }]) => sharesIssued > 0n && !excepted.has(address),
      );
      expect(inUse.length).toBeGreaterThan(20);
      for (const [, { lastFeeChargeTimestamp }] of inUse) {
        expect(Number(lastFeeChargeTimestamp) * 1_000).toBeGreaterThan(now - pause / 20);
      }
    }
  });
});

import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createDemoLedger } from '../../src/demo/world/demo-ledger.ts';
import { slotAt } from '../../src/demo/world/time.ts';
import type { World } from '../../src/demo/world/world.ts';
import { realisedApy } from '../../src/domain/apy.ts';
import { vaultState } from '../../src/programs/kvault/vault-state.ts';
import { MAINNET_PROGRAMS } from '../../src/programs/program-ids.ts';
import { NOT_COUNTED, takeSnapshot } from '../../src/recorder/take-snapshot.ts';
import type { Snapshot, VaultSample } from '../../src/store/history/samples.ts';
import { tellMoments } from '../support/ledger/past-moments.ts';
import { accountsOf } from './world-reading.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WINDOWS = [365, 180, 90, 30, 7, 1];

interface Told {
  readonly snapshot: Snapshot;
  readonly world: World;
}

/** What a recorder would have seen at the beginnings of the windows, oldest first, and at the present. */
function tell(presentMs: number): { past: readonly Told[]; present: Told } {
  const moments = [...WINDOWS.map((days) => presentMs - days * DAY), presentMs - 1_000];
  const told: Told[] = [];
  tellMoments(presentMs, moments, ({ view, world }) => {
    told.push({ snapshot: takeSnapshot(view, NOT_COUNTED), world });
  });
  const present = told.pop();
  if (present === undefined) throw new Error('the present was not told');
  return { past: told, present };
}

/** Part of the vault that those who left have left to the others, which is a yield as well. */
function penaltiesSince(world: World, address: Address, fromMs: number): number {
  const vault = world.vaults.find((one) => one.address === address);
  if (vault === undefined) throw new Error(`no vault ${address}`);
  const keptPart = vault.spec.penaltyBps / (10_000 - vault.spec.penaltyBps);
  let kept = 0;
  for (const { slot, action } of world.journal.of(address)) {
    if (action.kind === 'vaultWithdraw' && slot >= slotAt(fromMs)) kept += Number(action.tokens) * keptPart;
  }
  return kept / 10 ** vault.token.mint.decimals;
}

function realised(first: VaultSample, last: VaultSample, seconds: number): number {
  const apy =
    first.tokensPerShare &&
    last.tokensPerShare &&
    realisedApy(first.tokensPerShare, last.tokensPerShare, BigInt(seconds));
  if (apy === null) throw new Error(`${first.vault} has no share price`);
  return apy.toNumber();
}

describe('what vaults have yielded', () => {
  // Just after midnight, and after a morning and a day that were passed over.
  it.each([
    Date.UTC(2026, 10, 15, 0, 0, 40),
    Date.UTC(2026, 10, 15, 9, 12, 30),
    Date.UTC(2026, 10, 15, 20, 40),
    Date.UTC(2026, 5, 3, 23, 58, 30),
  ])('is between nothing and twice what they yield now, in every window, at %i', (presentMs) => {
    const { past, present } = tell(presentMs);
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
        // Fees of more than the interest make it a loss, now and then.
        expect(
          Math.abs(realised(first, last, seconds) - now),
          `${last.vault} over ${seconds} s`,
        ).toBeLessThanOrEqual(most);
        looked += 1;
      }
    }
    expect(looked).toBeGreaterThan(vaults.length * (WINDOWS.length - 1));
  });

  it('is charged for all along while time is passed over', () => {
    let now = Date.UTC(2026, 5, 15, 13, 20);
    const ledger = createDemoLedger({ now: () => now });
    for (const pause of [8 * HOUR, 30 * DAY]) {
      now += pause;
      ledger.tick();
      const inUse = accountsOf(ledger, MAINNET_PROGRAMS.kvault, vaultState).filter(
        ([, { sharesIssued }]) => sharesIssued > 0n,
      );
      for (const [, { lastFeeChargeTimestamp }] of inUse) {
        expect(Number(lastFeeChargeTimestamp) * 1_000).toBeGreaterThan(now - pause / 20);
      }
    }
  });
});

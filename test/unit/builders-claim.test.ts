import { PROGRAMS } from '@sluice/localnet/runtime/programs';
import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { farmState } from '@sluice/protocol/farms/farm-state';
import { globalConfig } from '@sluice/protocol/farms/global-config';
import { userState } from '@sluice/protocol/farms/user-state';
import { type AccountLayout, viewOf } from '@sluice/protocol/layout/account';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { existing, readFarm } from '../../packages/localnet/test/support/runtime/farm-accounts.ts';
import { ProgramBench } from '../../packages/localnet/test/support/runtime/program-bench.ts';
import { claimAccounts } from '../../src/builders/claim/accounts.ts';
import { buildClaimRewards } from '../../src/builders/claim/claim-rewards.ts';
import { claimPreview } from '../../src/builders/claim/preview.ts';
import type { ClaimRequest } from '../../src/builders/claim/request.ts';

/** Claims of the localnet wallet from its vault's farm, built and run on the program's model. */

const { farms } = MAINNET_PROGRAMS;
const NOW_MS = Date.UTC(2026, 5, 3, 14, 30);

let localChain: WorldChain;
beforeAll(() => {
  localChain = createWorldChain({ scale: 1, now: () => NOW_MS });
});

/** A bench a day after the last action, with changed accounts. */
function benchOf(): ProgramBench {
  const clock = { slot: localChain.slot, unixTimestamp: BigInt(NOW_MS / 1000) + 86_400n };
  return new ProgramBench(PROGRAMS.values(), clock, { get: (address) => localChain.account(address) });
}

function change<F extends Fields>(
  bench: ProgramBench,
  layout: AccountLayout<F>,
  address: Address,
  fields: StructInput<F>,
): void {
  const account = existing(bench, address);
  const data = account.data.slice();
  layout.body.write(viewOf(data), layout.discriminator.length, fields);
  bench.set(address, { ...account, data });
}

function claimOn(bench: ProgramBench) {
  const { wallet, farm } = localChain.addresses;
  const request: ClaimRequest = {
    programs: MAINNET_PROGRAMS,
    wallet,
    stakes: [{ user: farmUserState(farms, farm, wallet).address, farm }],
    named: true,
    lookupTables: [],
  };
  const { slot, unixTimestamp: timestamp } = bench.clock;
  const accounts = claimAccounts(
    request,
    (address) => {
      const found = bench.get(address);
      return found === undefined ? null : { ...found, address };
    },
    { slot, moment: { slot, timestamp, slotDurationMs: integer(400) }, payer: wallet },
  );
  const action = buildClaimRewards(accounts);
  return { accounts, action, preview: claimPreview(accounts, action) };
}

const balance = (bench: ProgramBench, address: Address) => {
  const found = bench.get(address);
  return found === undefined ? 0n : decodeTokenAccount(found).amount;
};

describe('a claim', () => {
  it('pays the preview to the base unit after the treasury has taken its cut', () => {
    const bench = benchOf();
    const { farm } = localChain.addresses;
    change(bench, globalConfig, readFarm(bench, farm).globalConfig, { treasuryFeeBps: 1_234n });
    const { accounts, action, preview } = claimOn(bench);
    const held = accounts.rewards.map(({ token }) => balance(bench, token.address));
    const result = bench.run(action.instructions);
    expect(result.failure, result.logs.join('\n')).toBeNull();
    const paid = accounts.rewards.map(({ token }, i) => balance(bench, token.address) - (held[i] ?? 0n));
    expect(preview.rewards.map(({ amount }) => amount)).toEqual(paid);
    expect(preview.warnings).toEqual([]);
    for (const { harvest } of accounts.rewards) {
      expect(harvest.treasury).toBe(((harvest.paid + harvest.treasury) * 1_234n) / 10_000n);
    }
    expect(() => claimOn(bench)).toThrow('nothing to claim');
  });

  it('leaves out a reward that may not be claimed yet, which the program would reject', () => {
    const bench = benchOf();
    const { farm, wallet } = localChain.addresses;
    const user = farmUserState(farms, farm, wallet).address;
    const { unixTimestamp: now } = bench.clock;
    const all = claimOn(bench);
    const { rewardInfos } = readFarm(bench, farm);
    change(bench, farmState, farm, {
      rewardInfos: rewardInfos.map((_, i) => (i === 0 ? { minClaimDurationSeconds: 3_600n } : {})),
    });
    change(bench, userState, user, { lastClaimTs: [now - 3_000n] });
    const { action, preview } = claimOn(bench);
    expect(preview.rewards).toEqual(all.preview.rewards.slice(1));
    expect(preview.warnings.map(({ code, message }) => [code, message.includes('in 600 seconds')])).toEqual([
      ['REWARD_LEFT_OUT', true],
    ]);
    const early = bench.run(all.action.instructions);
    expect(early.failure?.reason).toEqual({ Custom: 6017 });
    expect(bench.run(action.instructions).failure).toBeNull();
  });

  it('of rewards that are all early is refused with the time that is left', () => {
    const bench = benchOf();
    const { farm } = localChain.addresses;
    const { rewardInfos } = readFarm(bench, farm);
    change(bench, farmState, farm, {
      rewardInfos: rewardInfos.map(() => ({ minClaimDurationSeconds: 10n ** 12n })),
    });
    expect(() => claimOn(bench)).toThrow(/lets the wallet claim again in \d+ seconds/);
  });

  it('leaves out a farm whose oracle the program would not accept', () => {
    const bench = benchOf();
    change(bench, farmState, localChain.addresses.farm, { scopeOraclePriceId: 0n });
    expect(() => claimOn(bench)).toThrow('would not accept the oracle');
  });
});

import { farmState } from '@sluice/protocol/farms/farm-state';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, isBuilt, PlanActor } from '../support/apps/plan-actor.ts';

/** Farms with a cooldown, a warm-up or a locking period: previewed, sent to the localnet and read back. */

const USDC = 1_000_000n;
const HOUR = 3_600;
const EMPTY = { stakedShares: '0', unstakedShares: '0', totalShares: '0' };
const NO_TERMS = {
  withdrawalCooldownPeriod: 0,
  depositWarmupPeriod: 0,
  lockingMode: 0n,
  lockingDuration: 0n,
  lockingEarlyWithdrawalPenaltyBps: 0n,
};

let world: ActingApp;
let actor: PlanActor;
let farm: Address;

beforeAll(async () => {
  world = await startActingApp();
  const { vault } = world.localnet.addresses;
  farm = vaultState.decode(accountIn(world.localnet.chain, vault), MAINNET_PROGRAMS.kvault).vaultFarm;
});
afterAll(() => world?.stop());
beforeEach(async () => {
  const { tokenMint } = world.localnet.addresses;
  actor = new PlanActor(world, await world.newWallet({ [tokenMint]: 10_000n * USDC }));
});
afterEach(() => setTerms({}));

const setTerms = (terms: Partial<typeof NO_TERMS>) =>
  alterAccount(world, farmState, farm, { ...NO_TERMS, ...terms });

interface Position {
  readonly stakedShares: string;
  readonly unstakedShares: string;
  readonly totalShares: string;
}

async function position(): Promise<Position> {
  const { vault } = world.localnet.addresses;
  const figures = 'stakedShares unstakedShares totalShares';
  const { data } = await world.gateway.query<{ vault: { position: Position } }>(
    `{ vault(address: "${vault}") { position(wallet: "${actor.address}") { ${figures} } } }`,
    { headers: actor.headers },
  );
  return data.vault.position;
}

const withdraw = (shares: string | null) =>
  actor.vault('Withdraw', shares === null ? { all: 'ALL' } : { shares });
const unstake = (shares: string | null) =>
  actor.shares('unstake', shares === null ? { all: 'ALL' } : { shares });
const codes = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code);

/** Sends an unstaking; the position must be what the preview says. */
async function sendUnstaking(shares: string | null) {
  const { preview } = await actor.act(unstake(shares));
  expect(await position()).toMatchObject({
    stakedShares: preview.stakedShares?.after,
    unstakedShares: preview.unstakedShares?.after,
  });
  return preview;
}

/** Sends a withdrawal; the wallet must hold the shares that the preview says. */
async function sendWithdrawal(shares: string | null) {
  const { preview } = await actor.act(withdraw(shares));
  expect((await position()).totalShares).toBe(preview.shares?.after);
  return preview;
}

/** The program's error for a plan that is built although it cannot work. */
async function errorOf(...actions: readonly object[]): Promise<string | undefined> {
  const plan = await actor.build(actions, { strict: false });
  return isBuilt(plan) ? plan.simulation.error?.name : plan.code;
}

describe('a farm with a cooldown', () => {
  beforeEach(async () => {
    setTerms({ withdrawalCooldownPeriod: HOUR });
    await actor.act(actor.vault('Deposit', { tokens: '1000' }));
  });

  it('does not let a withdrawal take staked shares, and says what to do', async () => {
    const supply = actor.lending('Deposit', world.localnet.addresses.reserve, '1');
    const refusal = await actor.refused([supply, withdraw('10')]);
    expect(refusal).toMatchObject({ __typename: 'BuildRefused', code: 'BUILD_REFUSED', step: 1 });
    expect(refusal.message).toMatch(
      /STAKE_NOT_ALLOWED: Only 0 shares can be withdrawn now.*3600 seconds.*unstake first and withdraw later/,
    );
    expect(await errorOf(withdraw('10'))).toBe('UnstakeNotElapsed');
    expect(await actor.refused([unstake('10'), withdraw('10')])).toMatchObject({ step: 1 });
  });

  it('pays unstaked shares out after it, by an unstaking or by a withdrawal', async () => {
    const left = await sendUnstaking('100');
    expect(left.unstakedShares).toEqual({ before: '0', after: '0' });
    expect(codes(left.warnings)).toEqual(['UNSTAKE_COOLDOWN']);
    expect((await actor.refused([withdraw('100')])).message).toContain('Only 0 shares');
    await actor.wait(HOUR);
    // The rest of the stake stays where it is.
    const paid = await sendWithdrawal('60');
    expect(codes(paid.warnings)).not.toContain('STAKE_NOT_ALLOWED');
    expect((await position()).unstakedShares).toBe('40');
    await sendUnstaking(null);
    await actor.wait(HOUR);
    expect((await sendWithdrawal(null)).shares?.after).toBe('0');
    expect(await position()).toEqual(EMPTY);
  });

  it('starts again for shares that still wait when more are unstaked', async () => {
    await sendUnstaking('100');
    await actor.wait(HOUR / 2);
    const { warnings } = await sendUnstaking('50');
    expect(warnings[0]?.message).toContain('wait again as well');
    await actor.wait(HOUR / 2);
    expect((await actor.refused([withdraw('100')])).code).toBe('BUILD_REFUSED');
    await actor.wait(HOUR / 2);
    await sendWithdrawal('150');
    expect((await position()).unstakedShares).toBe('0');
  });

  it('lets what has cooled down out before more is unstaked', async () => {
    await sendUnstaking('100');
    await actor.wait(HOUR);
    setTerms({});
    // Without the first part, the program answers PendingWithdrawalNotWithdrawnYet.
    await sendWithdrawal('300');
    expect((await position()).unstakedShares).toBe('0');
  });

  it('tells how long all shares still wait', async () => {
    await actor.act(unstake(null));
    await actor.wait(HOUR / 4);
    const { message } = await actor.refused([unstake(null)]);
    expect(message).toMatch(/all shares are unstaked; they can be withdrawn in 2[67]\d\d seconds/);
  });
});

describe('a farm with a locking period', () => {
  it('keeps a part of what is unstaked early, as previewed', async () => {
    setTerms({
      lockingMode: 1n,
      lockingDuration: BigInt(10 * HOUR),
      lockingEarlyWithdrawalPenaltyBps: 2_000n,
    });
    // The lock of a stake of the same plan has only begun.
    const { preview, steps } = await actor.act(actor.vault('Deposit', { tokens: '1000' }), unstake('100'));
    expect(steps[1]?.preview.unstakedShares).toEqual({ before: '0', after: '80' });
    expect(codes(preview.warnings)).toContain('WITHDRAWAL_PENALTY');
    expect((await position()).unstakedShares).toBe('80');
    await actor.wait(5 * HOUR);
    const half = await sendUnstaking('100');
    expect(Number(half.unstakedShares?.after)).toBeCloseTo(170, 1);
    const paid = await sendWithdrawal('300');
    expect(paid.warnings.map(({ message }) => message).join()).toContain('the stake is still locked');
    await actor.wait(5 * HOUR);
    expect(codes((await sendUnstaking('1')).warnings)).toEqual([]);
  });

  it('that releases nothing early refuses', async () => {
    setTerms({ lockingMode: 1n, lockingDuration: BigInt(10 * HOUR) });
    await actor.act(actor.vault('Deposit', { tokens: '1000' }));
    for (const action of [unstake('1'), withdraw('1')]) {
      const { code, message } = await actor.refused([action]);
      expect(code).toBe('BUILD_REFUSED');
      expect(message).toContain('STAKE_NOT_ALLOWED: The farm does not release stakes before the end');
      expect(await errorOf(action)).toBe('EarlyWithdrawalNotAllowed');
    }
    await actor.wait(10 * HOUR);
    await sendWithdrawal(null);
  });
});

describe('a farm with a warm-up', () => {
  beforeEach(() => setTerms({ depositWarmupPeriod: HOUR }));

  it('holds shares that are not staked yet, and says how long', async () => {
    const { preview } = await actor.act(actor.vault('Deposit', { tokens: '1000' }));
    expect(codes(preview.warnings)).toContain('STAKE_WARM_UP');
    const { code, message } = await actor.refused([unstake(null)]);
    expect(code).toBe('BUILD_REFUSED');
    expect(message).toMatch(/the shares are warming up; they can be unstaked in 3\d\d\d seconds/);
    expect((await actor.refused([withdraw(null)])).message).toContain('warming up');
  });

  it('lets them out afterwards, although no instruction has made them active', async () => {
    const { preview } = await actor.act(actor.vault('Deposit', { tokens: '1000' }));
    await actor.wait(HOUR);
    const out = await sendUnstaking('100');
    expect(out.unstakedShares?.after).toBe('100');
    expect(Number(out.stakedShares?.after)).toBeCloseTo(Number(preview.shares?.after) - 100, 6);
    await sendWithdrawal(null);
    expect(await position()).toEqual(EMPTY);
  });

  it('lets a withdrawal take them afterwards', async () => {
    await actor.act(actor.vault('Deposit', { tokens: '1000' }));
    await actor.wait(HOUR);
    await sendWithdrawal('250.5');
    await sendWithdrawal(null);
    expect(await position()).toEqual(EMPTY);
  });

  it('starts again with a further stake of the same plan', async () => {
    await actor.act(actor.vault('Deposit', { tokens: '1000' }));
    await actor.wait(HOUR / 2);
    const more = actor.vault('Deposit', { tokens: '10' });
    expect(await actor.refused([more, unstake(null)])).toMatchObject({ code: 'BUILD_REFUSED', step: 1 });
    await actor.act(more);
    await actor.wait(HOUR / 2);
    expect((await actor.refused([unstake(null)])).message).toMatch(/in 1[78]\d\d seconds/);
  });
});

import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount } from '../support/apps/plan-actor.ts';

/** Target weights of a vault: the moves that reach them, what they change, and what stops them. */

const { kvault } = MAINNET_PROGRAMS;
const VAULT = 'Jetty USDC';
const WHOLE = 1_000_000n;

interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

interface Allocation {
  readonly reserve: Address;
  readonly weight: Change;
  readonly cap: Change;
  readonly tokens: Change;
  readonly targetTokens: Change;
}

interface Plan {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly wallet: Address;
  readonly moves: readonly {
    readonly kind: string;
    readonly reserve: Address | null;
    readonly allocation: Allocation | null;
    readonly idleTokens: Change;
    readonly settings: readonly { readonly setting: string; readonly after: string }[];
  }[];
  readonly obstacles: readonly {
    readonly reserve: Address;
    readonly code: string;
    readonly message: string;
    readonly tokens: string;
  }[];
  readonly exposures: readonly {
    readonly reserve: Address;
    readonly share: Change;
    readonly allocation: Allocation;
  }[];
  readonly idleTokens: Change;
  readonly idleShare: Change;
  readonly interestApy: Change;
  readonly reserveRewardsApy: Change & { readonly reason: string | null };
  readonly build: Built;
}

interface Built {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly {
    readonly base64: string;
    readonly tablesUsed: readonly string[];
    readonly splitReason: string | null;
  }[];
  readonly steps: readonly { readonly kind: string; readonly summary: string }[];
  readonly preview: {
    readonly vault: {
      readonly allocations: readonly Allocation[];
      readonly idleTokens: Change;
      readonly settings: readonly ({ readonly setting: string } & Change)[];
    };
  };
  readonly warnings: readonly { readonly code: string; readonly level: string }[];
  readonly simulation: { readonly success: boolean; readonly unitsConsumed: number | null };
}

const CHANGE = '{ before after }';
const ALLOCATION = `{ reserve weight ${CHANGE} cap ${CHANGE} collateralCap ${CHANGE} tokens ${CHANGE} targetTokens ${CHANGE} }`;
const BUILT = `__typename ... on BuildError { code message }
  ... on TransactionPlan {
    transactions { base64 tablesUsed splitReason } steps { kind summary } warnings { code level }
    preview { vault { allocations ${ALLOCATION} idleTokens ${CHANGE} settings { setting before after } } }
    simulation { success unitsConsumed }
  }`;
const PLAN = `query ($vault: Address!, $targets: [VaultTargetInput!]!, $weight: U64, $wallet: Address) {
  vault(address: $vault) {
    plan(targets: $targets, unallocatedWeight: $weight, wallet: $wallet) {
      __typename
      ... on BuildError { code message }
      ... on VaultRebalance {
        wallet
        moves { kind summary reserve allocation ${ALLOCATION} idleTokens ${CHANGE} settings { setting after } }
        obstacles { reserve code message tokens }
        exposures { reserve share ${CHANGE} allocation ${ALLOCATION} }
        idleTokens ${CHANGE} targetIdleTokens ${CHANGE} idleShare ${CHANGE}
        interestApy ${CHANGE}
        reserveRewardsApy { before after reason }
        build { ${BUILT} }
      }
    }
  }
}`;

let world: ActingApp;
let vault: Address;
let reserves: readonly Address[];
let admin: KeyPairSigner;
beforeAll(async () => {
  world = await startActingApp();
  const found = world.localnet.chain.world.vaults.find(({ name }) => name === VAULT);
  if (found === undefined) throw new RangeError(`no vault ${VAULT}`);
  vault = found.address;
  reserves = found.allocations.map(({ reserve }) => reserve.address);
  admin = await world.newWallet({ [found.token.mint.address]: 1_000n * WHOLE });
});
beforeEach(() => {
  alterAccount(world, vaultState, vault, {
    vaultAdminAuthority: admin.address,
    minInvestAmount: 0n,
    minInvestDelaySlots: 0n,
    unallocatedWeight: 0n,
  });
});
afterAll(() => world?.stop());

const stateOf = () => vaultState.decode(accountIn(world.localnet.chain, vault), kvault);
const newest = async () => ({ 'x-min-slot': String(await world.rpc.getSlot().send()) });
const reserveAt = (index: number): Address => reserves[index] ?? expect.fail(`no reserve ${index}`);

async function plan(targets: readonly object[], more: object = {}): Promise<Plan> {
  const { data, errors } = await world.gateway.query<{ vault: { plan: Plan } }>(PLAN, {
    variables: { vault, targets, ...more },
    headers: await newest(),
  });
  expect(errors).toEqual([]);
  return data.vault.plan;
}

async function build(input: object): Promise<Built> {
  const { data, errors } = await world.gateway.query<{ built: Built }>(
    `mutation ($input: VaultRebalanceInput!) { built: buildVaultRebalance(input: $input) { ${BUILT} } }`,
    { variables: { input }, headers: await newest() },
  );
  expect(errors).toEqual([]);
  return data.built;
}

async function send({ transactions }: Built): Promise<void> {
  for (const { base64 } of transactions) await world.send('RPC', base64, admin);
}

/** Yield of the vault as the vault itself states it. */
async function statedApy(): Promise<number> {
  const { data } = await world.gateway.query<{ vault: { currentApy: { base: string } } }>(
    'query ($vault: Address!) { vault(address: $vault) { currentApy { base } } }',
    { variables: { vault }, headers: await newest() },
  );
  return Number(data.vault.currentApy.base);
}

describe('a plan for a vault', () => {
  it('sets terms, then takes tokens out, then puts them in, and says what that changes', async () => {
    const before = await statedApy();
    const [first, second] = [reserveAt(0), reserveAt(1)];
    const targets = reserves.map((reserve) => ({
      reserve,
      weight: reserve === first ? '100' : reserve === second ? '300' : '0',
    }));
    const made = await plan(targets, { weight: '100' });
    expect(made).toMatchObject({ __typename: 'VaultRebalance', wallet: admin.address, obstacles: [] });
    const order = ['SET_VAULT_CONFIG', 'SET_VAULT_ALLOCATION', 'INVEST_VAULT'];
    const kinds = made.moves.map(({ kind }) => order.indexOf(kind));
    expect(kinds).toEqual([...kinds].sort((a, b) => a - b));
    expect(made.moves[0]?.settings).toEqual([{ setting: 'UNALLOCATED_WEIGHT', after: '100' }]);
    const invested = made.moves.flatMap(({ kind, allocation }) =>
      kind === 'INVEST_VAULT' && allocation !== null ? [growth(allocation.tokens)] : [],
    );
    const directions = invested.map(Math.sign);
    expect(directions).toEqual([...directions].sort((a, b) => a - b));
    const shares = new Map(made.exposures.map(({ reserve, share }) => [reserve, Number(share.after)]));
    expect(shares.get(first)).toBeCloseTo(0.2, 5);
    expect(shares.get(second)).toBeCloseTo(0.6, 5);
    expect(Number(made.idleShare.after)).toBeCloseTo(0.2, 5);
    expect(Number(made.interestApy.before)).toBeCloseTo(before, 6);
    expect(made.reserveRewardsApy).toMatchObject({ reason: null });

    const { preview, steps } = made.build;
    expect(preview.vault.settings).toEqual([{ setting: 'UNALLOCATED_WEIGHT', before: '0', after: '100' }]);
    expect(preview.vault.idleTokens).toEqual(made.idleTokens);
    const rows = made.exposures.map(({ allocation }) => allocation);
    expect(preview.vault.allocations).toEqual(rows);
    const [out, into] = ['from reserve', 'from the vault into reserve'].map(
      (words) => steps.filter(({ summary }) => summary.includes(` USDC ${words} `)).length,
    );
    expect([out, into]).toEqual([
      directions.filter((way) => way < 0).length,
      directions.filter((way) => way > 0).length,
    ]);

    expect(made.build.simulation).toMatchObject({ success: true });
    expect(made.build.simulation.unitsConsumed).toBeGreaterThan(0);
    await send(made.build);
    const state = stateOf();
    expect(state.unallocatedWeight).toBe(100n);
    expect(Number(state.tokenAvailable) / Number(WHOLE)).toBeCloseTo(Number(made.idleTokens.after), 1);
    expect(await statedApy()).toBeCloseTo(Number(made.interestApy.after), 6);
    expect((await plan(targets)).moves.filter(({ kind }) => kind !== 'INVEST_VAULT')).toEqual([]);
  });

  it('leaves a reserve for good', async () => {
    const leaving = reserves.at(-1) ?? expect.fail('no reserve');
    const made = await plan([{ reserve: leaving, remove: true }]);
    expect(made.obstacles).toEqual([]);
    expect(made.moves.at(-1)).toMatchObject({ kind: 'REMOVE_VAULT_ALLOCATION', reserve: leaving });
    expect(made.exposures.find(({ reserve }) => reserve === leaving)?.share.after).toBeNull();
    await send(await build({ wallet: admin.address, vault, targets: [{ reserve: leaving, remove: true }] }));
    expect(stateOf().vaultAllocationStrategy.some(({ reserve }) => reserve === leaving)).toBe(false);
  });

  it('is the same over REST', async () => {
    const [reserve] = reserves;
    const made = await plan([{ reserve, weight: '777', cap: { tokens: '50000' } }]);
    const body = {
      wallet: admin.address,
      kvault: vault,
      targets: [{ reserve, weight: '777', cap: '50000' }],
    };
    const rest = await world.post<Record<string, unknown>>(
      '/ktx/kvault/rebalance-plan',
      body,
      await newest(),
    );
    const { exposures, idleTokens, idleShare, interestApy } = made;
    expect(rest).toMatchObject({ exposures, idleTokens, idleShare, interestApy, obstacles: made.obstacles });
    const kinds = (rest.moves as readonly { readonly kind: string }[]).map(({ kind }) => kind);
    expect(kinds).toEqual(made.moves.map(({ kind }) => kind));
    const { transactions } = await world.post<{ transactions: readonly unknown[] }>(
      '/ktx/kvault/rebalance',
      body,
      await newest(),
    );
    expect(transactions).toHaveLength(made.build.transactions.length);
  });
});

const growth = ({ before, after }: Change): number => Number(after) - Number(before);

describe('what stops a plan for a vault', () => {
  const toward = (index: number) =>
    reserves.slice(0, 2).map((reserve, i) => ({ reserve, weight: i === index ? '900' : '100' }));

  it('names a delay, and moves nothing', async () => {
    alterAccount(world, vaultState, vault, { minInvestDelaySlots: 10n ** 12n });
    const made = await plan(toward(0));
    expect(made.obstacles.map(({ code }) => code)).toContain('INVEST_TOO_SOON');
    expect(made.moves.filter(({ kind }) => kind === 'INVEST_VAULT')).toEqual([]);
  });

  it('names moves that are too small', async () => {
    alterAccount(world, vaultState, vault, { minInvestAmount: 10n ** 15n });
    const made = await plan(toward(0));
    expect(new Set(made.obstacles.map(({ code }) => code))).toEqual(new Set(['NOTHING_TO_INVEST']));
    const rebuilt = await build({ wallet: admin.address, vault, targets: [] });
    expect(rebuilt).toMatchObject({ __typename: 'BuildRefused', code: 'BUILD_REFUSED' });
    expect(rebuilt.message).toContain('NOTHING_TO_INVEST');
  });

  it('cuts a move at the deposit limit of the reserve', async () => {
    const reserve = reserveAt(0);
    const { klend } = MAINNET_PROGRAMS;
    const account = reserveLayout.decode(accountIn(world.localnet.chain, reserve), klend);
    const { liquidity } = account;
    const feesSf =
      liquidity.accumulatedProtocolFeesSf +
      liquidity.accumulatedReferrerFeesSf +
      liquidity.pendingReferrerFeesSf;
    const supplied = liquidity.totalAvailableAmount + ((liquidity.borrowedAmountSf - feesSf) >> 60n);
    const limit = supplied + 5_000n * WHOLE;
    alterAccount(world, reserveLayout, reserve, { config: { depositLimit: limit } });
    const made = await plan(toward(0));
    const obstacle = made.obstacles.find((each) => each.reserve === reserve);
    expect(obstacle).toMatchObject({ code: 'DEPOSIT_LIMIT_EXCEEDED' });
    const exposure = made.exposures.find((each) => each.reserve === reserve) ?? expect.fail('no exposure');
    const moved = growth(exposure.allocation.tokens);
    // Interest since the last refresh takes a part of the room.
    expect(moved).toBeGreaterThan(1_000);
    expect(moved).toBeLessThanOrEqual(5_000);
    const missing = Number(exposure.allocation.targetTokens.after) - Number(exposure.allocation.tokens.after);
    expect(Number(obstacle?.tokens)).toBeCloseTo(missing, 1);
    expect(made.build.warnings).toContainEqual({ code: 'DEPOSIT_LIMIT_EXCEEDED', level: 'WARNING' });
    expect(made.build.simulation).toMatchObject({ success: true });
    alterAccount(world, reserveLayout, reserve, { config: { depositLimit: 2n ** 63n } });
  });

  it('cuts a move at the liquidity of the reserve', async () => {
    const reserve = reserveAt(1);
    const { klend } = MAINNET_PROGRAMS;
    const { totalAvailableAmount: available, borrowedAmountSf } = reserveLayout.decode(
      accountIn(world.localnet.chain, reserve),
      klend,
    ).liquidity;
    const left = 2_000n * WHOLE;
    alterAccount(world, reserveLayout, reserve, {
      liquidity: {
        totalAvailableAmount: left,
        borrowedAmountSf: borrowedAmountSf + ((available - left) << 60n),
      },
    });
    const made = await plan(toward(0));
    expect(made.obstacles.find((each) => each.reserve === reserve)).toMatchObject({
      code: 'LIQUIDITY_TOO_LOW',
    });
    const out = made.moves.find((move) => move.kind === 'INVEST_VAULT' && move.reserve === reserve);
    expect(growth(out?.allocation?.tokens ?? expect.fail('no move'))).toBeCloseTo(-2_000, 3);
    // The other reserve gets what there is, and the rest is named.
    expect(made.obstacles.find((each) => each.reserve === reserveAt(0))).toMatchObject({
      code: 'LIQUIDITY_TOO_LOW',
    });
    alterAccount(world, reserveLayout, reserve, {
      liquidity: { totalAvailableAmount: available, borrowedAmountSf },
    });
  });

  it('refuses a stranger, and targets that cannot be', async () => {
    const [reserve] = reserves;
    const stranger = await world.newWallet({});
    expect(await plan([{ reserve, weight: '5' }], { wallet: stranger.address })).toMatchObject({
      __typename: 'NotVaultAdmin',
      code: 'NOT_VAULT_ADMIN',
    });
    const twice = [
      { reserve, weight: '5' },
      { reserve, weight: '6' },
    ];
    expect(await plan(twice)).toMatchObject({ code: 'BUILD_REFUSED' });
    expect(await plan([{ reserve, weight: '5', remove: true }])).toMatchObject({ code: 'BUILD_REFUSED' });
    expect(await plan([{ reserve: stranger.address, weight: '5' }])).toMatchObject({
      code: 'KLEND_RESERVE_NOT_FOUND',
    });
    const many = Array.from({ length: 26 }, () => ({ reserve, weight: '5' }));
    expect((await plan(many)).message).toContain('at most 25');
    const other = world.localnet.chain.world.reserves.find(
      ({ token }) => token.mint.address !== stateOf().tokenMint,
    );
    expect(await plan([{ reserve: other?.address, weight: '5' }])).toMatchObject({ code: 'BUILD_REFUSED' });
  });
});

describe('a plan with many moves', () => {
  it('is divided where the compute units of a transaction end', async () => {
    const large = world.localnet.chain.world.vaults.find(({ name }) => name === 'Harbor USDC Prime');
    const { address, allocations } = large ?? expect.fail('no such vault');
    alterAccount(world, vaultState, address, {
      vaultAdminAuthority: admin.address,
      minInvestDelaySlots: 0n,
    });
    const targets = allocations.map(({ reserve }, index) => ({
      reserve: reserve.address,
      weight: String(index % 2 === 0 ? 100 : 700),
    }));
    const built = await build({ wallet: admin.address, vault: address, targets });
    expect(built.transactions.length).toBeGreaterThan(1);
    expect(built.transactions[1]).toMatchObject({ splitReason: 'COMPUTE' });
    expect(built.simulation).toMatchObject({ success: true });
    await send(built);
    const { vaultAllocationStrategy } = vaultState.decode(accountIn(world.localnet.chain, address), kvault);
    expect(vaultAllocationStrategy[1]?.targetAllocationWeight).toBe(700n);
  });
});

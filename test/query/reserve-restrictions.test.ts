import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, isBuilt, PlanActor } from '../support/apps/plan-actor.ts';

/**
 * Emergencies that a test switches over JSON-RPC, and permissions that the accounts demand: what the graph says, what the
 * builders say, and what the localnet does.
 */

let world: ActingApp;
let owner: PlanActor;
let collateral: { readonly address: Address; readonly mint: Address };
let debt: { readonly address: Address; readonly mint: Address };

beforeAll(async () => {
  world = await startActingApp();
  const { chain: localChain, addresses } = world.localnet;
  const market = localChain.world.markets.find(({ address }) => address === addresses.market);
  const named = (wanted: string) => {
    const found = market?.reserves.find(({ token }) => token.symbol === wanted) ?? expect.fail(wanted);
    return { address: found.address, mint: found.token.mint.address };
  };
  [collateral, debt] = [named('jitoSOL'), named('USDC')];
  const funds = { [collateral.mint]: 20_000_000_000n, [debt.mint]: 1_000_000_000n };
  owner = new PlanActor(world, await world.newWallet(funds));
  await owner.act(
    owner.lending('Deposit', collateral.address, '10'),
    owner.lending('Borrow', debt.address, '100'),
  );
});
afterAll(() => world?.stop());

const now = () => ({ 'x-min-slot': String(world.localnet.chain.slot) });

interface ReserveAnswer {
  readonly emergencyMode: boolean;
  readonly permissionedOperations: readonly string[];
  readonly price: {
    readonly usd: string;
    readonly stale: boolean;
    readonly asOf: string | null;
    readonly failedChecks: readonly string[];
  };
  readonly capacity: Readonly<Record<'supply' | 'borrow' | 'withdraw', { readonly bindingLimit: string }>>;
  readonly market: {
    readonly emergencyMode: boolean;
    readonly permissioningAuthority: Address | null;
    readonly permissionedOperations: readonly string[];
  };
}

async function readReserve(address: Address): Promise<ReserveAnswer> {
  const { data, errors } = await world.gateway.query<{ reserve: ReserveAnswer }>(
    `{ reserve(address: "${address}") {
      emergencyMode permissionedOperations
      price { usd stale asOf failedChecks }
      capacity { supply { bindingLimit } borrow { bindingLimit } withdraw { bindingLimit } }
      market { emergencyMode permissioningAuthority permissionedOperations }
    } }`,
    { headers: now() },
  );
  expect(errors).toEqual([]);
  return data.reserve;
}

const switchMode = (address: Address, isOn: boolean) =>
  world.call('localnet_setEmergencyMode', [address, isOn]);

describe('a reserve in emergency mode', () => {
  it('is shown with its last price, and accepts nothing until the mode is switched off', async () => {
    const before = await readReserve(collateral.address);
    expect(before).toMatchObject({ emergencyMode: false, price: { stale: false, failedChecks: [] } });
    await switchMode(collateral.address, true);
    owner.headers = now();
    const during = await readReserve(collateral.address);
    expect(during).toMatchObject({
      emergencyMode: true,
      price: { stale: true, asOf: null },
      capacity: {
        supply: { bindingLimit: 'NOT_ALLOWED' },
        borrow: { bindingLimit: 'NOT_ALLOWED' },
        withdraw: { bindingLimit: 'NOT_ALLOWED' },
      },
      market: { emergencyMode: false },
    });
    expect(Number(during.price.usd)).toBeGreaterThan(0);
    expect(during.price.failedChecks).toHaveLength(6);

    const refusals = [
      [owner.lending('Deposit', collateral.address, '1'), 'ACTION_NOT_ALLOWED', 'ReserveEmergencyMode'],
      [owner.lending('Withdraw', collateral.address, '1'), 'ACTION_NOT_ALLOWED', 'ReserveEmergencyMode'],
      [owner.lending('Borrow', debt.address, '1'), 'BORROW_NOT_ALLOWED', 'ObligationStale'],
    ] as const;
    for (const [action, code, error] of refusals) {
      expect((await owner.refused([action], { strict: true })).message).toContain(code);
      const plan = await owner.build([action], { strict: false });
      if (!isBuilt(plan)) return expect.fail(plan.message);
      expect(plan.simulation).toMatchObject({ success: false, error: { name: error } });
    }
    // Repaying into a reserve that is open needs no price.
    await owner.act(owner.lending('Repay', debt.address, '10'));

    await switchMode(collateral.address, false);
    owner.headers = now();
    await owner.act(owner.lending('Withdraw', collateral.address, '1'));
    expect((await readReserve(collateral.address)).price).toMatchObject({ stale: false, failedChecks: [] });
  });

  it('is not the whole market', async () => {
    const { market } = world.localnet.addresses;
    await switchMode(market, true);
    owner.headers = now();
    expect((await readReserve(debt.address)).market.emergencyMode).toBe(true);
    expect(
      (await owner.refused([owner.lending('Repay', debt.address, '1')], { strict: true })).message,
    ).toContain('ACTION_NOT_ALLOWED');
    await switchMode(market, false);
    owner.headers = now();
  });
});

describe('an obligation that can be liquidated', () => {
  it('cannot be while a reserve of it is in emergency mode', async () => {
    const { market } = world.localnet.addresses;
    const { address } = obligationAddress(MAINNET_PROGRAMS.klend, owner.address, market, VANILLA_OBLIGATION);
    const { config } = reserve.decode(
      accountIn(world.localnet.chain, collateral.address),
      MAINNET_PROGRAMS.klend,
    );
    const { loanToValuePct, liquidationThresholdPct } = config;
    const terms = (loan: number, threshold: number) =>
      alterAccount(world, reserve, collateral.address, {
        config: { loanToValuePct: loan, liquidationThresholdPct: threshold },
      });
    const read = async () => {
      const { data, errors } = await world.gateway.query<{
        obligation: { liquidatable: boolean };
        listed: { nodes: readonly unknown[] };
      }>(
        `{ obligation(address: "${address}") { liquidatable }
          listed: obligations(scope: { owner: "${owner.address}" }, filter: { liquidatable: true }) { nodes { address } } }`,
        { headers: now() },
      );
      expect(errors).toEqual([]);
      return [data.obligation.liquidatable, data.listed.nodes.length];
    };
    terms(1, 1);
    await world.call('localnet_advanceTime', [1]);
    expect(await read()).toEqual([true, 1]);
    await switchMode(debt.address, true);
    expect(await read()).toEqual([false, 0]);
    await switchMode(debt.address, false);
    expect(await read()).toEqual([true, 1]);
    terms(loanToValuePct, liquidationThresholdPct);
    await world.call('localnet_advanceTime', [1]);
    owner.headers = now();
  });
});

describe('a permissioned reserve', () => {
  let authority: KeyPairSigner;

  beforeAll(async () => {
    authority = await world.newWallet({});
    const { market } = world.localnet.addresses;
    alterAccount(world, lendingMarket, market, {
      permissioningAuthority: authority.address,
      permissionedOps: 4n,
    });
    alterAccount(world, reserve, debt.address, { config: { permissionedOps: 2n } });
    await world.call('localnet_advanceTime', [1]);
    owner.headers = now();
  });

  it('says which operations need which signer', async () => {
    const found = await readReserve(debt.address);
    expect(found.permissionedOperations).toEqual(['BORROW', 'LIQUIDATE']);
    expect(found.market).toMatchObject({
      permissioningAuthority: authority.address,
      permissionedOperations: ['LIQUIDATE'],
    });
    expect((await readReserve(collateral.address)).permissionedOperations).toEqual(['LIQUIDATE']);
  });

  it('lends as previewed when the authority signs too', async () => {
    const plan = await owner.build([owner.lending('Borrow', debt.address, '7')], { strict: true });
    if (!isBuilt(plan)) return expect.fail(plan.message);
    const told = plan.preview.warnings.filter(({ code }) => code === 'NEEDS_PERMISSION');
    expect(told).toMatchObject([{ level: 'WARNING', message: expect.stringContaining(authority.address) }]);
    expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
    const { base64 } = plan.transactions.at(-1) ?? expect.fail('no transaction');
    await expect(world.send('RPC', base64, owner.signer)).rejects.toThrow();
    const before = await owner.tokens(debt.mint);
    await world.send('RPC', base64, owner.signer, authority);
    expect((await owner.tokens(debt.mint)) - before).toBe(7_000_000n);
    owner.headers = now();
  });
});

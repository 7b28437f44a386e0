import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { PlanActor } from '../support/apps/plan-actor.ts';

/** Figures of a scenario for days of interest against a chain whose clock has moved by those days, day by day. */

const DAY = 86_400;
const DAYS = 14;
/** Interest changes the utilization, and so the rates, by less than this part of the interest. */
const DRIFT = 0.01;

interface Amount {
  readonly amount: string;
  readonly usd: string;
}
interface Position {
  readonly reserveAddress: Address;
  readonly amount: Amount;
}
interface Supposed {
  readonly deposits: readonly Position[];
  readonly borrows: readonly Position[];
  readonly netValueUsd: string;
  readonly healthFactor: string | null;
  readonly loanToValue: string;
  readonly liquidatable: boolean;
}
interface Wallet {
  readonly obligations: readonly Supposed[];
  readonly vaultPositions: readonly {
    readonly position: { readonly vault: { readonly address: Address } };
    readonly value: Amount;
  }[];
  readonly after: { readonly netValueUsd: string; readonly vaultsUsd: string };
}

let world: ActingApp;
beforeAll(async () => {
  world = await startActingApp();
  await holdPrices();
});
afterAll(() => world?.stop());

const seen = () => ({ 'x-min-slot': String(world.localnet.chain.slot) });

/** Keeps every price as it is, so that interest alone moves the figures. */
async function holdPrices(): Promise<void> {
  for (const { mint } of world.localnet.chain.world.tokens) {
    const { data } = await world.gateway.query<{ token: { price: { usd: string } | null } }>(
      `{ token(mint: "${mint.address}") { price { usd } } }`,
      { headers: seen() },
    );
    const [whole = '', fraction = ''] = data.token.price?.usd.split('.') ?? [];
    if (whole === '') continue;
    await world.call('localnet_setPrice', [mint.address, `${whole}.${fraction.padEnd(1, '0').slice(0, 15)}`]);
  }
}

async function wallet(days: number): Promise<Wallet> {
  const positions = '{ reserveAddress amount { amount usd } }';
  const { data, errors } = await world.gateway.query<{ wallet: { whatIf: Wallet } }>(
    `{ wallet(address: "${world.localnet.addresses.wallet}") { whatIf(days: ${days}) {
      obligations { deposits ${positions} borrows ${positions} netValueUsd healthFactor loanToValue liquidatable }
      vaultPositions { position { vault { address } } value { amount usd } } after { netValueUsd vaultsUsd } } } }`,
    { headers: seen() },
  );
  expect(errors).toEqual([]);
  return data.wallet.whatIf;
}

/** Vaults charge their fees when somebody acts on them. */
async function chargeFees(vaults: readonly Address[]): Promise<void> {
  const { chain: localChain } = world.localnet;
  for (const vault of vaults) {
    const { tokenMint } = vaultState.decode(accountIn(localChain, vault), MAINNET_PROGRAMS.kvault);
    const funds = tokenMint === WRAPPED_SOL_MINT ? {} : { [tokenMint]: 1_000_000_000n };
    const stranger = new PlanActor(world, await world.newWallet(funds));
    await stranger.act({ vaultDeposit: { wallet: stranger.address, vault, amount: { tokens: '0.5' } } });
  }
}

/** By how much a promised amount grows too fast, as a fraction of the growth that came true. */
function error(now: Amount, promised: Amount, later: Amount): number {
  const [start, supposed, found] = [Number(now.amount), Number(promised.amount), Number(later.amount)];
  expect(found).not.toBe(start);
  return Math.abs((supposed - start) / (found - start) - 1);
}

it('of interest at the current rates come true when the clock moves', async () => {
  const vaults = (await wallet(0)).vaultPositions.map(({ position }) => position.vault.address);
  expect(vaults.length).toBeGreaterThan(1);
  await chargeFees(vaults);
  const now = await wallet(0);
  const promised = await wallet(DAYS);
  for (let day = 0; day < DAYS; day += 1) await world.call('localnet_advanceTime', [DAY]);
  await chargeFees(vaults);
  const later = await wallet(0);

  expect(later.obligations).toHaveLength(now.obligations.length);
  for (const [i, loan] of now.obligations.entries()) {
    const [supposed, found] = [promised.obligations[i], later.obligations[i]];
    if (supposed === undefined || found === undefined) return expect.fail('an obligation is gone');
    for (const side of ['deposits', 'borrows'] as const) {
      for (const [k, { amount, reserveAddress }] of loan[side].entries()) {
        const [there, then] = [supposed[side][k], found[side][k]];
        if (there === undefined || then === undefined) return expect.fail('a position is gone');
        expect([there.reserveAddress, then.reserveAddress]).toEqual([reserveAddress, reserveAddress]);
        expect(error(amount, there.amount, then.amount)).toBeLessThan(DRIFT);
      }
    }
    expect(Number(supposed.healthFactor)).toBeCloseTo(Number(found.healthFactor), 4);
    expect(Number(supposed.loanToValue)).toBeCloseTo(Number(found.loanToValue), 4);
    expect(supposed.liquidatable).toBe(found.liquidatable);
    expect(Number(supposed.netValueUsd) / Number(found.netValueUsd)).toBeCloseTo(1, 4);
  }
  for (const [i, { value }] of now.vaultPositions.entries()) {
    const [there, then] = [promised.vaultPositions[i]?.value, later.vaultPositions[i]?.value];
    if (there === undefined || then === undefined) return expect.fail('a vault is gone');
    expect(error(value, there, then)).toBeLessThan(DRIFT);
  }
  expect(Number(promised.after.vaultsUsd) / Number(later.after.vaultsUsd)).toBeCloseTo(1, 4);
  expect(Number(promised.after.netValueUsd) / Number(later.after.netValueUsd)).toBeCloseTo(1, 4);
});

import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { type Acted, type ActionName, WalletActor } from '../support/apps/wallet-actor.ts';
import { ratiosOf } from '../support/lending/position-units.ts';

/** Amounts of `Obligation.toReach`, given to the builders: built, signed, sent and read back on the localnet. */

const USDC = 1_000_000n;
/** The chain's prices have 60 bits; health read back from them differs by less than this. */
const ROUNDING = Rational.of(1n, 10n ** 14n);

let world: ActingApp;
let actor: WalletActor;

beforeAll(async () => {
  world = await startActingApp();
  const { tokenMint, reserve, depositReserve } = world.localnet.addresses;
  actor = new WalletActor(world, await world.newWallet({ [tokenMint]: 10_000n * USDC }), 'GraphQL', 'RPC');
  await actor.act('LendingDeposit', '500', reserve);
  await actor.act('LendingBorrow', '1', depositReserve);
});
afterAll(() => world?.stop());

interface Target {
  readonly amount: { readonly amount: string } | null;
  readonly healthFactor: string | null;
  readonly limit: string | null;
}

async function target(healthFactor: string, by: string, reserve: string): Promise<Target> {
  const { obligation } = await actor.query<{ obligation: { toReach: Target } }>(
    `{ obligation(address: "${actor.obligation}") {
      toReach(healthFactor: "${healthFactor}", by: ${by}, reserve: "${reserve}") {
        amount { amount } healthFactor limit } } }`,
  );
  return obligation.toReach;
}

async function healthNow(): Promise<Rational> {
  const { obligation } = await actor.query<{ obligation: { healthFactor: string } }>(
    `{ obligation(address: "${actor.obligation}") { healthFactor } }`,
  );
  return parseDecimal(obligation.healthFactor);
}

/** The health that the chain has, from its bytes. */
const storedHealth = ({ after }: Acted) =>
  ratiosOf(after, actor.obligation).healthFactor ?? expect.fail('no debt');

describe('the amount that reaches a health', () => {
  it.each<[string, ActionName, 'reserve' | 'depositReserve', Rational]>([
    ['REPAY', 'LendingRepay', 'depositReserve', Rational.of(11n, 10n)],
    ['DEPOSIT', 'LendingDeposit', 'reserve', Rational.of(12n, 10n)],
    ['WITHDRAW', 'LendingWithdraw', 'reserve', Rational.of(9n, 10n)],
  ])('by %s gives the program that health', async (by, action, side, factor) => {
    const reserve = world.localnet.addresses[side];
    const wanted = Rational.of((await healthNow()).mul(factor).mul(Rational.of(1_000n)).floor(), 1_000n);
    const { amount, healthFactor, limit } = await target(toDecimalString(wanted), by, reserve);
    expect(limit).toBeNull();
    const acted = await actor.act(action, amount?.amount ?? null, reserve);
    expect(acted.preview.healthFactor?.after).toBe(healthFactor);
    const excess = storedHealth(acted).sub(wanted);
    expect(excess.compare(ROUNDING.neg())).toBeGreaterThanOrEqual(0);
    // One base unit of a position worth hundreds of USD moves health by less than this.
    expect(excess.compare(Rational.of(1n, 10n ** 7n))).toBe(-1);
  });

  it('is a coded error for a reserve that does not exist, and for a health of 0', async () => {
    const { reserve, tokenMint } = world.localnet.addresses;
    for (const [health, at, code] of [
      ['2', tokenMint, 'KLEND_RESERVE_NOT_FOUND'],
      ['0', reserve, 'NUMBER_OUT_OF_RANGE'],
    ] as const) {
      const { errors } = await world.gateway.query(
        `{ obligation(address: "${actor.obligation}") {
          toReach(healthFactor: "${health}", by: DEPOSIT, reserve: "${at}") { limit } } }`,
        { headers: actor.headers },
      );
      expect(errors.map(({ extensions }) => extensions?.code)).toEqual([code]);
    }
  });
});

import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { PlanActor } from '../support/apps/plan-actor.ts';
import { ratiosOf } from '../support/lending/position-units.ts';

/** A deposit with a maximum LTV of 0 backs no borrow, but the program counts it in the loan-to-value of the obligation. */

let world: ActingApp;
beforeAll(async () => {
  world = await startActingApp();
});
afterAll(() => world?.stop());

const near = (text: string | null | undefined, wanted: Rational, digits: number) =>
  parseDecimal(text ?? expect.fail('no number'))
    .sub(wanted)
    .abs()
    .compare(Rational.of(1n, 10n ** BigInt(digits))) < 0;

it('previews of plans state the loan-to-value that the chain and the obligation then have', async () => {
  const { chain: localChain, addresses } = world.localnet;
  const market = localChain.world.markets.find(({ address }) => address === addresses.market);
  const side = (symbol: string) =>
    market?.reserves.find(({ token }) => token.symbol === symbol) ?? expect.fail(symbol);
  const [usdc, kelp, sol] = [side('USDC'), side('KELP'), side('SOL')];
  expect(kelp.spec.ltvPct).toBe(0);
  const signer = await world.newWallet({
    [usdc.token.mint.address]: 10_000_000_000n,
    [kelp.token.mint.address]: 10_000n * 10n ** BigInt(kelp.token.mint.decimals),
  });
  const actor = new PlanActor(world, signer);
  const { klend } = MAINNET_PROGRAMS;
  const own: Address = obligationAddress(klend, actor.address, addresses.market, VANILLA_OBLIGATION).address;
  const lending = (...args: Parameters<PlanActor['lending']>) => actor.lending(...args);
  for (const steps of [
    [
      lending('Deposit', usdc.address, '1000'),
      lending('Deposit', kelp.address, '500'),
      lending('Borrow', sol.address, '1'),
    ],
    [lending('Withdraw', kelp.address, '100')],
    [lending('Repay', sol.address, '0.5'), lending('Withdraw', kelp.address, null)],
  ]) {
    const { preview, landed } = await actor.act(...steps);
    const { loanToValue } = ratiosOf(landed.at(-1)?.after ?? expect.fail('nothing was sent'), own);
    expect(near(preview.loanToValue?.after, loanToValue, 14)).toBe(true);
    const { data } = await world.gateway.query<{ obligation: { loanToValue: string } }>(
      `{ obligation(address: "${own}") { loanToValue } }`,
      { headers: actor.headers },
    );
    // The View is a slot later: prices and interest have moved a little.
    expect(near(data.obligation.loanToValue, loanToValue, 4)).toBe(true);
  }
});

import { Decimal, graphql, runAction } from '@sluice/client';
import { startGateway, type TestGateway } from '@sluice/client/testing';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

const POSITION = graphql(`
  query Position($obligation: Address!) {
    obligation(address: $obligation) {
      healthFactor
      deposits { amount { amount } reserve { address } }
    }
  }
`);

// For a busy machine. Usually it starts in ten seconds, and a test takes two.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ seed: 'my-app' });
});
afterAll(() => gateway?.stop());
beforeEach(() => gateway.rpc('localnet_reset'));

/** SOL deposited in the obligation of the localnet wallet, and its health factor, as of now. */
async function position() {
  const { obligation: address, depositReserve } = gateway.addresses;
  const client = await gateway.latest();
  const { data } = await client.query(POSITION, { obligation: address });
  const deposit = data.obligation?.deposits.find(({ reserve }) => reserve?.address === depositReserve);
  return {
    sol: Decimal.of(deposit?.amount?.amount ?? '0').toApproximateNumber(),
    health: Decimal.of(data.obligation?.healthFactor ?? '0').toApproximateNumber(),
  };
}

/** Builds, signs and sends a deposit of SOL, and waits until it is confirmed. */
async function deposit(tokens: string): Promise<void> {
  const { wallet, market, depositReserve: reserve } = gateway.addresses;
  const action = { lendingDeposit: { wallet, market, reserve, amount: { tokens } } };
  await runAction(await gateway.latest(), action, gateway.wallet);
}

it('shows a deposit', async () => {
  const before = await position();
  await gateway.rpc('requestAirdrop', gateway.wallet.address, 10_000_000_000);
  await deposit('5');
  const after = await position();
  expect(after.sol - before.sol).toBeCloseTo(5, 4);
  expect(after.health).toBeGreaterThan(before.health);
});

it('shows that a fall of the price allows liquidation', async () => {
  expect((await position()).health).toBeGreaterThan(1);
  await gateway.rpc('localnet_setPrice', 'SOL', '20');
  expect((await position()).health).toBeLessThan(1);
});

it('starts from the same position again', async () => {
  const before = await position();
  await deposit('1');
  await gateway.rpc('localnet_reset');
  expect((await position()).sol).toBeCloseTo(before.sol, 4);
});

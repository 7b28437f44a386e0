import { Decimal, graphql, runAction, type SluiceClient } from '@sluice/client';
import { startGateway, type TestGateway } from '@sluice/client/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const POSITION = graphql(`
  query Position($vault: Address!, $wallet: Address!) {
    vault(address: $vault) {
      position(wallet: $wallet) { value { amount } }
    }
  }
`);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.stop());

async function deposited(client: SluiceClient): Promise<Decimal> {
  const { wallet, vault } = gateway.addresses;
  const { data } = await client.query(POSITION, { vault, wallet });
  return Decimal.of(data.vault?.position?.value?.amount ?? '0');
}

it('shows a deposit in the position of the wallet', async () => {
  const { wallet, vault } = gateway.addresses;
  const before = await deposited(await gateway.latest());
  const action = { vaultDeposit: { wallet, vault, amount: { tokens: '25' } } };
  await runAction(gateway.client, action, gateway.wallet);
  const after = await deposited(await gateway.latest());
  // About: the vault charges a small fee for investing it, and every slot accrues interest.
  expect(after.minus(before).format({ locale: 'en', places: 1 })).toBe('25');
});

import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';
import { answerProblems } from '../support/contract/openapi-validator.ts';

/** Plans over REST: the same as those of GraphQL, and sendable. */

const UNKNOWN = addressNumber(77);

let world: ActingApp;
beforeAll(async () => {
  world = await startActingApp();
});
afterAll(() => world?.stop());

const post = async (path: string, body: unknown) => {
  const response = await world.gateway.app.fetch(
    new Request(`http://sluice.test${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

async function newPlan() {
  const { addresses } = world.localnet;
  const signer = await world.newWallet({ [addresses.tokenMint]: 1_000_000_000n });
  const common = { wallet: signer.address, market: addresses.market };
  const deposit = { ...common, reserve: addresses.reserve, amount: '100' };
  const borrow = { ...common, reserve: addresses.depositReserve, amount: '0.1' };
  return { signer, deposit, borrow };
}

describe('POST /ktx/plan', () => {
  it('answers as documented, and its transactions work in order', async () => {
    const { signer, deposit, borrow } = await newPlan();
    const { status, body } = await post('/ktx/plan', {
      actions: [{ lendingDeposit: deposit }, { lendingBorrow: borrow }],
    });
    expect([status, answerProblems('post', '/ktx/plan', 200, body)]).toEqual([200, []]);
    const transactions = body.transactions as {
      transaction: string;
      steps: number[];
      splitReason: unknown;
    }[];
    expect(transactions.flatMap(({ steps }) => steps)).toEqual([0, 1]);
    expect(transactions.map(({ splitReason }) => splitReason)).toEqual([null, 'SIZE']);
    for (const { transaction } of transactions) await world.send('REST', transaction, signer);
    // The reserve may take some base units less than offered.
    const left = await world.tokens(signer.address, world.localnet.addresses.tokenMint);
    expect(Number(left) / 1e6).toBeCloseTo(900, 4);
  });

  it('has the instructions of GraphQL', async () => {
    const { deposit, borrow } = await newPlan();
    const rest = await post('/ktx/plan-instructions', {
      actions: [{ lendingDeposit: deposit }, { lendingBorrow: borrow }],
    });
    expect(answerProblems('post', '/ktx/plan-instructions', 200, rest.body)).toEqual([]);
    const amounted = ({ amount, ...what }: typeof deposit) => ({ ...what, amount: { tokens: amount } });
    const { data } = await world.gateway.query<{ plan: { bundle: { instructions: { data: string }[] } } }>(
      'mutation ($actions: [BuildAction!]!) { plan: buildPlan(actions: $actions) { ... on TransactionPlan { bundle { instructions { programAddress data } } } } }',
      {
        variables: { actions: [{ lendingDeposit: amounted(deposit) }, { lendingBorrow: amounted(borrow) }] },
      },
    );
    const instructions = rest.body.instructions as { programAddress: string; data: string }[];
    expect(instructions.map(({ programAddress, data: bytes }) => ({ programAddress, data: bytes }))).toEqual(
      data.plan.bundle.instructions,
    );
  });

  it('names the step that cannot work', async () => {
    const { deposit, borrow } = await newPlan();
    const tooMuch = {
      actions: [{ lendingDeposit: deposit }, { lendingBorrow: { ...borrow, amount: '100' } }],
    };
    const refused = await post('/ktx/plan', tooMuch);
    expect(refused).toMatchObject({ status: 400, body: { code: 'BUILD_REFUSED', step: 1 } });
    expect(answerProblems('post', '/ktx/plan', 400, refused.body)).toEqual([]);
    expect((await post('/ktx/plan', { ...tooMuch, options: { strict: false } })).status).toBe(200);
    const malformed = {
      actions: [{ lendingDeposit: deposit }, { lendingBorrow: { ...borrow, amount: 'x' } }],
    };
    expect((await post('/ktx/plan', malformed)).body).toMatchObject({ code: 'DECIMAL_INVALID', step: 1 });
  });

  it.each<[string, string, (given: { wallet: Address; deposit: object }) => object]>([
    [
      'a wallet that is not that of the first step',
      'BUILD_REFUSED',
      ({ deposit }) => ({ lendingDeposit: { ...deposit, wallet: UNKNOWN } }),
    ],
    [
      'an unknown reserve',
      'KLEND_RESERVE_NOT_FOUND',
      ({ deposit }) => ({ lendingDeposit: { ...deposit, reserve: UNKNOWN } }),
    ],
    [
      'an unknown market',
      'KLEND_MARKET_NOT_FOUND',
      ({ deposit }) => ({ lendingDeposit: { ...deposit, market: UNKNOWN } }),
    ],
    [
      'an unknown vault',
      'KVAULT_NOT_FOUND',
      ({ wallet }) => ({ vaultDeposit: { wallet, kvault: UNKNOWN, amount: '1' } }),
    ],
    [
      'a farm without a stake',
      'FARM_STAKE_NOT_FOUND',
      ({ wallet }) => ({ claimRewards: { wallet, farms: [UNKNOWN] } }),
    ],
    [
      'an unknown obligation',
      'KLEND_OBLIGATION_NOT_FOUND',
      ({ wallet }) => ({
        liquidate: {
          wallet,
          obligation: UNKNOWN,
          repayReserve: world.localnet.addresses.reserve,
          withdrawReserve: world.localnet.addresses.depositReserve,
          amount: '1',
        },
      }),
    ],
  ])('refuses %s at its step', async (_, code, stepOf) => {
    const { signer, deposit } = await newPlan();
    const step = stepOf({ wallet: signer.address, deposit });
    for (const path of ['/ktx/plan', '/ktx/plan-instructions']) {
      const { status, body } = await post(path, { actions: [{ lendingDeposit: deposit }, step] });
      expect([status, body.code, body.step]).toEqual([400, code, 1]);
      expect(body).not.toHaveProperty('transactions');
      expect(answerProblems('post', path, 400, body)).toEqual([]);
    }
  });

  it.each([
    ['no action', () => []],
    ['an empty action', () => [{}]],
    ['seven actions', (deposit: object) => Array.from({ length: 7 }, () => ({ lendingDeposit: deposit }))],
    ['two actions in one', (deposit: object) => [{ lendingDeposit: deposit, lendingRepay: deposit }]],
    [
      'options of a transaction',
      (deposit: object) => [{ lendingDeposit: { ...deposit, options: { memo: 'x' } } }],
    ],
  ])('refuses %s', async (_, actionsOf) => {
    const { deposit } = await newPlan();
    const { status, body } = await post('/ktx/plan', { actions: actionsOf(deposit) });
    expect([status, body.code]).toEqual([400, 'BUILD_REFUSED']);
  });
});

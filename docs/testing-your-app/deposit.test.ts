import {
  createKeyPairSignerFromBytes,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { TestChain } from './test-chain.ts';

const BUILD = `mutation ($input: LendingActionInput!) {
  buildLendingDeposit(input: $input) {
    __typename
    ... on TransactionPlan { transactions { base64 } }
    ... on BuildError { code message }
  }
}`;
const SEND = `mutation ($transaction: Base64!) {
  sendTransaction(input: { transaction: $transaction }) {
    __typename
    ... on SentTransaction { status error { name message } }
    ... on InvalidTransaction { code message }
  }
}`;
const READ = `query ($obligation: Address!) {
  obligation(address: $obligation) {
    healthFactor
    deposits { amount { amount } reserve { address } }
  }
}`;

interface Built {
  readonly buildLendingDeposit: { readonly transactions?: readonly { readonly base64: string }[] };
}
interface Sent {
  readonly sendTransaction: { readonly error?: object | null };
}
interface Read {
  readonly obligation: {
    readonly healthFactor: string;
    readonly deposits: readonly {
      readonly amount: { readonly amount: string };
      readonly reserve: { readonly address: string };
    }[];
  };
}

// For a busy machine. Usually it starts in ten seconds, and a test takes two.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

let chain: TestChain;
beforeAll(async () => {
  chain = await TestChain.start('my-app');
});
afterAll(() => chain?.stop());
beforeEach(() => chain.rpc('demo_reset'));

/** SOL deposited in the obligation of the demo wallet, and its health factor, as of now. */
async function position() {
  const { obligation, depositReserve } = chain.info;
  const answer = await chain.graphql<Read>(READ, { obligation }, await chain.slot());
  const deposit = answer.obligation.deposits.find(({ reserve }) => reserve.address === depositReserve);
  return { sol: Number(deposit?.amount.amount), health: Number(answer.obligation.healthFactor) };
}

/** Builds, signs and sends a deposit of SOL, and waits until it is confirmed. */
async function deposit(tokens: string): Promise<void> {
  const { wallet, market, depositReserve: reserve, secretKey } = chain.info;
  const input = { wallet, market, reserve, amount: { tokens } };
  const { buildLendingDeposit: plan } = await chain.graphql<Built>(BUILD, { input }, await chain.slot());
  const [unsigned] = plan.transactions ?? [];
  if (unsigned === undefined) throw new Error(JSON.stringify(plan));
  const signer = await createKeyPairSignerFromBytes(Uint8Array.from(secretKey));
  const decoded = getTransactionDecoder().decode(getBase64Encoder().encode(unsigned.base64));
  const signed = await signTransaction([signer.keyPair], decoded);
  const transaction = getBase64EncodedWireTransaction(signed);
  const { sendTransaction: sent } = await chain.graphql<Sent>(SEND, { transaction });
  if (sent.error !== null) throw new Error(JSON.stringify(sent));
}

it('shows a deposit', async () => {
  const before = await position();
  await chain.rpc('requestAirdrop', chain.info.wallet, 10_000_000_000);
  await deposit('5');
  const after = await position();
  expect(after.sol - before.sol).toBeCloseTo(5, 4);
  expect(after.health).toBeGreaterThan(before.health);
});

it('shows that a fall of the price allows liquidation', async () => {
  expect((await position()).health).toBeGreaterThan(1);
  await chain.rpc('demo_setPrice', 'SOL', '20');
  expect((await position()).health).toBeLessThan(1);
});

it('starts from the same position again', async () => {
  const before = await position();
  await deposit('1');
  await chain.rpc('demo_reset');
  expect((await position()).sol).toBeCloseTo(before.sol, 4);
});

import { obligationAddress } from '@sluice/protocol/klend/addresses';
import { flashRepay } from '@sluice/protocol/klend/flash-instructions';
import { MAINNET_PROGRAMS, NO_ADDRESS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeNonceAccount } from '@sluice/protocol/system/nonce-account';
import {
  type Address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KTX_OPERATIONS } from '../../src/rest/builds/routes.ts';
import { type ChangingContractWorld, startChangingContractWorld } from '../support/contract/contract-app.ts';
import { answerProblems } from '../support/contract/openapi-validator.ts';

/** `options` of every builder over REST, and `obligation` of the lending ones. */

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const NONCE = 'Nonce11111111111111111111111111111111111111' as Address;
const STORED = 'Stored1111111111111111111111111111111111111';

interface Bundle {
  readonly instructions: readonly {
    readonly programAddress: string;
    readonly accounts: readonly { readonly address: string; readonly role: string }[];
    readonly data: string;
  }[];
}

let world: ChangingContractWorld;
beforeAll(async () => {
  world = await startChangingContractWorld();
});
afterAll(() => world?.stop());

/** A nonce of which the wallet is the authority. */
function placeNonce(wallet: Address): void {
  const data = encodeNonceAccount({
    authority: wallet,
    durableNonce: STORED,
    lamportsPerSignature: 5_000n,
  });
  world.localChain.place(NONCE, { owner: SYSTEM_PROGRAM, lamports: 1_447_680n, data, executable: false });
}

const example = (path: string, change: Readonly<Record<string, unknown>> = {}) => {
  const operation = KTX_OPERATIONS.find((each) => each.path === path);
  return { ...operation?.example(world.localChain.addresses).body, ...change };
};

/** The wallet of the example. */
const walletOf = (path: string) => example(path).wallet as Address;

async function ask(path: string, change: Readonly<Record<string, unknown>>) {
  world.proxy.reset();
  const { status, body } = await world.post(path, example(path, change));
  return { status, body, calls: world.proxy.calls.map(({ method }) => method) };
}

async function transactionOf(path: string, options: object) {
  const { status, body, calls } = await ask(path, { options });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(answerProblems('post', path, 200, body)).toEqual([]);
  const bytes = getBase64Encoder().encode((body as { transaction: string }).transaction);
  const { messageBytes, signatures } = getTransactionDecoder().decode(bytes);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 0) throw new Error('not a v0 message');
  const programs = message.instructions.map((each) => message.staticAccounts[each.programAddressIndex]);
  return { message, signers: Object.keys(signatures), programs, calls };
}

/** The repayment of a flash loan names the loan by its position in the transaction, with its last byte. */
const isFlashRepay = (data: string) =>
  flashRepay.discriminator.every((byte, i) => Buffer.from(data, 'base64')[i] === byte);
const withoutPositions = (instructions: Bundle['instructions']) =>
  instructions.map((each) =>
    isFlashRepay(each.data)
      ? { ...each, data: Buffer.from(each.data, 'base64').subarray(0, -1).toString('hex') }
      : each,
  );
const positionsIn = (instructions: Bundle['instructions']) =>
  instructions.flatMap(({ data }) => (isFlashRepay(data) ? [Buffer.from(data, 'base64').at(-1) ?? -1] : []));

/** A claim searches the wallet's stakes before it reads them, and a ticket says which accounts its payment needs. */
function readsOf(path: string): string[] {
  if (path === '/ktx/farms/claim') return ['getProgramAccounts', 'getMultipleAccounts'];
  const isOfTicket = /(withdraw-queued|(cancel|recover)-withdraw-ticket)$/.test(path);
  // What a borrow order needs is known only from its obligation.
  return isOfTicket || /(cancel|fill)-borrow-order$/.test(path)
    ? ['getMultipleAccounts', 'getMultipleAccounts']
    : ['getMultipleAccounts'];
}

const PATHS = KTX_OPERATIONS.map(({ path }) => path).filter((path) => !path.endsWith('-instructions'));

/** A step of the transfer of an obligation shares its transaction with nothing but the compute budget. */
const isAlone = (path: string) => /obligation-transfer|accept-obligation/.test(path);

/** A new vault signs for itself. Its address in the example is that of the empty wallet. */
const isCreation = (path: string) => path === '/ktx/kvault/create';
const newKeys = (path: string) => (isCreation(path) ? [world.localChain.addresses.emptyWallet] : []);

/** A wallet that is not the one of the example. */
function otherWallet(path: string): Address {
  const { emptyWallet, queuedWallet } = world.localChain.addresses;
  return walletOf(path) === emptyWallet || isCreation(path) ? queuedWallet : emptyWallet;
}

it.each(PATHS.filter(isAlone))('POST %s refuses a memo, a tip and a nonce', async (path) => {
  const wallet = walletOf(path);
  placeNonce(wallet);
  for (const [code, options] of [
    ['MEMO_INVALID', { memo: 'm' }],
    ['TIP_INVALID', { tip: { account: otherWallet(path), lamports: 7 } }],
    ['DURABLE_NONCE_INVALID', { durableNonce: { account: NONCE, authority: wallet } }],
  ] as const) {
    const { body } = await ask(path, { options });
    expect(body).toMatchObject({ code, message: expect.stringContaining('6182') });
  }
});

describe.each(PATHS)('POST %s', (path) => {
  it.skipIf(isAlone(path))(
    'takes a nonce instead of a blockhash, a memo and a tip, with no further read',
    async () => {
      const other = otherWallet(path);
      const wallet = walletOf(path);
      placeNonce(wallet);
      const { message, signers, programs, calls } = await transactionOf(path, {
        durableNonce: { account: NONCE, authority: wallet },
        memo: 'm',
        tip: { account: other, lamports: '7' },
        computeUnitLimit: 1_000_000,
      });
      expect(calls).toEqual(readsOf(path));
      expect(message.lifetimeToken).toBe(STORED);
      expect(signers).toEqual([wallet, ...newKeys(path)]);
      expect(programs[0]).toBe(SYSTEM_PROGRAM);
      expect(programs.slice(-2)).toEqual([MEMO, SYSTEM_PROGRAM]);
    },
  );

  it('takes another fee payer and a price by level, with one read of fees', async () => {
    const other = otherWallet(path);
    const wallet = walletOf(path);
    const { signers, calls } = await transactionOf(path, { feePayer: other, priorityFee: 'MEDIUM' });
    // Anyone may open the accounts of a referrer who is registered, as the wallet of the example is.
    const [payer, ...others] = signers;
    expect(payer).toBe(other);
    expect(new Set(others)).toEqual(
      new Set(path.endsWith('set-up-referrer') ? [] : [wallet, ...newKeys(path)]),
    );
    expect(calls.toSorted()).toEqual(
      [...readsOf(path), 'getLatestBlockhash', 'getRecentPrioritizationFees'].toSorted(),
    );
  });

  it.skipIf(isAlone(path))(
    'puts the same instructions into the bundle, without the compute budget',
    async () => {
      const other = otherWallet(path);
      const wallet = walletOf(path);
      placeNonce(wallet);
      const options = {
        durableNonce: { account: NONCE, authority: wallet },
        memo: 'm',
        tip: { account: other, lamports: 7 },
        priorityFee: 'HIGH',
      };
      const plain = (await ask(`${path}-instructions`, {})).body as Bundle;
      const { body, calls } = await ask(`${path}-instructions`, { options });
      const { instructions } = body as Bundle;
      expect(calls).toEqual(readsOf(path));
      expect(withoutPositions(instructions.slice(1, -2))).toEqual(withoutPositions(plain.instructions));
      expect(positionsIn(instructions)).toEqual(positionsIn(plain.instructions).map((each) => each + 1));
      expect(instructions[0]).toMatchObject({ programAddress: SYSTEM_PROGRAM, data: 'BAAAAA==' });
      expect(instructions.at(-2)).toEqual({ programAddress: MEMO, accounts: [], data: 'bQ==' });
    },
  );

  it.each([
    ['FEE_PAYER_INVALID', (wallet: string) => ({ feePayer: wallet })],
    ['MEMO_INVALID', () => ({ memo: 'm'.repeat(567) })],
    ['DURABLE_NONCE_INVALID', (wallet: string) => ({ durableNonce: { account: wallet, authority: wallet } })],
    ['PRIORITY_FEE_INVALID', () => ({ priorityFee: 'LOW', priorityFeeMicroLamports: 1 })],
    ['TIP_INVALID', (wallet: string) => ({ tip: { account: wallet, lamports: 0 } })],
  ] as const)('refuses an option with %s', async (code, options) => {
    const { status, body } = await ask(path, { options: options(walletOf(path)) });
    expect(body).toMatchObject({ statusCode: 400, code });
    expect(answerProblems('post', path, status, body)).toEqual([]);
  });

  it.each([
    ['a list', []],
    ['text', 'fast'],
    ['a level that does not exist', { priorityFee: 'FAST' }],
    ['a fee payer that is no address', { feePayer: 'me' }],
    ['a nonce without authority', { durableNonce: { account: NONCE } }],
    ['a tip below nothing', { tip: { account: NONCE, lamports: -1 } }],
    ['a tip beyond 64 bits', { tip: { account: NONCE, lamports: '18446744073709551616' } }],
    ['a memo that is a number', { memo: 5 }],
  ])('rejects options that are %s', async (_what, options) => {
    const { status, body, calls } = await ask(path, { options });
    expect(status).toBe(400);
    expect(answerProblems('post', path, status, body)).toEqual([]);
    expect(calls).toEqual([]);
  });
});

describe('the obligation of a lending builder', () => {
  const path = '/ktx/klend/deposit-instructions';
  const keyed = (key: { tag: number; id: number; seed1: Address; seed2: Address }) => {
    const { wallet, market } = world.localChain.addresses;
    return obligationAddress(MAINNET_PROGRAMS.klend, wallet as Address, market as Address, key).address;
  };

  async function usedWith(obligation?: object): Promise<string[]> {
    const { status, body } = await ask(path, obligation === undefined ? {} : { obligation });
    expect(status, JSON.stringify(body)).toBe(200);
    return (body as Bundle).instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address));
  }

  it('is the vanilla one with id 0 by default, and another by id, tag and seeds, or address', async () => {
    const { obligation, tokenMint, stakedMint } = world.localChain.addresses;
    const vanilla = { tag: 0, seed1: NO_ADDRESS, seed2: NO_ADDRESS };
    expect(await usedWith()).toContain(obligation);
    expect(await usedWith({ address: obligation })).toEqual(await usedWith());
    expect(await usedWith({ tag: 'VANILLA', id: 0 })).toEqual(await usedWith());
    expect(await usedWith({ id: 3 })).toContain(keyed({ ...vanilla, id: 3 }));
    const [seed1, seed2] = [stakedMint as Address, tokenMint as Address];
    const multiply = await usedWith({ tag: 'MULTIPLY', id: 1, seed1, seed2 });
    expect(multiply).toContain(keyed({ tag: 1, id: 1, seed1, seed2 }));
    expect(multiply).not.toContain(obligation);
  });

  it.each([
    ['an unknown tag', { tag: 'SHORT' }, undefined],
    ['an id beyond a byte', { id: 256 }, undefined],
    ['an address beside a tag', { address: NONCE, tag: 'VANILLA' }, undefined],
    ['seeds of a vanilla one', { seed1: NONCE }, 'BUILD_REFUSED'],
    ['a tag without its seeds', { tag: 'MULTIPLY' }, 'BUILD_REFUSED'],
  ])('rejects %s', async (_what, obligation, code) => {
    const { status, body } = await ask(path, { obligation });
    expect(status).toBe(400);
    if (code !== undefined) expect(body).toMatchObject({ code });
    expect(answerProblems('post', path, status, body)).toEqual([]);
  });
});

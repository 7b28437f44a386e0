import { obligation } from '@sluice/protocol/klend/obligation';
import {
  type Address,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { KTX_OPERATIONS } from '../../src/rest/builds/routes.ts';
import type { ExampleAddresses } from '../../src/rest/operation/operation.ts';
import { askApp } from '../support/apps/test-app.ts';
import { type ChangingContractWorld, startChangingContractWorld } from '../support/contract/contract-app.ts';
import { BUILDER_ERROR } from '../support/contract/error-bodies.ts';
import { misfits } from '../support/contract/field-shapes.ts';
import { answerProblems } from '../support/contract/openapi-validator.ts';
import { BUNDLE, TRANSACTION } from '../support/operations/builders.ts';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const LOOKUP_TABLES = 'AddressLookupTab1e1111111111111111111111111' as Address;
const U64_MAX = '18446744073709551615';

interface Bundle {
  readonly instructions: readonly {
    readonly programAddress: string;
    readonly accounts: readonly { address: string; role: string; signer?: { address: string } }[];
    readonly data: string;
  }[];
  readonly lutsByAddress: Readonly<Record<string, readonly string[]>>;
}

type BuildAnswer =
  | { readonly __typename: 'TransactionPlan'; readonly transactions: readonly { sizeBytes: number }[] }
  | {
      readonly __typename: 'TransactionTooLarge';
      readonly sizeBytes: number;
      readonly accounts: number;
      readonly bundle: { readonly instructions: readonly unknown[] };
    };

let world: ChangingContractWorld;
beforeAll(async () => {
  world = await startChangingContractWorld();
});
afterAll(() => world?.stop());

const example = (path: string, change: Readonly<Record<string, unknown>> = {}) => {
  const operation = KTX_OPERATIONS.find((each) => each.path === path);
  return { ...operation?.example(world.localChain.addresses).body, ...change };
};

describe.each(KTX_OPERATIONS.map(({ path }) => path))('POST %s', (path) => {
  it('answers in the documented shape', async () => {
    const { status, headers, body } = await world.post(path, example(path));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-view')).toMatch(/^[0-9a-f]{8}-\d+$/);
    expect(headers.get('x-slot')).toBe(String(world.localChain.slot));
    expect(answerProblems('post', path, status, body)).toEqual([]);
    expect(misfits(path.endsWith('-instructions') ? BUNDLE : TRANSACTION, body)).toEqual([]);
  });

  it('takes one round of accounts, two for a ticket or an order, and a blockhash only for a transaction', async () => {
    world.proxy.reset();
    await world.post(path, example(path));
    const blockhash = path.endsWith('-instructions') ? [] : ['getLatestBlockhash'];
    const search = path.startsWith('/ktx/farms/') ? ['getProgramAccounts'] : [];
    // The owner of a ticket is known only from the ticket, and what a borrow order needs from its obligation.
    const rounds = /withdraw-(queued|ticket)|(cancel|fill)-borrow-order/.test(path) ? 2 : 1;
    expect(world.proxy.calls.map(({ method }) => method)).toEqual([
      ...search,
      ...Array.from({ length: rounds }, () => 'getMultipleAccounts'),
      ...blockhash,
    ]);
  });

  it('ignores unknown fields', async () => {
    const plain = await world.post(path, example(path));
    const more = await world.post(path, example(path, { extra: 1, constructor: { prototype: 1 } }));
    expect(more.body).toEqual(plain.body);
  });
});

/** A new vault signs for itself. */
const furtherSigners = (path: string): readonly unknown[] =>
  path.startsWith('/ktx/kvault/create') ? [example(path).kvault] : [];

/** Their accounts are in no table of a market, or the market of the example has none. */
const WITHOUT_TABLES =
  /obligation-transfer|accept-obligation|(name|set-up)-referrer|kvault\/create|rollover-settings|roll-over/;

describe('instructions', () => {
  const paths = KTX_OPERATIONS.map(({ path }) => path).filter((path) => path.endsWith('-instructions'));

  it.each(paths)('%s name a signer only for signer roles, and set no compute budget', async (path) => {
    const body = (await world.post(path, example(path))).body as Bundle;
    const { wallet } = example(path);
    for (const { programAddress, accounts } of body.instructions) {
      expect(programAddress).not.toBe(COMPUTE_BUDGET);
      for (const { address, role, signer } of accounts) {
        expect(signer).toEqual(role.endsWith('_SIGNER') ? { address } : undefined);
        if (signer !== undefined) expect([wallet, ...furtherSigners(path)]).toContain(signer.address);
      }
    }
  });

  it.each(paths)('%s include all entries of the tables', async (path) => {
    const { lutsByAddress } = (await world.post(path, example(path))).body as Bundle;
    if (WITHOUT_TABLES.test(path)) expect(lutsByAddress).toEqual({});
    else expect(Object.keys(lutsByAddress).length).toBeGreaterThan(0);
    for (const [table, addresses] of Object.entries(lutsByAddress)) {
      const account = world.localChain.account(table as Address);
      expect(account?.data.length).toBe(56 + 32 * addresses.length);
    }
  });
});

describe('transactions', () => {
  const paths = KTX_OPERATIONS.map(({ path }) => path).filter((path) => !path.endsWith('-instructions'));

  it.each(paths)('%s is unsigned, of version 0, paid by the wallet', async (path) => {
    const { transaction } = (await world.post(path, example(path))).body as { transaction: string };
    const bytes = getBase64Encoder().encode(transaction);
    expect(bytes.length).toBeLessThanOrEqual(1232);
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes);
    const { wallet } = example(path);
    const signers = [wallet, ...furtherSigners(path)];
    expect(Object.entries(signatures)).toEqual(signers.map((signer) => [signer, null]));
    expect(bytes.slice(0, 65)).toEqual(Uint8Array.from([signers.length, ...new Array<number>(64).fill(0)]));
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    expect(message.version).toBe(0);
    expect(message.staticAccounts[0]).toBe(wallet);
    if (message.version !== 0) return;
    expect(message.lifetimeToken).toBe(world.localChain.blockhash().blockhash);
    // An order names too few accounts for a table to save bytes.
    if (!/(obligation|set-borrow|cancel-borrow)-order$|accept-admin/.test(path) && !WITHOUT_TABLES.test(path))
      expect(message.addressTableLookups?.length).toBeGreaterThan(0);
  });
});

interface Refusal {
  readonly name: string;
  readonly code: string;
  readonly path: string;
  readonly change: (addresses: ExampleAddresses & { readonly emptyWallet: string }) => object;
}

const otherReserve = () => {
  const view = world.gateway.app.chain.views.current();
  const found = [...view.all('reserve').values()].find(
    ({ value }) => value.lendingMarket !== world.localChain.addresses.market,
  );
  return found?.address;
};
const LENDING = ['deposit', 'borrow', 'repay', 'withdraw'].map((action) => `/ktx/klend/${action}`);
const VAULT = ['deposit', 'withdraw'].map((action) => `/ktx/kvault/${action}`);

const rows = (
  paths: readonly string[],
  code: string,
  name: string,
  change: Refusal['change'],
): readonly Refusal[] =>
  paths.flatMap((path) => [path, `${path}-instructions`]).map((each) => ({ path: each, code, name, change }));

const REFUSALS: readonly Refusal[] = [
  ...rows(LENDING, 'KLEND_MARKET_NOT_FOUND', 'an address that is no market', ({ wallet }) => ({
    market: wallet,
  })),
  ...rows(LENDING, 'KLEND_RESERVE_NOT_FOUND', 'an address that is no reserve', ({ vault }) => ({
    reserve: vault,
  })),
  ...rows(LENDING, 'RESERVE_NOT_IN_MARKET', 'a reserve of another market', () => ({
    reserve: otherReserve(),
  })),
  ...rows(
    LENDING.slice(1),
    'KLEND_OBLIGATION_NOT_FOUND',
    'a wallet without an obligation',
    ({ emptyWallet }) => ({
      wallet: emptyWallet,
    }),
  ),
  ...rows(['/ktx/klend/repay'], 'KLEND_POSITION_NOT_FOUND', 'no such debt', ({ depositReserve }) => ({
    reserve: depositReserve,
  })),
  ...rows(['/ktx/klend/withdraw'], 'KLEND_POSITION_NOT_FOUND', 'no such deposit', ({ borrowReserve }) => ({
    reserve: borrowReserve,
  })),
  ...rows(VAULT, 'KVAULT_NOT_FOUND', 'an address that is no vault', ({ market }) => ({ kvault: market })),
  ...rows(['/ktx/kvault/withdraw'], 'KVAULT_POSITION_NOT_FOUND', 'all of nothing', ({ emptyWallet }) => ({
    wallet: emptyWallet,
    amount: U64_MAX,
  })),
  ...rows([...LENDING, ...VAULT], 'AMOUNT_NOT_POSITIVE', 'nothing', () => ({ amount: '0' })),
  ...rows([...LENDING, ...VAULT], 'AMOUNT_NOT_POSITIVE', 'less than nothing', () => ({ amount: '-1' })),
  ...rows([...LENDING, ...VAULT], 'AMOUNT_TOO_MANY_DECIMALS', 'too many decimals', () => ({
    amount: '1.0000000000001',
  })),
  ...rows([...LENDING, ...VAULT], 'DECIMAL_TO_LAMPORTS_OVERFLOW', 'beyond 64 bits', () => ({
    amount: '99999999999999999999',
  })),
  ...rows([...LENDING, ...VAULT], 'DECIMAL_INVALID', 'an exponent', () => ({ amount: '1e3' })),
  ...['U64::MAX', U64_MAX].flatMap((amount) =>
    rows(
      ['/ktx/klend/deposit', '/ktx/klend/borrow', '/ktx/kvault/deposit'],
      'DECIMAL_TO_LAMPORTS_OVERFLOW',
      amount,
      () => ({ amount }),
    ),
  ),
];

describe('refusals', () => {
  it.each(REFUSALS)('$path, $name: $code', async ({ path, code, change }) => {
    const answer = await world.post(path, example(path, { ...change(world.localChain.addresses) }));
    expect(answer.body).toMatchObject({ statusCode: 400, error: 'Bad Request', code });
    expect(answer.status).toBe(400);
    expect(answerProblems('post', path, 400, answer.body)).toEqual([]);
    expect(misfits(BUILDER_ERROR, answer.body)).toEqual([]);
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  it('an obligation of another wallet', async () => {
    const { obligation: address, emptyWallet } = world.localChain.addresses;
    const stolen = withFields(obligation, accountIn(world.localChain, address), { owner: emptyWallet });
    world.localChain.place(address, stolen);
    try {
      const path = '/ktx/klend/borrow';
      const answer = await world.post(path, example(path));
      expect(answer.body).toMatchObject({ statusCode: 400, code: 'BUILD_REFUSED' });
    } finally {
      world.localChain.restore();
    }
  });

  /** Two transactions where set-up can go ahead, and otherwise how much too large the action is. */
  async function graphSays(body: Record<string, unknown>, instructions: number): Promise<string> {
    const query = `mutation ($input: VaultDepositInput!) { result: buildVaultDeposit(input: $input) { __typename
      ... on TransactionPlan { transactions { sizeBytes } }
      ... on TransactionTooLarge { code sizeBytes sizeLimit accounts accountLimit bundle { instructions { summary } } } } }`;
    const input = { wallet: body.wallet, vault: body.kvault, amount: { tokens: body.amount } };
    const { data, errors } = await askApp<{ result: BuildAnswer }>(world.gateway.app, query, {
      variables: { input },
    });
    expect(errors).toEqual([]);
    const { result } = data;
    if (result.__typename === 'TransactionPlan') {
      expect(result.transactions).toHaveLength(2);
      for (const { sizeBytes } of result.transactions) expect(sizeBytes).toBeLessThanOrEqual(1232);
    } else {
      expect(result).toMatchObject({ code: 'TRANSACTION_SIZE_ERROR', sizeLimit: 1232, accountLimit: 64 });
      expect(result.sizeBytes).toBeGreaterThan(1232);
      expect(result.accounts).toBeGreaterThan(1);
      expect(result.bundle.instructions).toHaveLength(instructions);
    }
    return result.__typename;
  }

  it('an action that does not fit into one transaction, while its instructions are still returned', async () => {
    const tables = [...world.localChain.programAccounts(LOOKUP_TABLES)].map(([address]) => address);
    for (const table of tables) world.localChain.place(table, null);
    try {
      const path = '/ktx/kvault/deposit';
      let tooLarge = 0;
      const results = new Set<string>();
      for (const kvault of world.gateway.app.chain.views.current().all('vault').keys()) {
        const body = example(path, { wallet: world.localChain.addresses.emptyWallet, kvault });
        const answer = await world.post(path, body);
        const bundle = await world.post(`${path}-instructions`, body);
        expect(bundle.status).toBe(200);
        expect((bundle.body as Bundle).lutsByAddress).toEqual({});
        if (answer.status === 200) continue;
        expect(answer.body).toMatchObject({ statusCode: 400, code: 'TRANSACTION_SIZE_ERROR' });
        expect(Number(/is (\d+) bytes/.exec(answer.text)?.[1])).toBeGreaterThan(1232);
        tooLarge += 1;
        results.add(await graphSays(body, (bundle.body as Bundle).instructions.length));
      }
      expect(tooLarge).toBeGreaterThan(0);
      expect(results).toEqual(new Set(['TransactionPlan', 'TransactionTooLarge']));
    } finally {
      world.localChain.restore();
    }
  });
});

describe('amounts', () => {
  it.each(['/ktx/klend/repay', '/ktx/klend/withdraw', '/ktx/kvault/withdraw'])(
    '%s takes all in both spellings',
    async (path) => {
      const full = `${path}-instructions`;
      const [word, number] = await Promise.all(
        ['U64::MAX', U64_MAX].map((amount) => world.post(full, example(full, { amount }))),
      );
      expect(word?.status).toBe(200);
      expect(word?.body).toEqual(number?.body);
      expect(word?.body).not.toEqual((await world.post(full, example(full))).body);
    },
  );

  it('above the balance of the wallet are still built', async () => {
    for (const path of [
      '/ktx/klend/deposit',
      '/ktx/klend/borrow',
      '/ktx/kvault/deposit',
      '/ktx/kvault/withdraw',
    ]) {
      expect((await world.post(path, example(path, { amount: '1000000' }))).status).toBe(200);
    }
    const path = '/ktx/kvault/withdraw';
    const body = example(path, { wallet: world.localChain.addresses.emptyWallet });
    expect((await world.post(path, body)).status).toBe(200);
  });
});

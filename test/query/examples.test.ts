import { readFileSync } from 'node:fs';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeTransaction, signWithKey } from '../../docs/signing/with-kit.ts';
import { significantDigits } from '../../packages/protocol/test/support/numbers.ts';
import type { App } from '../../src/app/app.ts';
import { exampleVariables, readExamples } from '../../src/graphql/examples/examples.ts';
import { startEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';

let app: App;
const rpc = (): LocalnetRpc => {
  if (app.embedded === null) throw new Error('no localnet');
  return app.embedded.rpc;
};

beforeAll(async () => {
  ({ app } = await startEmbeddedApp());
});
afterAll(() => app?.stop());

const values = () => ({ ...app.embedded?.addresses, transaction: app.embedded?.exampleTransaction ?? '' });

/** Every leaf of an answer with its place. */
function leaves(value: unknown, path: string[] = []): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, i) => leaves(item, [...path, String(i)]));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => leaves(each, [...path, key]));
  }
  return [[path.join('.'), value]];
}

/** Asked where there is a past; see the tests of history. */
const NEEDS_HISTORY = ['history'];
/** Heard in the tests of streams. */
const STREAMS = ['live'];
/** Sent below, with a signature. */
const NEEDS_WALLET = ['send'];
const NUMBER = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;
const NOT_NUMBERS =
  /(name|symbol|mint|address|addresses|description|reserve|source|cluster|tag|status|tokenProgram|programName|asOf|endsAt|base64|summary|level|code|message|label|owner|obligation|indexedAt|bindingLimit|limit|unknown|reason)(\.\d+)?$/;

describe('example queries', () => {
  const examples = readExamples();

  it('are several, each with a comment that says what it shows', () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
    for (const { query } of examples) expect(query).toMatch(/^# .+/);
  });

  const answered = examples.filter(
    ({ name }) => ![...NEEDS_HISTORY, ...STREAMS, ...NEEDS_WALLET].includes(name),
  );
  it.each(answered.map((example) => [example.name, example] as const))(
    '%s answers on the localnet',
    async (_, example) => {
      const answer = await askApp(app, example.query, { variables: exampleVariables(example, values()) });
      expect(answer.errors).toEqual([]);
      const found = leaves(answer.data);
      expect(found.length).toBeGreaterThan(5);
      for (const [place, value] of found) {
        expect(String(value), place).not.toMatch(/NaN|Infinity|undefined/);
        if (typeof value !== 'string' || NOT_NUMBERS.test(place)) continue;
        expect(value, place).toMatch(NUMBER);
        expect(significantDigits(value), place).toBeLessThanOrEqual(34);
      }
    },
  );
});

describe('the documents of the README', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const documents = [...readme.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  it('answer on the localnet: a wallet with its vaults and loans, and a plan', async () => {
    const { wallet, vault } = values();
    const variables = { wallet, vault };
    const [read, build] = await Promise.all(
      documents.map((text) => askApp<Record<string, Record<string, unknown>>>(app, text, { variables })),
    );
    expect([documents.length, read?.errors, build?.errors]).toEqual([2, [], []]);
    expect(read?.data.wallet).toMatchObject({
      netValue: { usd: expect.stringMatching(/^\d/) },
      vaultPositions: { nodes: expect.arrayContaining([expect.anything()]) },
      obligations: { nodes: expect.arrayContaining([expect.anything()]) },
    });
    expect(build?.data.buildVaultDeposit).toMatchObject({
      __typename: 'TransactionPlan',
      transactions: [{ base64: expect.stringMatching(/^[\w+/]+=*$/) }],
      warnings: [],
    });
  });
});

it('the documents of the page on exits answer on the localnet', async () => {
  const page = readFileSync(new URL('../../docs/exits.md', import.meta.url), 'utf8');
  const documents = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const { wallet, market, depositReserve, obligation, vault, queuedReserve, queuedWallet } =
    app.embedded?.addresses ?? expect.fail('no localnet');
  const variables = [
    { reserve: queuedReserve },
    { wallet, market, reserve: depositReserve, obligation },
    { wallet: queuedWallet },
    { reserve: queuedReserve },
    { wallet, vault },
  ];
  const answers = await Promise.all(
    documents.map((text, i) =>
      askApp<Record<string, Record<string, unknown>>>(app, text, { variables: variables[i] ?? {} }),
    ),
  );
  expect(answers.map(({ errors }) => errors)).toEqual(variables.map(() => []));
  const [queue, enqueue, tickets, keeper, exit] = answers.map(({ data }) => data);
  expect(queue?.reserve).toMatchObject({ withdrawQueue: { tickets: '4', free: { amount: '0' } } });
  expect(enqueue?.buildEnqueueWithdraw).toMatchObject({
    transactions: [{ signers: [wallet] }],
    preview: {
      withdrawQueue: { state: 'QUEUED', collateral: { before: '0' } },
      warnings: [{ code: 'QUEUE_NOT_NEEDED' }, { code: 'WSOL_LEFT_OVER' }],
    },
  });
  expect(tickets?.wallet).toMatchObject({
    withdrawTickets: { nodes: [{ state: 'QUEUED', ticketsAhead: '3' }] },
  });
  expect(keeper?.reserve).toMatchObject({ withdrawTickets: { totalCount: 4 } });
  expect(exit?.buildVaultExit).toMatchObject({ steps: [{ kind: 'VAULT_WITHDRAW' }] });
});

it('the documents of the page on orders answer on the localnet', async () => {
  const page = readFileSync(new URL('../../docs/orders.md', import.meta.url), 'utf8');
  const documents = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const addresses = app.embedded?.addresses ?? expect.fail('no localnet');
  const { wallet, emptyWallet, market, orderedObligation, tokenMint: mint, reserve } = addresses;
  const values: Readonly<Record<string, string>> = {
    wallet,
    keeper: emptyWallet,
    market,
    obligation: orderedObligation,
    mint,
    reserve,
  };
  const answers = await Promise.all(
    documents.map((text) => {
      const names = [...text.matchAll(/\$(\w+):/g)].map(([, name = '']) => name);
      const variables = Object.fromEntries(names.map((name) => [name, values[name]]));
      return askApp<Record<string, Record<string, unknown>>>(app, text, { variables });
    }),
  );
  expect(answers.map(({ errors }) => errors)).toEqual([[], [], [], [], []]);
  const [set, own, place, fillable, fill] = answers.map(({ data }) => data);
  expect(set?.buildSetObligationOrder).toMatchObject({
    preview: { order: { index: 0, before: null, isTriggered: expect.any(Boolean) } },
  });
  expect(own?.obligation).toMatchObject({ orders: [] });
  expect(place?.buildSetBorrowOrder).toMatchObject({
    preview: {
      borrowOrder: { index: 0, before: null, remaining: { before: '0', after: '250' } },
      warnings: [{ code: 'BORROW_ORDER_UNFILLABLE' }],
    },
  });
  expect(fillable?.market).toMatchObject({
    borrowOrders: { nodes: [{ index: 0, obligation: { address: orderedObligation } }] },
  });
  expect(fill?.buildFillBorrowOrder).toMatchObject({
    transactions: [{ signers: [emptyWallet] }],
    preview: { borrowOrder: { after: null, received: { amount: '250' } } },
  });
});

it('the documents of the page on a new owner answer on the localnet', async () => {
  const { wallet, market, emptyWallet, offeringWallet, newOwner, offeredObligation, approvedObligation } =
    app.embedded?.addresses ?? expect.fail('no localnet');
  const [offer, transfer, abort, accept] = await documentsOf('ownership.md', [
    { wallet, market, newOwner: emptyWallet },
    { obligation: offeredObligation },
    { wallet: offeringWallet, market },
    { wallet: newOwner, obligation: approvedObligation },
  ]);
  expect(offer?.buildInitiateObligationTransfer).toMatchObject({
    preview: { ownership: { ownerBefore: wallet, after: { newOwner: emptyWallet, state: 'INITIATED' } } },
  });
  expect(transfer?.obligation).toMatchObject({
    owner: { address: offeringWallet },
    ownershipTransfer: { newOwner, state: 'INITIATED', canAbort: true },
  });
  expect(abort?.buildAbortObligationTransfer).toMatchObject({
    preview: { ownership: { before: { newOwner }, after: null } },
  });
  expect(accept?.buildAcceptObligation).toMatchObject({
    transactions: [{}],
    preview: { ownership: { ownerBefore: offeringWallet, ownerAfter: newOwner } },
  });
});

interface Ended {
  readonly address: string;
  readonly borrows: readonly unknown[];
  readonly whatIf: { readonly liquidation: Readonly<Record<string, string>> | null };
}

it('the documents of the page on terms answer on the localnet', async () => {
  const {
    termWallet: wallet,
    termMarket: market,
    termReserve: reserve,
  } = app.embedded?.addresses ?? expect.fail('no localnet');
  const { klend } = MAINNET_PROGRAMS;
  const obligation = obligationAddress(klend, wallet, market, VANILLA_OBLIGATION).address;
  const place = { wallet, market, reserve };
  // One with few positions: liquidations of others need a lookup table.
  const { data } = await askApp<{ obligations: { nodes: Ended[] } }>(
    app,
    `{ obligations(scope: { market: "${market}" }, filter: { liquidatable: true }, first: 100) { nodes { address
      borrows { reserveAddress } whatIf { liquidation { reason repayReserveAddress withdrawReserveAddress } } } } }`,
  );
  const over = data.obligations.nodes.find(
    ({ borrows, whatIf }) => borrows.length === 1 && whatIf.liquidation?.reason === 'TERM',
  );
  const { repayReserveAddress: debt, withdrawReserveAddress: collateral } =
    over?.whatIf.liquidation ?? expect.fail('no debt has ended');
  const liquidator = app.embedded?.addresses.wallet;
  const [terms, borrow, ends, ended, liquidate, set, where, rollOver] = await documentsOf('terms.md', [
    { market },
    place,
    { obligation },
    { market },
    { wallet: liquidator, obligation: over?.address, debt, collateral },
    place,
    { obligation },
    { keeper: wallet, obligation, reserve, target: reserve },
  ]);
  expect(terms?.market).toMatchObject({
    reserves: expect.arrayContaining([
      expect.objectContaining({
        address: reserve,
        terms: expect.objectContaining({ kind: 'FIXED_TERM', rate: 'FIXED', liquidatedAfterTerm: true }),
      }),
    ]),
  });
  expect(borrow?.buildLendingBorrow).toMatchObject({
    preview: { debtTerm: { rate: 'FIXED', cause: 'TERM', endedAt: expect.stringMatching(/Z$/) } },
  });
  expect(ends?.obligation).toMatchObject({
    debtEnds: expect.arrayContaining([expect.objectContaining({ cause: 'TERM', rolloverFrom: null })]),
  });
  expect(ended?.market).toMatchObject({
    risk: { debtEnds: expect.arrayContaining([expect.objectContaining({ fromDays: null, toDays: 0 })]) },
  });
  expect(liquidate?.buildLiquidate).toMatchObject({ preview: { liquidation: { reason: 'TERM' } } });
  expect(set?.buildSetRolloverSettings).toMatchObject({
    transactions: [{}],
    preview: { rollover: { before: { enabled: false }, after: { enabled: true, maxBorrowRateBps: '900' } } },
  });
  // The owner of the example has not allowed it.
  expect(where?.obligation).toMatchObject({
    borrows: expect.arrayContaining([
      expect.objectContaining({
        reserve: { address: reserve },
        rolloverInto: expect.arrayContaining([
          expect.objectContaining({ amount: { amount: '0' }, obstacle: 'NOT_ALLOWED_BY_OWNER' }),
        ]),
      }),
    ]),
  });
  expect(rollOver?.buildRollOverBorrow).toMatchObject({
    transactions: [{}],
    preview: {
      fees: [],
      positions: [{ reserve }],
      warnings: expect.arrayContaining([
        expect.objectContaining({ level: 'ERROR', message: expect.stringContaining('6162') }),
      ]),
    },
  });
});

it('the documents of the page on referrals answer on the localnet', async () => {
  const { wallet, market, borrowReserve, emptyWallet, referrer } =
    app.embedded?.addresses ?? expect.fail('no localnet');
  const [setUp, name, earned, claim] = await documentsOf('referrals.md', [
    { wallet, market, reserves: [borrowReserve] },
    { wallet: emptyWallet, referrer: wallet },
    { wallet: referrer },
    { wallet: referrer },
  ]);
  expect(setUp?.buildSetUpReferrer).toMatchObject({
    preview: { referrer: { referrer: wallet, registers: false, reserves: [borrowReserve] } },
  });
  expect(name?.buildNameReferrer).toMatchObject({ transactions: [{}] });
  expect(earned?.wallet).toMatchObject({
    referralFees: expect.arrayContaining([{ ...FEES, reserve: { token: { symbol: 'USDC' } } }]),
  });
  expect(claim?.buildClaimReferralFees).toMatchObject({
    preview: { referralFees: expect.arrayContaining([expect.objectContaining({ reserve: borrowReserve })]) },
  });
});

it('the documents of the page on running a vault answer on the localnet', async () => {
  const page = readFileSync(new URL('../../docs/curators.md', import.meta.url), 'utf8');
  const documents = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)]
    .map(([, text = '']) => text)
    // Asked where there is a past.
    .filter((text) => !text.includes('backtest('));
  const { wallet, vault, vaultAdmin: admin, reserve } = app.embedded?.addresses ?? expect.fail('no localnet');
  const mint = app.embedded?.addresses.tokenMint;
  const values = { wallet, vault, admin, reserve, mint, newKey: app.embedded?.addresses.emptyWallet };
  const answers = await Promise.all(
    documents.map((text) =>
      askApp<Record<string, Record<string, unknown>>>(app, text, {
        variables: Object.fromEntries(Object.entries(values).filter(([name]) => text.includes(`$${name}:`))),
      }),
    ),
  );
  expect(answers.map(({ errors }) => errors)).toEqual([[], [], [], [], [], []]);
  const [created, whole, plan, targets, settings, fees] = answers;
  expect(created?.data.buildCreateVault).toMatchObject({
    transactions: [{ signers: [wallet, values.newKey] }],
    preview: { vault: { paid: { amount: '0.001' } } },
  });
  expect(whole?.data.buildPlan).toMatchObject({
    steps: [{ kind: 'CREATE_VAULT' }, { kind: 'SET_VAULT_CONFIG' }, { kind: 'SET_VAULT_ALLOCATION' }],
  });
  expect(targets?.data.vault).toMatchObject({
    plan: {
      moves: expect.arrayContaining([expect.objectContaining({ kind: 'SET_VAULT_ALLOCATION' })]),
      interestApy: { before: expect.any(String), after: expect.any(String) },
      build: { simulation: {} },
    },
  });
  // Every move is in a transaction, in order. How many there are depends on the hour: the vault of the localnet grows.
  const rebalance = targets?.data.vault?.plan as {
    readonly moves: readonly unknown[];
    readonly build: { readonly transactions: readonly { readonly steps: readonly number[] }[] };
  };
  expect(rebalance.build.transactions.flatMap(({ steps }) => steps)).toEqual([...rebalance.moves.keys()]);
  expect(plan?.data.buildPlan).toMatchObject({
    steps: [
      { kind: 'ACCEPT_VAULT_ADMIN' },
      { kind: 'SET_VAULT_ALLOCATION', preview: { vault: { allocations: expect.any(Array) } } },
      { kind: 'INVEST_VAULT' },
    ],
  });
  expect(settings?.data.buildSetVaultConfig).toMatchObject({
    preview: {
      vault: {
        settings: [
          { setting: 'PERFORMANCE_FEE_BPS', after: '1250' },
          { setting: 'DEPOSIT_CAP', after: '5000000' },
        ],
      },
    },
  });
  expect(fees?.data.buildWithdrawVaultFees).toMatchObject({ preview: { vault: { received: {} } } });
});

const SOME = expect.stringMatching(/^[\d.]+$/);
const FEES = {
  unclaimed: { amount: SOME, usd: SOME },
  claimable: { amount: SOME },
  earned: { amount: SOME },
};

/** Answers of the documents of a page, in their order. None may have errors. */
async function documentsOf(page: string, variables: readonly Readonly<Record<string, unknown>>[]) {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const documents = [...text.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, document = '']) => document);
  expect(documents).toHaveLength(variables.length);
  const answers = await Promise.all(
    documents.map((document, i) =>
      askApp<Record<string, Record<string, unknown>>>(app, document, { variables: variables[i] ?? {} }),
    ),
  );
  expect(answers.map(({ errors }) => errors)).toEqual(variables.map(() => []));
  return answers.map(({ data }) => data);
}

it('the documents of the page on loans above their limit answer on the localnet', async () => {
  const page = readFileSync(new URL('../../docs/above-the-limit.md', import.meta.url), 'utf8');
  const documents = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const { wallet, market, obligation, borrowReserve, depositReserve } =
    app.embedded?.addresses ?? expect.fail('no localnet');
  const shared = { debt: borrowReserve, collateral: depositReserve };
  const answers = await Promise.all(
    documents.map((text) =>
      askApp<Record<string, Record<string, unknown>>>(app, text, {
        variables: text.includes('$wallet') ? { ...shared, wallet, market } : { ...shared, loan: obligation },
      }),
    ),
  );
  expect(answers.map(({ errors }) => errors)).toEqual([[], []]);
  expect(answers[0]?.data.obligation).toMatchObject({ toReachWithCollateral: expect.any(Object) });
  expect(answers[1]?.data.buildRepayAndWithdraw).toMatchObject({
    preview: {
      positions: [{ side: 'DEBT' }, { side: 'DEPOSIT' }],
      walletChanges: [{ token: { symbol: 'USDC' } }, { token: { symbol: 'SOL' } }],
    },
  });
});

it('the transaction that the examples explain unstakes ten shares of the wallet', async () => {
  const { query } = readExamples().find(({ name }) => name === 'explain') ?? expect.fail('no example');
  interface Explained {
    readonly instructions: readonly { readonly summary: string }[];
    readonly effects: {
      readonly vaultPositions: readonly { readonly stakedShares: Change; readonly unstakedShares: Change }[];
    };
    readonly warnings: readonly unknown[];
  }
  const { transaction } = values();
  const { data } = await askApp<{ explainTransaction: Explained }>(app, query, {
    variables: { transaction },
  });
  const { instructions, effects, warnings } = data.explainTransaction;
  expect(instructions[0]?.summary).toMatch(/^Unstake 10 \S+ from farm of /);
  expect(warnings).toEqual([]);
  const [position, ...others] = effects.vaultPositions;
  expect(others).toEqual([]);
  const difference = ({ before, after }: Change) =>
    toDecimalString(parseDecimal(after).sub(parseDecimal(before)));
  expect(position && difference(position.stakedShares)).toBe('-10');
  expect(position && difference(position.unstakedShares)).toBe('10');
});

interface Change {
  readonly before: string;
  readonly after: string;
}

describe('the queries about a deposit', () => {
  const ask = async <T>(name: string) => {
    const example = readExamples().find((each) => each.name === name);
    if (example === undefined) throw new Error(`there is no example ${name}`);
    return (await askApp<T>(app, example.query, { variables: exampleVariables(example, values()) })).data;
  };

  it('preview and build show the ten tokens', async () => {
    const { preview } = await ask<{ preview: { tokens: Change } }>('preview');
    const { buildVaultDeposit: plan } = await ask<{
      buildVaultDeposit: {
        transactions: { base64: string; sizeBytes: number }[];
        preview: { tokens: Change };
      };
    }>('build');
    for (const { before, after } of [preview.tokens, plan.preview.tokens]) {
      // The deposit makes the vault charge its fees, which lowers the value of the shares held before.
      expect(Number(after) - Number(before)).toBeGreaterThan(9.9);
      expect(Number(after) - Number(before)).toBeLessThanOrEqual(10);
    }
    expect(plan.transactions.map(({ base64 }) => Buffer.from(base64, 'base64').length)).toEqual(
      plan.transactions.map(({ sizeBytes }) => sizeBytes),
    );
    expect(plan.transactions).toHaveLength(1);
  });
});

describe('the mutation that sends', () => {
  const { query } = readExamples().find(({ name }) => name === 'send') ?? { query: '' };
  const send = async (text: string) => {
    const { data, errors } = await askApp<{ sendTransaction: object }>(app, text);
    expect(errors).toEqual([]);
    return data.sendTransaction;
  };

  it('says what is wrong with its placeholder', async () => {
    expect(await send(query)).toEqual({ code: expect.any(String), message: expect.stringMatching(/./) });
  });

  it('sends what the build returns, once the localnet wallet has signed it', async () => {
    const build = readExamples().find(({ name }) => name === 'build') ?? expect.fail('no example');
    const { data } = await askApp<{ buildVaultDeposit: { transactions: { base64: string }[] } }>(
      app,
      build.query,
      { variables: exampleVariables(build, values()) },
    );
    const [unsigned] = data.buildVaultDeposit.transactions;
    const signer = await createKeyPairSignerFromBytes(app.embedded?.secretKey ?? expect.fail('no chain'));
    const signed = await signWithKey(decodeTransaction(unsigned?.base64 ?? ''), signer);
    const sent = await send(query.replace('AA==', signed));
    expect(sent).toMatchObject({ status: expect.stringMatching(/^(CONFIRMED|FINALIZED)$/), error: null });
  });
});

describe('the wallet query', () => {
  it('takes two RPC rounds for a wallet, its positions, its loans and its rewards', async () => {
    const example = readExamples().find(({ name }) => name === 'wallet');
    rpc().requests.reset();
    const answer = await askApp<{
      wallet: { vaultPositions: { nodes: unknown[] }; obligations: { nodes: unknown[] } };
    }>(app, example?.query ?? '', { variables: values() });
    expect(answer.data.wallet.vaultPositions.nodes.length).toBeGreaterThanOrEqual(2);
    expect(answer.data.wallet.obligations.nodes.length).toBeGreaterThanOrEqual(1);
    // Token accounts of two programs, scans for obligations, withdraw tickets and stakes; then stakes of obligations.
    expect(rpc().requests.calls('getTokenAccountsByOwner')).toBe(2);
    expect(rpc().requests.calls('getProgramAccounts')).toBe(3);
    expect(rpc().requests.calls('getMultipleAccounts')).toBeLessThanOrEqual(2);
  });

  it('returns no positions and no errors for an unused wallet', async () => {
    const query = `query ($wallet: Address!) { wallet(address: $wallet) {
      netValue { usd sol } vaultPositions { totalCount nodes { totalShares } } obligations { totalCount } balances { amount } claimableRewards { amount }
    } }`;
    const answer = await askApp(app, query, { variables: { wallet: values().emptyWallet } });
    expect(answer.errors).toEqual([]);
    expect(answer.data).toEqual({
      wallet: {
        netValue: { usd: '0', sol: '0' },
        vaultPositions: { totalCount: 0, nodes: [] },
        obligations: { totalCount: 0 },
        balances: [],
        claimableRewards: [],
      },
    });
  });
});

import { readFileSync } from 'node:fs';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { startEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';

let app: App;
beforeAll(async () => {
  ({ app } = await startEmbeddedApp());
});
afterAll(() => app?.stop());

/** The GraphQL documents of a page, in its order. */
function queriesOf(page: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, document = '']) => document);
}

it('the documents of the page on exits answer on the localnet', async () => {
  const documents = queriesOf('exits.md');
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
  const documents = queriesOf('orders.md');
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
  // A backtest is asked where there is a past.
  const documents = queriesOf('curators.md').filter((text) => !text.includes('backtest('));
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
  const documents = queriesOf(page);
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
  const documents = queriesOf('above-the-limit.md');
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

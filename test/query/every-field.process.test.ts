import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cast, castOf } from '../../bench/abuse/cast.ts';
import type { SchemaField } from '../../bench/abuse/schema-fields.ts';
import { decodeTransaction, signWithKey } from '../../docs/signing/with-kit.ts';
import { View } from '../../src/chain/view/view.ts';
import { WorkBudget, type WorkKind } from '../../src/node/work-budget.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { Explainer } from '../support/explain/explainer.ts';
import { EventStream } from '../support/http/event-stream.ts';
import {
  CHEAP_FIELDS,
  COSTLY_FIELDS,
  type FieldWorld,
  selecting,
  without,
} from '../support/limits/field-documents.ts';

/**
 * Executes every field of the schema and compares what it takes with what it draws from the account of its request.
 * Nothing here lists fields that pass.
 */

/** Fields whose cost only covers the size or the number of their values. */
const SIZE_ONLY = [
  'ChainStatus.epochs',
  'LookupTable.addresses',
  'Obligation.accountData',
  'Query.lookupTables',
  'Reserve.accountData',
];
/** They need a key, or a campaign, which the world does not have. Their statements are drawn like all others. */
const OUT_OF_REACH = [
  'Alert.deliveries',
  'Market.transactions',
  'Market.withdrawQueueTransactions',
  'Mutation.createAlert',
  'Mutation.deleteAlert',
  'Mutation.retryDelivery',
  'Mutation.testAlert',
  'Mutation.updateAlert',
  'Query.alerts',
  'Query.vaultTransactions',
  'Wallet.lendingRewards',
  'Wallet.vaultRewards',
  'WalletLendingReward.earned',
];
const EXCEPTIONS = [...SIZE_ONLY, ...OUT_OF_REACH];
/** Documents that are tried for a field, each with other accounts and arguments. */
const ATTEMPTS = { costly: 24, cheap: 8 };
/** Of a field under different names. What they look up is not hidden by what is looked up once. */
const COPIES = 22;
/** A bound on a request that hangs. */
const ANSWER_MS = 120_000;
const SIZES = { page: 20, list: 20, points: 20 };
/** Lookups in the View that a unit of work may make: a step of a scenario is 32 prices, of one or two lookups each. */
const LOOKUPS_PER_UNIT = 64;
/** Lookups of what is computed once per View. */
const LOOKUPS_PER_VIEW = 250;

let acting: ActingApp;
let world: FieldWorld;
let queued: FieldWorld;
/** Documents for arguments that cannot be generated. */
function givenFor(field: string): string | undefined {
  if (field === 'Subscription.transaction')
    return `subscription { transaction(signature: "${'1'.repeat(64)}") { status } }`;
  const { vault, vaultAdmin } = acting.localnet.addresses;
  const moves = '... on TransactionPlan { steps { kind } }';
  if (field === 'VaultRebalance.build')
    return `{ vault(address: "${vault}") { plan(targets: []) { ... on VaultRebalance { build { ${moves} } } } } }`;
  if (field === 'Mutation.buildVaultRebalance')
    return `mutation { buildVaultRebalance(input: { wallet: "${vaultAdmin}", vault: "${vault}", targets: [] }) { ${moves} } }`;
  if (field === 'Vault.backtest') {
    // Only reserves of the token of the vault have weights.
    const { reserve } = acting.localnet.addresses;
    return `{ vault(address: "${vault}") { backtest(weights: [{ reserve: "${reserve}", weight: "1" }], last: D365) { from } } }`;
  }
  if (field !== 'Mutation.buildNameReferrer') return undefined;
  // Only a wallet that is not registered yet names a referrer.
  const { emptyWallet, wallet } = acting.localnet.addresses;
  const input = `{ wallet: "${emptyWallet}", referrer: "${wallet}" }`;
  return `mutation { buildNameReferrer(input: ${input}) { ... on TransactionPlan { transactions { base64 } } } }`;
}

/** Drawn for callers, by kind. */
const drawn = { objects: 0, steps: 0, accounts: 0, rows: 0, calls: 0 } satisfies Record<WorkKind, number>;
let lookups = 0;
let restore = () => {};

beforeAll(async () => {
  acting = await startActingApp({ recorder: true, privateCredit: true });
  const { tokenMint, vault } = acting.localnet.addresses;
  const wallet = await acting.newWallet({ [tokenMint]: 1_000_000_000n });
  const explainer = new Explainer(acting, wallet);
  const transaction = await explainer.build('buildVaultDeposit', 'VaultDepositInput', {
    vault,
    amount: { tokens: '12.5' },
  });
  const signed = await signWithKey(decodeTransaction(transaction), wallet);
  const cast = castOf(acting.localnet.chain.world);
  world = { cast, transaction: signed };
  queued = { cast: withTickets(cast), transaction: signed };
  count();
}, 300_000);
afterAll(async () => {
  restore();
  await acting?.stop();
});

/** The same, of members with withdraw tickets in a queue. */
function withTickets({ members, ...cast }: Cast): Cast {
  const { queuedWallet: wallet, queuedReserve: reserve } = acting.localnet.addresses;
  return { ...cast, members: members.map((each) => ({ ...each, wallet, reserve })) };
}

/** Counts without spies, which would keep the arguments of millions of calls. */
function count(): void {
  const { record } = WorkBudget.prototype;
  WorkBudget.prototype.record = function (kind, amount) {
    // Work of the gateway itself has no caller.
    if (this.caller !== '') drawn[kind] += amount;
    record.call(this, kind, amount);
  };
  const { get, find } = View.prototype;
  View.prototype.get = function (kind, address) {
    lookups += 1;
    return get.call(this, kind, address) as never;
  };
  View.prototype.find = function (kind, address) {
    lookups += 1;
    return find.call(this, kind, address) as never;
  };
  restore = () => {
    Object.assign(WorkBudget.prototype, { record });
    Object.assign(View.prototype, { get, find });
  };
}

type Ran = Awaited<ReturnType<typeof run>>;

async function run(document: string) {
  const [before, earlier] = [{ ...drawn }, lookups];
  const answer = document.startsWith('subscription')
    ? firstEvent(document)
    : acting.gateway.query(document).then(() => undefined);
  await Promise.race([answer, unanswered(document)]);
  const since = (kind: WorkKind) => drawn[kind] - before[kind];
  const own = since('steps') + since('rows') + since('calls');
  return { own, units: own + since('objects'), lookups: lookups - earlier };
}

/** Fails with the document: the time limit of the test would not name it. */
async function unanswered(document: string): Promise<never> {
  await setTimeout(ANSWER_MS, undefined, { ref: false });
  throw new Error(`no answer to ${document}`);
}

async function firstEvent(query: string): Promise<void> {
  const stream = await EventStream.openInProcess(acting.gateway.app, query);
  await stream.next();
  stream.close();
}

/** Whether a document draws steps, rows or calls for the field itself: more than without it. */
async function drawsForItself(field: SchemaField): Promise<boolean> {
  const document = givenFor(field.name);
  if (document !== undefined) return (await run(document)).own > 0;
  for (const named of [world, queued]) {
    for (let attempt = 0; attempt < ATTEMPTS.costly; attempt += 1) {
      const generated = selecting(field, named, attempt, { page: 5, points: 20 });
      const whole = await run(generated);
      if (whole.own > (await run(without(generated))).own) return true;
    }
  }
  return false;
}

/** Time stands still, so a View is read because a request asks for a later slot. */
async function newView(): Promise<void> {
  const slot = await acting.call('localnet_advanceTime', [1]);
  await acting.gateway.query('{ __typename chain { slot } }', { headers: { 'x-min-slot': String(slot) } });
}

describe('a field with a cost of its own', () => {
  it('draws work for itself, unless its cost is that of its size', async () => {
    const costly = COSTLY_FIELDS.filter(({ name }) => !EXCEPTIONS.includes(name));
    expect(costly).toHaveLength(COSTLY_FIELDS.length - EXCEPTIONS.length);
    const silent: string[] = [];
    for (const field of costly) {
      if (await drawsForItself(field)) continue;
      // What is computed once per View may have been computed for the document without the field.
      await newView();
      if (!(await drawsForItself(field))) silent.push(field.name);
    }
    expect(silent).toEqual([]);
  }, 600_000);
});

describe('any other field', () => {
  it('looks up no more in the View than it draws', async () => {
    const excessive: string[] = [];
    let reached = 0;
    for (const field of CHEAP_FIELDS) {
      for (let attempt = 0, units = 0; attempt < ATTEMPTS.cheap && units <= COPIES; attempt += 1) {
        const again = () => run(selecting(field, world, attempt, { ...SIZES, fieldCopies: COPIES }));
        const isExcessive = ({ lookups, units }: Ran) =>
          lookups > LOOKUPS_PER_UNIT * units + LOOKUPS_PER_VIEW;
        let whole = await again();
        // Much is computed once per View, and a View may have come.
        if (isExcessive(whole)) whole = await again();
        units = whole.units;
        if (units > COPIES) reached += 1;
        if (isExcessive(whole)) excessive.push(`${field.name}: ${whole.lookups} lookups for ${units} units`);
      }
    }
    expect(excessive).toEqual([]);
    // The others need what the world does not have, such as a transaction with an error.
    expect(reached).toBeGreaterThan(CHEAP_FIELDS.length / 2);
  }, 1_200_000);
});

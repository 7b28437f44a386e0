import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { castOf } from '../../bench/abuse/cast.ts';
import type { SchemaField } from '../../bench/abuse/schema-fields.ts';
import { decodeTransaction, signWithKey } from '../../docs/signing/with-kit.ts';
import { View } from '../../src/chain/view/view.ts';
import { WorkBudget, type WorkKind } from '../../src/node/work-budget.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { Explainer } from '../support/explain/explainer.ts';
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
  'Mutation.createAlert',
  'Mutation.deleteAlert',
  'Mutation.retryDelivery',
  'Mutation.testAlert',
  'Mutation.updateAlert',
  'Query.alerts',
  'Wallet.lendingRewards',
  'WalletLendingReward.earned',
];
const EXCEPTIONS = [...SIZE_ONLY, ...OUT_OF_REACH];
/** Documents that are tried for a field, each with other accounts and arguments. */
const ATTEMPTS = { costly: 24, cheap: 8 };
/** Of a field under different names. What they look up is not hidden by what is looked up once. */
const COPIES = 22;
const SIZES = { page: 20, list: 20, points: 20 };
/** Lookups in the View that a unit of work may make: a step of a scenario is 32 prices, of one or two lookups each. */
const LOOKUPS_PER_UNIT = 64;
/** Lookups of what is computed once per View. */
const LOOKUPS_PER_VIEW = 250;

let acting: ActingApp;
let world: FieldWorld;
/** For arguments that cannot be generated. */
const GIVEN: Readonly<Record<string, string>> = {
  'Subscription.transaction': `subscription { transaction(signature: "${'1'.repeat(64)}") { status } }`,
};
/** Drawn for callers, by kind. */
const drawn = { objects: 0, steps: 0, accounts: 0, rows: 0, calls: 0 } satisfies Record<WorkKind, number>;
let lookups = 0;

beforeAll(async () => {
  acting = await startActingApp({ recorder: true });
  const { tokenMint, vault } = acting.localnet.addresses;
  const wallet = await acting.newWallet({ [tokenMint]: 1_000_000_000n });
  const explainer = new Explainer(acting, wallet);
  const transaction = await explainer.build('buildVaultDeposit', 'VaultDepositInput', {
    vault,
    amount: { tokens: '12.5' },
  });
  const signed = await signWithKey(decodeTransaction(transaction), wallet);
  world = { cast: castOf(acting.localnet.chain.world), transaction: signed };
  count();
}, 300_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await acting?.stop();
});

function count(): void {
  const { record } = WorkBudget.prototype;
  vi.spyOn(WorkBudget.prototype, 'record').mockImplementation(function (this: WorkBudget, kind, amount) {
    // Work of the gateway itself has no caller.
    if (this.caller !== '') drawn[kind] += amount;
    record.call(this, kind, amount);
  });
  const { get, find } = View.prototype;
  vi.spyOn(View.prototype, 'get').mockImplementation(function (this: View, kind, address) {
    lookups += 1;
    return get.call(this, kind, address) as never;
  });
  vi.spyOn(View.prototype, 'find').mockImplementation(function (this: View, kind, address) {
    lookups += 1;
    return find.call(this, kind, address) as never;
  });
}

type Ran = Awaited<ReturnType<typeof run>>;

async function run(document: string) {
  const [before, earlier] = [{ ...drawn }, lookups];
  if (document.startsWith('subscription')) await firstEvent(document);
  else await acting.gateway.query(document);
  const since = (kind: WorkKind) => drawn[kind] - before[kind];
  const own = since('steps') + since('rows') + since('calls');
  return { own, units: own + since('objects'), lookups: lookups - earlier };
}

async function firstEvent(query: string): Promise<void> {
  const response = await acting.gateway.app.fetch(
    new Request('http://sluice.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query }),
    }),
  );
  const reader = response.body?.getReader();
  for (let text = ''; reader && !text.includes('data:'); ) {
    const { done, value } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  await reader?.cancel();
}

/** Whether a document draws steps, rows or calls for the field itself: more than without it. */
async function drawsForItself(field: SchemaField): Promise<boolean> {
  const document = GIVEN[field.name];
  if (document !== undefined) return (await run(document)).own > 0;
  for (let attempt = 0; attempt < ATTEMPTS.costly; attempt += 1) {
    const generated = selecting(field, world, attempt, { page: 5, points: 20 });
    const whole = await run(generated);
    if (whole.own > (await run(without(generated))).own) return true;
  }
  return false;
}

describe('a field with a cost of its own', () => {
  it('draws work for itself, unless its cost is that of its size', async () => {
    const costly = COSTLY_FIELDS.filter(({ name }) => !EXCEPTIONS.includes(name));
    expect(costly).toHaveLength(COSTLY_FIELDS.length - EXCEPTIONS.length);
    const silent: string[] = [];
    for (const field of costly) {
      if (await drawsForItself(field)) continue;
      // What is computed once per View may have been computed for the document without the field.
      await acting.gateway.view();
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

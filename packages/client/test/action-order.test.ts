import { readFileSync } from 'node:fs';
import { assertInputObjectType, buildSchema } from 'graphql';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type Action,
  buildAction,
  createClient,
  previewPlan,
  runAction,
  runPlan,
  runVaultExit,
  runVaultRebalance,
  type TransactionSigner,
} from '../src/index.ts';
import { json, type Reply, type ScriptedGateway, startScriptedGateway } from './support/scripted-gateway.ts';

/** The fields of `BuildAction` with their types. */
const BUILD_ACTIONS = Object.entries(
  assertInputObjectType(
    buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8')).getType(
      'BuildAction',
    ),
  ).getFields(),
).map(([name, { type }]) => [name, String(type)] as const);

const ACTION: Action = { vaultDeposit: { wallet: 'Me', vault: 'Vault', amount: { tokens: '1' } } };

let gateway: ScriptedGateway;
/** Events in order. */
let happened: string[];

beforeAll(async () => {
  gateway = await startScriptedGateway();
});
beforeEach(() => {
  happened = [];
});
afterAll(() => gateway?.close());

const noted = (note: string, reply: Reply): Reply => {
  return (response) => {
    happened.push(note);
    reply(response);
  };
};
/** The last transaction has the action, those before it are its set-up. */
const plan = (...transactions: readonly string[]): Reply =>
  steps(
    ...transactions.map((base64, index) => ({
      base64,
      steps: [0],
      setupOnly: index < transactions.length - 1,
    })),
  );
const steps = (
  ...transactions: readonly {
    readonly base64: string;
    readonly steps: readonly number[];
    readonly setupOnly: boolean;
  }[]
): Reply =>
  noted(
    'build',
    json(200, {
      data: {
        built: {
          __typename: 'TransactionPlan',
          transactions: transactions.map((each) => ({ lastValidBlockHeight: '9', ...each })),
        },
      },
    }),
  );
const sent = (signature: string, status: string, slot: string | null = null): Reply =>
  noted(
    `${signature} ${status}`,
    json(200, {
      data: {
        sendTransaction: { __typename: 'SentTransaction', signature, status, slot, error: null, logs: [] },
      },
    }),
  );
const signer: TransactionSigner = {
  address: 'Me',
  async signTransactions(transactions) {
    happened.push(`sign ${transactions.join()}`);
    return transactions.map((transaction) => `signed ${transaction}`);
  },
};
const run = () => runAction(createClient({ url: gateway.url }), ACTION, signer);

it('confirms the set-up before the wallet is asked to sign the rest', async () => {
  gateway.reply(
    plan('first', 'second'),
    sent('one', 'PENDING'),
    sent('one', 'CONFIRMED', '10'),
    sent('two', 'FINALIZED', '12'),
  );
  expect(await run()).toEqual({ signatures: ['one', 'two'], slot: '12' });
  expect(happened).toEqual([
    'build',
    'sign first',
    'one PENDING',
    'one CONFIRMED',
    'sign second',
    'two FINALIZED',
  ]);
  const bodies = gateway.requests.slice(1).map(({ body }) => JSON.parse(body).variables.input);
  expect(bodies.map(({ transaction }) => transaction)).toEqual([
    'signed first',
    'signed first',
    'signed second',
  ]);
  expect(bodies[0]).toMatchObject({ lastValidBlockHeight: '9', wait: 'CONFIRMED' });
});

it('builds what is left again when the second expires, from a state that has the first', async () => {
  gateway.reply(
    plan('first', 'second'),
    sent('one', 'CONFIRMED', '10'),
    sent('two', 'EXPIRED'),
    plan('third'),
    sent('three', 'CONFIRMED', '20'),
  );
  expect(await run()).toEqual({ signatures: ['one', 'three'], slot: '20' });
  expect(happened.filter((each) => each === 'build')).toHaveLength(2);
  expect(gateway.requests.map(({ headers }) => headers['x-min-slot'])).toEqual([
    undefined,
    undefined,
    undefined,
    '10',
    '10',
  ]);
});

it('throws the program error of a transaction that failed in a block', async () => {
  const error = {
    programAddress: 'Lend',
    code: 6001,
    name: 'MathOverflow',
    message: 'The maths overflowed.',
  };
  const failed = {
    __typename: 'SentTransaction',
    signature: 'one',
    status: 'FAILED',
    slot: '10',
    error,
    logs: ['x'],
  };
  gateway.reply(plan('first'), json(200, { data: { sendTransaction: failed } }));
  await expect(run()).rejects.toMatchObject({
    code: 'TRANSACTION_FAILED',
    message: 'The maths overflowed.',
    context: {
      name: 'MathOverflow',
      programCode: 6001,
      programAddress: 'Lend',
      signature: 'one',
      slot: '10',
      logs: ['x'],
    },
  });
});

it('builds only the steps of a plan that are not confirmed again when one expires', async () => {
  const action = (tokens: string): Action => ({
    vaultDeposit: { wallet: 'Me', vault: 'Vault', amount: { tokens } },
  });
  gateway.reply(
    steps(
      { base64: 'first', steps: [0, 1], setupOnly: false },
      { base64: 'prepare', steps: [2], setupOnly: true },
      { base64: 'second', steps: [2], setupOnly: false },
    ),
    sent('one', 'CONFIRMED', '10'),
    sent('two', 'CONFIRMED', '11'),
    sent('three', 'EXPIRED'),
    plan('third'),
    sent('four', 'CONFIRMED', '20'),
  );
  const client = createClient({ url: gateway.url });
  expect(await runPlan(client, [action('1'), action('2'), action('3')], signer)).toEqual({
    signatures: ['one', 'two', 'four'],
    slot: '20',
  });
  const built = gateway.requests.flatMap(({ body }) => JSON.parse(body).variables.actions ?? []);
  expect(built).toEqual([action('1'), action('2'), action('3'), action('3')]);
});

it('builds a divided claim again for what is left when a part of it expires', async () => {
  const claim: Action = { claimRewards: { wallet: 'Me' } };
  gateway.reply(
    steps(
      { base64: 'first', steps: [0], setupOnly: false },
      { base64: 'second', steps: [0, 1], setupOnly: false },
    ),
    sent('one', 'CONFIRMED', '10'),
    sent('two', 'EXPIRED'),
    steps({ base64: 'third', steps: [0, 1], setupOnly: false }),
    sent('three', 'CONFIRMED', '20'),
  );
  const client = createClient({ url: gateway.url });
  expect(await runPlan(client, [claim, ACTION], signer)).toEqual({
    signatures: ['one', 'three'],
    slot: '20',
  });
  const built = gateway.requests.flatMap(({ body }) => JSON.parse(body).variables.actions ?? []);
  expect(built).toEqual([claim, ACTION, claim, ACTION]);
});

it('runs the transactions of a vault exit in order', async () => {
  const exit = { wallet: 'Me', vault: 'Vault', amount: { all: 'ALL' } } as const;
  gateway.reply(
    steps(
      { base64: 'withdrawal', steps: [0], setupOnly: false },
      { base64: 'ticket', steps: [1, 2], setupOnly: false },
    ),
    sent('one', 'CONFIRMED', '10'),
    sent('two', 'CONFIRMED', '11'),
  );
  const client = createClient({ url: gateway.url });
  expect(await runVaultExit(client, exit, signer)).toEqual({ signatures: ['one', 'two'], slot: '11' });
  expect(JSON.parse(gateway.requests[0]?.body ?? '').variables.input).toEqual(exit);
});

it('runs the transactions of a rebalance in order', async () => {
  const rebalance = { wallet: 'Me', vault: 'Vault', targets: [{ reserve: 'Reserve', weight: '300' }] };
  gateway.reply(
    steps(
      { base64: 'terms', steps: [0, 1], setupOnly: false },
      { base64: 'moves', steps: [2], setupOnly: false },
    ),
    sent('one', 'CONFIRMED', '10'),
    sent('two', 'CONFIRMED', '11'),
  );
  const client = createClient({ url: gateway.url });
  expect(await runVaultRebalance(client, rebalance, signer)).toEqual({
    signatures: ['one', 'two'],
    slot: '11',
  });
  expect(JSON.parse(gateway.requests[0]?.body ?? '').variables.input).toEqual(rebalance);
});

it('does not build an exit again after a part of it was paid', async () => {
  gateway.reply(
    steps(
      { base64: 'withdrawal', steps: [0], setupOnly: false },
      { base64: 'ticket', steps: [1, 2], setupOnly: false },
    ),
    sent('one', 'CONFIRMED', '10'),
    sent('two', 'EXPIRED'),
  );
  const client = createClient({ url: gateway.url });
  const exit = { wallet: 'Me', vault: 'Vault', amount: { shares: '5' } };
  await expect(runVaultExit(client, exit, signer)).rejects.toMatchObject({ code: 'TRANSACTION_EXPIRED' });
  await expect(runVaultExit(client, { ...exit, wallet: 'Other' }, signer)).rejects.toMatchObject({
    code: 'SIGNER_MISMATCH',
  });
  expect(gateway.requests).toHaveLength(3);
});

it('says which step of a plan cannot work', async () => {
  gateway.reply(
    json(200, {
      data: {
        built: {
          __typename: 'BuildRefused',
          code: 'BUILD_REFUSED',
          message: 'There is no such debt.',
          step: 1,
        },
      },
    }),
  );
  const client = createClient({ url: gateway.url });
  const refused = { code: 'BUILD_REFUSED', message: 'There is no such debt.', context: { step: 1 } };
  await expect(previewPlan(client, [ACTION, ACTION])).rejects.toMatchObject(refused);
  await expect(runPlan(client, [ACTION, ACTION], signer)).rejects.toMatchObject(refused);
  expect(happened).toEqual([]);
});

it.each(BUILD_ACTIONS)('calls the mutation of %s', async (action, input) => {
  gateway.reply(plan('only'));
  const given = { wallet: 'Me' };
  await buildAction(createClient({ url: gateway.url }), { [action]: given } as unknown as Action);
  const { query, variables } = JSON.parse(gateway.requests[0]?.body ?? '{}');
  expect(query).toContain(`: ${input}!`);
  expect(query).toContain(`built: build${action.charAt(0).toUpperCase()}${action.slice(1)}(input: $input)`);
  expect(variables.input).toEqual(given);
});

it('refuses an action without a field', async () => {
  const client = createClient({ url: gateway.url });
  await expect(buildAction(client, {} as unknown as Action)).rejects.toThrow(TypeError);
});

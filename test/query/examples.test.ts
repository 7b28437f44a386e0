import { readFileSync } from 'node:fs';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
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

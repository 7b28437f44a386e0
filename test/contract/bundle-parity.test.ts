import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';
import { BUILDER_ROWS } from '../support/operations/builders.ts';
import type { BuilderTwin } from '../support/operations/operation-row.ts';

let localChain: UnchangedChain;
let gateway: TestApp;

beforeAll(async () => {
  localChain = unchangedChain();
  gateway = await testApp({ chain: localChain, frozen: true });
});
afterAll(async () => {
  await gateway?.stop();
});

interface Bundle {
  readonly instructions: readonly {
    readonly programAddress: string;
    readonly data: string;
    readonly accounts: readonly {
      readonly address: string;
      readonly role: string;
      readonly signer?: unknown;
    }[];
  }[];
  readonly lutsByAddress: Readonly<Record<string, readonly string[]>>;
}

const BUNDLE =
  '... on TransactionPlan { steps { kind } bundle { instructions { programAddress data accounts { address role signer { address } } } lutsByAddress } }';

/** The graph's bundle as REST writes it: a signer that is null there is an absent key here. */
function restShape({ instructions, lutsByAddress }: Bundle): Bundle {
  return {
    instructions: instructions.map(({ accounts, ...rest }) => ({
      ...rest,
      accounts: accounts.map(({ signer, ...account }) =>
        signer === null ? account : { ...account, signer },
      ),
    })),
    lutsByAddress,
  };
}

async function restBundle(path: string, body: object): Promise<unknown> {
  const response = await gateway.app.fetch(
    new Request(`http://sluice.test${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  const answer: unknown = await response.json();
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return answer;
}

async function graphBuild({ mutation, inputType }: BuilderTwin, input: object) {
  const answer = await gateway.query<{ result: { steps: { kind: string }[]; bundle: Bundle } }>(
    `mutation ($input: ${inputType}!) { result: ${mutation}(input: $input) { ${BUNDLE} } }`,
    { variables: { input } },
  );
  expect(answer.errors).toEqual([]);
  const { steps, bundle } = answer.data.result;
  return { kinds: steps.map(({ kind }) => kind), bundle: restShape(bundle) };
}

/** `buildVaultDeposit` builds a VAULT_DEPOSIT. */
const kindOf = (mutation: string) =>
  mutation
    .replace('build', '')
    .replaceAll(/(?<=[a-z])[A-Z]/g, '_$&')
    .toUpperCase();

describe('a bundle', () => {
  it.each(
    BUILDER_ROWS.filter(({ path }) => path.endsWith('-instructions')).map((row) => [row.path, row] as const),
  )('of %s is the same in REST and GraphQL', async (path, { builder = expect.fail('no mutation') }) => {
    for (const { body, input } of builder.inputs(localChain.addresses)) {
      const { kinds, bundle } = await graphBuild(builder, input);
      expect(await restBundle(path, body)).toEqual(bundle);
      expect(kinds).toEqual([kindOf(builder.mutation)]);
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';
import { BORROW_ORDER_BUILDER_ROWS } from '../support/operations/borrow-order-builders.ts';
import { BUILDER_ROWS } from '../support/operations/builders.ts';
import { CURATOR_BUILDER_ROWS } from '../support/operations/curator-builders.ts';
import type { BuilderTwin } from '../support/operations/operation-row.ts';
import { ORDER_BUILDER_ROWS } from '../support/operations/order-builders.ts';
import { OWNERSHIP_BUILDER_ROWS } from '../support/operations/ownership-builders.ts';
import { POSITION_SWAP_BUILDER_ROWS } from '../support/operations/position-swap-builders.ts';
import { QUEUE_BUILDER_ROWS } from '../support/operations/queue-builders.ts';
import { REFERRAL_BUILDER_ROWS } from '../support/operations/referral-builders.ts';
import { ROLLOVER_BUILDER_ROWS } from '../support/operations/rollover-builders.ts';

const ROWS = [
  ...BUILDER_ROWS,
  ...ORDER_BUILDER_ROWS,
  ...BORROW_ORDER_BUILDER_ROWS,
  ...OWNERSHIP_BUILDER_ROWS,
  ...ROLLOVER_BUILDER_ROWS,
  ...REFERRAL_BUILDER_ROWS,
  ...POSITION_SWAP_BUILDER_ROWS,
  ...QUEUE_BUILDER_ROWS,
  ...CURATOR_BUILDER_ROWS,
];

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

async function post(path: string, body: object) {
  const response = await gateway.app.fetch(
    new Request(`http://sluice.test${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  const answer: unknown = await response.json();
  return { status: response.status, answer };
}

async function restBundle(path: string, body: object): Promise<unknown> {
  const { status, answer } = await post(path, body);
  expect([status, answer]).toEqual([200, expect.anything()]);
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
  it.each(ROWS.filter(({ path }) => path.endsWith('-instructions')).map((row) => [row.path, row] as const))(
    'of %s is the same in REST and GraphQL',
    async (path, { builder = expect.fail('no mutation') }) => {
      for (const { body, input } of builder.inputs(localChain.addresses)) {
        const { kinds, bundle } = await graphBuild(builder, input);
        expect(await restBundle(path, body)).toEqual(bundle);
        expect(kinds).toEqual([kindOf(builder.mutation)]);
      }
    },
  );
});

describe('a minimum of shares', () => {
  const others = ROWS.filter(({ path }) => !path.startsWith('/ktx/kvault/deposit'));
  const cases = others.flatMap((row) =>
    [{ minSharesOut: '1' }, { slippageBps: 50 }].map((options) => ({ ...row, options })),
  );

  it.each(cases)('$options is refused by $path in REST and GraphQL', async ({ path, builder, options }) => {
    const { mutation, inputType, inputs } = builder ?? expect.fail('no mutation');
    const [{ body, input } = expect.fail('no input')] = inputs(localChain.addresses);
    const refusal = { code: 'BUILD_REFUSED', message: expect.stringContaining('of a vault deposit only') };
    const rest = await post(path, { ...body, options });
    expect(rest).toMatchObject({ status: 400, answer: refusal });
    const graph = await gateway.query<{ result: unknown }>(
      `mutation ($input: ${inputType}!) { result: ${mutation}(input: $input) { ... on BuildError { code message } } }`,
      { variables: { input: { ...input, options } } },
    );
    expect(graph).toMatchObject({ errors: [], data: { result: refusal } });
  });
});

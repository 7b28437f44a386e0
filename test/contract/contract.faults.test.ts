import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  answer,
  halfBody,
  hangUp,
  httpStatus,
  rpcError,
  silence,
  text,
} from '../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import type { Operation } from '../../src/rest/operation/operation.ts';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import { STILL, startReadyApp, startTestApp, type TestApp } from '../support/apps/test-app.ts';
import { errorFaults } from '../support/contract/answer-checks.ts';
import { ask, post, type RestAnswer } from '../support/contract/contract-app.ts';
import { type FaultyRpc, startFaultyRpc } from '../support/contract/failing-rpc.ts';
import { askOf } from '../support/contract/parameters.ts';
import { RECORDED_READS } from '../support/contract/recorded-app.ts';

let faulty: FaultyRpc;
/** Gives up on the RPC soon. */
let gateway: TestApp;
/** Waits for the RPC longer than a request may take. */
let patient: TestApp;

beforeAll(async () => {
  faulty = await startFaultyRpc();
  const rpcUrls = [faulty.rpc.url];
  gateway = await startReadyApp({
    rpcUrls,
    env: { ...STILL, RPC_TIMEOUT_MS: '3000', RPC_MAX_ATTEMPTS: '1' },
  });
  patient = await startReadyApp({
    rpcUrls,
    env: { ...STILL, RPC_TIMEOUT_MS: '60000', REQUEST_TIMEOUT_MS: '1000' },
  });
});
afterEach(() => faulty.heal());
afterAll(async () => {
  await gateway?.stop();
  await patient?.stop();
  await faulty?.stop();
});

const asked = (from: TestApp, operation: Operation): Promise<RestAnswer> =>
  ask(from, askOf(operation, operation.example(faulty.localChain.addresses)));

/** Holdings of a wallet or an obligation are read on request; everything else is in the View. */
const LIVE_READS = [
  '/kvaults/users/{pubkey}/positions',
  '/kvaults/users/{userPubkey}/positions/{vaultPubkey}',
  '/klend/loans/{pubkey}',
  '/svc-market/{marketPubkey}/users/{userPubkey}/obligations',
  '/portfolio/{wallet}',
  '/portfolio/{wallet}/rewards',
  '/v2/svc-market/{pubkey}/obligations-with-open-borrow-orders',
  '/markets/{pubkey}/borrow-orders',
  '/reserves/{pubkey}/withdraw-queue',
];
/** Read from the chain for all requests together: once an epoch, and when the loans of a market were last read too long ago. */
const SHARED_READS = ['/epochs', '/kvaults/private-credit/metrics'];
const isLive = ({ path }: Operation) => path.startsWith('/ktx/') || LIVE_READS.includes(path);
/** Its example fits with the lookup table of the market alone, which a catalogue names, and these gateways have none. */
const WITHOUT_TABLE = ['/ktx/klend/swap-collateral'];
/** Reads first: an endpoint that has failed a few times is not asked for a second. */
const LIVE = OPERATIONS.filter((each) => isLive(each) && !WITHOUT_TABLE.includes(each.path)).sort((a, b) =>
  a.method.localeCompare(b.method),
);

/** The code of an error, in the body of builders and in a header of reads. */
const codeOf = ({ body, headers }: RestAnswer) =>
  (body as { readonly code?: string }).code ?? headers.get('x-error-code');

/** A failure of ours or upstream, in the family's shape, that tells nothing of where we read. */
function faultsOf({ method, path }: Operation, given: RestAnswer, code: RegExp): string[] {
  if (given.status !== 500) return [`status ${given.status}: ${given.text.slice(0, 100)}`];
  const retry = given.headers.get('retry-after');
  return [
    ...errorFaults(method, path, given),
    ...(code.test(String(codeOf(given))) ? [] : [`code ${codeOf(given)}`]),
    ...(/^\d+$/.test(String(retry)) ? [] : [`retry-after ${retry}`]),
    ...(given.text.includes(String(faulty.rpc.port)) || /https?:|secret/.test(given.text)
      ? ['tells a URL']
      : []),
  ];
}

async function collected(
  from: TestApp,
  operations: readonly Operation[],
  code: RegExp,
): Promise<Record<string, string[]>> {
  const all = await Promise.all(
    operations.map(async (operation) => {
      const wrong = faultsOf(operation, await asked(from, operation), code);
      return [`${operation.method} ${operation.path}`, wrong] as const;
    }),
  );
  return Object.fromEntries(all.filter(([, wrong]) => wrong.length > 0));
}

describe('a gateway that is starting', () => {
  it('answers every operation with Retry-After', async () => {
    const starting = await startTestApp({ rpcUrls: ['http://127.0.0.1:9'] });
    try {
      // Others are asked for their key first.
      const open = OPERATIONS.filter(({ needsKey }) => needsKey !== true);
      expect(await collected(starting, open, /^VIEW_NOT_READY$/)).toEqual({});
    } finally {
      await starting.stop();
    }
  });
});

/** Asks until an endpoint that has failed is trusted again. */
async function recovered(): Promise<void> {
  faulty.heal();
  for (const operation of LIVE) {
    while ((await asked(gateway, operation)).status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

describe('an RPC that', () => {
  const AGAIN = /^RPC_(?:UNAVAILABLE|RATE_LIMITED|TIMEOUT|BAD_RESPONSE)$/;
  const URL = 'https://rpc.example/?api-key=secret';

  it.each([
    ['hangs up', hangUp, AGAIN],
    ['is down', httpStatus(503, {}, `upstream ${URL} failed`), AGAIN],
    ['limits us', httpStatus(429), AGAIN],
    ['does not answer', silence, AGAIN],
    ['answers with a page', text('<html>no</html>'), AGAIN],
    ['stops half-way', halfBody, AGAIN],
    ['answers null', answer('null'), AGAIN],
    ['answers something else', answer('{"context":{"slot":1},"value":"nonsense"}'), AGAIN],
    ['fails inside', rpcError(-32603, `internal error at ${URL}`), /^RPC_/],
  ] as const)('%s: every live read says so and when to try again', async (_, script, code) => {
    await recovered();
    faulty.rpc.script = script;
    expect(await collected(gateway, LIVE, code)).toEqual({});
  });

  it('is unreachable does not affect data of the View', async () => {
    faulty.rpc.script = hangUp;
    const others = [...RECORDED_READS, ...SHARED_READS];
    const inView = OPERATIONS.filter((each) => !isLive(each) && !others.includes(each.path));
    for (const operation of inView) {
      const { status } = await asked(gateway, operation);
      expect([operation.path, status]).toEqual([operation.path, 200]);
    }
  });

  it('recovers is used again', async () => {
    await recovered();
  });

  it('is too slow makes a request exceed its deadline', async () => {
    faulty.rpc.script = silence;
    const before = faulty.rpc.abandoned();
    expect(await collected(patient, LIVE, /^DEADLINE_EXCEEDED$/)).toEqual({});
    await until(() => faulty.rpc.abandoned() > before);
  });

  it.each(LIVE)('reads for $path is cancelled when the client disconnects', async (operation) => {
    faulty.rpc.script = silence;
    const [before, calls] = [faulty.rpc.abandoned(), faulty.rpc.methods.length];
    const client = new AbortController();
    const { url, body } = askOf(operation, operation.example(faulty.localChain.addresses));
    const method = operation.method.toUpperCase();
    const gone = post(patient, url, body ?? '', { method, signal: client.signal });
    gone.catch(() => undefined);
    await until(() => faulty.rpc.methods.length > calls);
    client.abort();
    await until(() => faulty.rpc.abandoned() > before);
  });
});

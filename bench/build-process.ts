import { fileURLToPath } from 'node:url';
import { type App, createApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { startLocalnetProcess } from './localnet-process.ts';
import { printTable } from './measure.ts';
import { type SdkBuilds, startSdk } from './sdk-builds.ts';
import { type SlowRpc, startSlowRpcProcess } from './slow-rpc-process.ts';

const LATENCY_MS = 25;
/** Duration of each measurement. */
const SECONDS = 3;
const IN_FLIGHT = 16;
const AMOUNTS = { deposit: '1', borrow: '10', vaultDeposit: '10' };

const SLOW_RPC = fileURLToPath(new URL('slow-rpc.js', import.meta.url));

/** Runs one build. Resolves to its number of instructions. */
type Build = () => Promise<number>;

interface Built {
  readonly msPerBuild: number;
  readonly callsPerBuild: number;
  readonly instructions: number;
}

/** Builds for some seconds with `inFlight` concurrent builds. */
async function measure(rpc: SlowRpc, build: Build, inFlight = 1): Promise<Built> {
  let instructions = 0;
  for (let i = 0; i < 5; i += 1) instructions = await build();
  if (instructions === 0) throw new Error('nothing was built');
  await rpc.calls();
  let builds = 0;
  const started = performance.now();
  const end = started + SECONDS * 1000;
  const worker = async () => {
    while (performance.now() < end) {
      await build();
      builds += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const ms = performance.now() - started;
  return { msPerBuild: ms / builds, callsPerBuild: (await rpc.calls()) / builds, instructions };
}

interface Bundle {
  readonly instructions?: readonly unknown[];
}

/** GraphQL nests the bundle in the answer; a REST answer is the bundle. */
interface Answer extends Bundle {
  readonly data?: { readonly result?: { readonly bundle?: Bundle } };
}

/** Posts JSON and counts the instructions of the bundle in the answer. */
function ourBuild(
  app: App,
  path: string,
  input: object,
  bundleOf: (answer: Answer) => Bundle | undefined,
): Build {
  const body = JSON.stringify(input);
  // HTTP clients send a content-length; `Request` does not add it.
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return async () => {
    const response = await app.fetch(new Request(`http://bench${path}`, { method: 'POST', headers, body }));
    const text = await response.text();
    const built = bundleOf(JSON.parse(text) as Answer)?.instructions?.length;
    if (built === undefined) throw new Error(text.slice(0, 500));
    return built;
  };
}

/** A build over GraphQL that selects only the bundle. */
function graphBuild(app: App, field: string, type: string, input: object): Build {
  const query = `mutation ($input: ${type}!) { result: ${field}(input: $input) { __typename ... on TransactionPlan {
    bundle { instructions { programAddress data accounts { address role } } lutsByAddress } } } }`;
  return ourBuild(app, '/graphql', { query, variables: { input } }, ({ data }) => data?.result?.bundle);
}

const restBuild = (app: App, path: string, body: object): Build =>
  ourBuild(app, `/ktx/${path}-instructions`, body, (answer) => answer);

function ourBuilds(app: App, addresses: Readonly<Record<string, string>>) {
  const { wallet, market, vault, depositReserve, borrowReserve } = addresses;
  const lending = (field: string, reserve: string | undefined, tokens: string) =>
    graphBuild(app, field, 'LendingActionInput', { wallet, market, reserve, amount: { tokens } });
  const amount = { tokens: AMOUNTS.vaultDeposit };
  return {
    deposit: lending('buildLendingDeposit', depositReserve, AMOUNTS.deposit),
    borrow: lending('buildLendingBorrow', borrowReserve, AMOUNTS.borrow),
    vaultDeposit: graphBuild(app, 'buildVaultDeposit', 'VaultDepositInput', { wallet, vault, amount }),
    vaultDepositOnRest: restBuild(app, 'kvault/deposit', { wallet, kvault: vault, amount: amount.tokens }),
  };
}

async function compare(rpc: SlowRpc, ours: ReturnType<typeof ourBuilds>, sdk: SdkBuilds): Promise<void> {
  const pairs: readonly (readonly [string, Build, Build])[] = [
    ['lending deposit, SDK\u2019s market cached', ours.deposit, sdk.cached.deposit],
    ['lending deposit, SDK\u2019s reserves read again', ours.deposit, sdk.fresh.deposit],
    ['lending borrow, SDK\u2019s market cached', ours.borrow, sdk.cached.borrow],
    ['lending borrow, SDK\u2019s reserves read again', ours.borrow, sdk.fresh.borrow],
    ['vault deposit', ours.vaultDeposit, sdk.vaultDeposit],
    ['vault deposit on REST', ours.vaultDepositOnRest, sdk.vaultDeposit],
  ];
  const heading = ['ours ms', 'calls', 'per second', 'SDK ms', 'calls', 'per second', 'times as fast'];
  const cells = ({ msPerBuild, callsPerBuild }: Built) => [
    msPerBuild.toFixed(1),
    callsPerBuild.toFixed(1),
    (1000 / msPerBuild).toFixed(1),
  ];
  for (const inFlight of [1, IN_FLIGHT]) {
    const rows = [[inFlight === 1 ? 'in sequence' : `${inFlight} at once`, ...heading]];
    for (const [name, mine, theirs] of pairs) {
      const our = await measure(rpc, mine, inFlight);
      const their = await measure(rpc, theirs, inFlight);
      const times = (their.msPerBuild / our.msPerBuild).toFixed(1);
      rows.push([name, ...cells(our), ...cells(their), times]);
    }
    printTable(rows);
    process.stdout.write('\n');
  }
}

/**
 * Builds per second, ours and the official SDK's, over the same RPC with latency on every call. Ours reads every account
 * again for each build. The SDK loads its market once and caches it, or reads the reserves again for each build. Concurrent
 * builds are for one wallet, so ours share nearly all reads; that case compares CPU work.
 */
async function run(): Promise<void> {
  const chain = await startLocalnetProcess(1);
  const rpc = await startSlowRpcProcess([SLOW_RPC], chain.url, LATENCY_MS);
  const app = await createApp(
    loadConfig({
      SOLANA_RPC_URLS: rpc.url,
      SOLANA_CLUSTER: 'localnet',
      VIEW_REFRESH_MS: '600000',
      VAULT_REFRESH_MS: '3600000',
      LOG_LEVEL: 'silent',
      RATE_LIMIT: '0',
    }),
  );
  try {
    if (app.chain.views.newest === undefined)
      await new Promise<void>((resolve) => app.chain.views.onView(() => resolve()));
    const sdk = await startSdk({
      url: rpc.url,
      addresses: chain.addresses,
      depositAmount: `${AMOUNTS.deposit}000000000`,
      borrowAmount: `${AMOUNTS.borrow}000000`,
      vaultAmount: AMOUNTS.vaultDeposit,
    });
    await compare(rpc, ourBuilds(app, chain.addresses), sdk);
  } finally {
    await app.stop();
    await rpc.stop();
    chain.stop();
  }
}

await run();

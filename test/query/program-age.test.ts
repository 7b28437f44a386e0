import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { programDataAddress } from '@sluice/protocol/loader/program-data';
import { DEVNET_PROGRAMS, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountIn, serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { examine } from '../../src/cli/doctor/examine.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { redeploy } from '../support/localnet/redeployed.ts';

const { klend, kvault } = MAINNET_PROGRAMS;
const CHECKED_KVAULT = 452_240_450n;
const NEWER = CHECKED_KVAULT + 77n;
const PROGRAMS = `{ chain { programs {
  name address state deployedSlot deployedAt checkedSlot version implementedVersion warning
} } }`;

interface Program {
  readonly name: string;
  readonly state: string;
  readonly deployedSlot: string | null;
  readonly warning: string | null;
}

let localChain: TestChain;
let rpc: LocalnetRpc;
let gateway: TestApp | undefined;
let lines: { readonly level: string; readonly msg: string; readonly program?: string }[];

beforeEach(async () => {
  localChain = new TestChain();
  rpc = await serveChain(localChain);
  lines = [];
});

afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  await rpc.close();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  const logger = createLogger('warn', { write: (line) => lines.push(JSON.parse(line)) });
  gateway = await startReadyApp({ rpcUrls: [rpc.url], logger, env: { DRIFT_INTERVAL_MS: '0', ...env } });
  return gateway;
}

async function ready({ get }: TestApp): Promise<{ status: number; programs: readonly Program[] }> {
  const response = await get('/ready');
  const body = (await response.json()) as { programs: readonly (Program & { program: string })[] };
  return {
    status: response.status,
    programs: body.programs.map(({ program, ...rest }) => ({ ...rest, name: program })),
  };
}

async function graph({ query }: TestApp): Promise<readonly Program[]> {
  const { data, errors } = await query<{ chain: { programs: readonly Program[] } }>(PROGRAMS);
  expect(errors).toEqual([]);
  return data.chain.programs;
}

async function samples({ get }: TestApp, name: string): Promise<Record<string, number>> {
  const text = await (await get('/metrics')).text();
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => [
        line.slice(name.length, line.lastIndexOf(' ')),
        Number(line.slice(line.lastIndexOf(' '))),
      ]),
  );
}

/** Counts the calls of a method from now on, or those whose parameters contain a text. */
function countCalls(wanted: string, text = ''): () => number {
  let calls = 0;
  rpc.faults.add({
    when(method, params) {
      if (method === wanted && JSON.stringify(params).includes(text)) calls += 1;
      return false;
    },
  });
  return () => calls;
}

const examined = async () =>
  (
    await examine({
      env: { SOLANA_RPC_URLS: rpc.url, SOLANA_CLUSTER: 'localnet' },
      listenMs: 1,
      pauseMs: 1,
    })
  ).findings.filter(({ level }) => level === 'warning');

describe('a gateway on programs that it was checked against', () => {
  it('names their slots and versions, and warns of nothing', async () => {
    const app = await start();
    const programs = await graph(app);
    expect(programs.map(({ name, state, deployedSlot }) => [name, state, deployedSlot])).toEqual([
      ['klend', 'CHECKED', '440486775'],
      ['kvault', 'CHECKED', '452240450'],
      ['farms', 'CHECKED', '444035168'],
    ]);
    expect(programs.map((each) => Reflect.get(each, 'version'))).toEqual(['1.25.0', '2.3.0', null]);
    expect(app.app.chain.deployments.version('kvault')).toBe('2.3.0');
    expect(app.app.chain.deployments.runsAtLeast('kvault', '2.2.2')).toBe(true);
    expect(app.app.chain.deployments.runsAtLeast('klend', '1.26.0')).toBe(false);
    expect(await samples(app, 'sluice_program_outdated')).toEqual({
      '{program="klend"}': 0,
      '{program="kvault"}': 0,
      '{program="farms"}': 0,
    });
    expect(await samples(app, 'sluice_padding_accounts')).toEqual({});
    expect(lines).toEqual([]);
    expect(await examined()).toEqual([]);
  });
});

describe('a gateway on a program that was redeployed', () => {
  const time = () => new Date((localChain.blockTime(NEWER) ?? 0) * 1_000).toISOString();
  const sentence = () =>
    `The kvault program was redeployed at slot 452240527 (${time().replace('.000Z', 'Z')}), after the deployment that this release was checked against: numbers and builds may be off until Sluice is updated; this release implements kvault 2.3.0.`;

  it('says so in one sentence: at start, in /ready, in the graph, in a metric and in the doctor', async () => {
    redeploy(localChain, kvault, NEWER);
    const app = await start();
    expect(lines.map(({ level, msg, program }) => ({ level, msg, program }))).toEqual([
      { level: 'warn', msg: sentence(), program: 'kvault' },
    ]);
    const expected = {
      name: 'kvault',
      address: kvault,
      state: 'NEWER',
      deployedSlot: String(NEWER),
      deployedAt: time(),
      checkedSlot: String(CHECKED_KVAULT),
      version: null,
      implementedVersion: '2.3.0',
      warning: sentence(),
    };
    expect((await graph(app))[1]).toEqual(expected);
    const { status, programs } = await ready(app);
    expect(status).toBe(200);
    expect(programs[1]).toEqual(expected);
    expect(programs.filter(({ warning }) => warning !== null)).toHaveLength(1);
    expect(await samples(app, 'sluice_program_outdated')).toMatchObject({
      '{program="klend"}': 0,
      '{program="kvault"}': 1,
    });
    expect((await samples(app, 'sluice_program_deployed_slot'))['{program="kvault"}']).toBe(Number(NEWER));
    expect((await samples(app, 'sluice_program_checked_slot'))['{program="kvault"}']).toBe(
      Number(CHECKED_KVAULT),
    );
    expect(app.app.chain.deployments.runsAtLeast('kvault', '2.2.2')).toBe(true);
    expect(await examined()).toEqual([
      { level: 'warning', subject: 'programs', check: 'kvault version', says: sentence() },
    ]);
  });

  it('notices it while it runs, and says it once', async () => {
    const app = await start({ PROGRAMS_INTERVAL_MS: '20' });
    expect(lines).toEqual([]);
    redeploy(localChain, kvault, NEWER);
    await until(() => app.app.chain.deployments.all()[1]?.state === 'NEWER');
    const reads = countCalls('getBlockTime');
    await until(() => reads() > 3);
    expect(lines.map(({ msg }) => msg)).toEqual([sentence()]);
  });
});

describe('a program whose slot the chain has not reached', () => {
  it('is not the one that was checked: a warning of its own, without a time', async () => {
    const slot = 999_999_999n;
    const says =
      'The farms program names slot 999999999 as its deployment, which the chain has not reached, so it is not the deployment that this release was checked against: numbers and builds may be off until Sluice is updated; this release implements farms 1.6.5.';
    redeploy(localChain, MAINNET_PROGRAMS.farms, slot);
    const times = countCalls('getBlockTime');
    const app = await start();
    expect((await graph(app))[2]).toMatchObject({
      state: 'NEWER',
      deployedSlot: String(slot),
      deployedAt: null,
      version: null,
      warning: says,
    });
    const { status, programs } = await ready(app);
    expect([status, programs[2]?.warning]).toEqual([200, says]);
    expect(lines.map(({ msg }) => msg)).toEqual([says]);
    expect(await samples(app, 'sluice_program_outdated')).toMatchObject({ '{program="farms"}': 1 });
    expect(times()).toBe(0);
    expect((await examined()).map((found) => found.says)).toEqual([says]);
  });
});

describe('a known program older than the checked one', () => {
  it('is named with its version, and warned of', async () => {
    redeploy(localChain, kvault, 432_874_668n);
    const app = await start();
    const says = expect.stringContaining('slot 432874668, version 2.2.2, is older than the one');
    expect((await graph(app))[1]).toMatchObject({ state: 'OLDER', version: '2.2.2', warning: says });
    expect(lines.map(({ msg }) => msg)).toEqual([says]);
    expect(await samples(app, 'sluice_program_outdated')).toMatchObject({ '{program="kvault"}': 0 });
    expect(app.app.chain.deployments.runsAtLeast('kvault', '2.2.2')).toBe(true);
  });
});

describe('a deposit with a minimum of shares', () => {
  async function built({ query }: TestApp) {
    const { wallet, vault } = localChain.addresses;
    const { data, errors } = await query<{ built: { code?: string; message?: string } }>(
      `mutation { built: buildVaultDeposit(input: { wallet: "${wallet}", vault: "${vault}", amount: { tokens: "1" },
         options: { slippageBps: 50 } }) { __typename ... on BuildRefused { code message } } }`,
    );
    expect(errors).toEqual([]);
    return data.built;
  }
  const refused = {
    __typename: 'BuildRefused',
    code: 'BUILD_REFUSED',
    message: expect.stringContaining(`${kvault} is older than 2.2.2 and cannot enforce a minimum of shares`),
  };
  const accepted = { __typename: 'TransactionPlan' };

  it.each([
    ['mainnet before 2.2.2', 'mainnet-beta', 432_874_667n, refused],
    ['mainnet since 2.2.2', 'mainnet-beta', 432_874_668n, accepted],
    ['mainnet since a later deployment', 'mainnet-beta', NEWER, accepted],
    ['a test validator, whose slots tell nothing', 'localnet', 0n, accepted],
  ])('on %s is built as the deployment says', async (_, cluster, slot, expected) => {
    redeploy(localChain, kvault, slot);
    expect(await built(await start({ SOLANA_CLUSTER: cluster }))).toEqual(expected);
  });
});

describe('a program whose deployment cannot be judged', () => {
  const stateOf = async (app: TestApp, name: string) => {
    const found = (await ready(app)).programs.find((each) => each.name === name);
    return [found?.state, found?.deployedSlot, found?.warning];
  };

  it('is unknown when its account is missing or not a loader header', async () => {
    localChain.place(programDataAddress(klend), null);
    const address = programDataAddress(kvault);
    localChain.place(address, { ...accountIn(localChain, address), data: Uint8Array.of(3, 0, 0, 0) });
    const app = await start();
    for (const name of ['klend', 'kvault']) {
      expect(await stateOf(app, name)).toEqual(['UNKNOWN', null, null]);
    }
    expect(await samples(app, 'sluice_program_outdated')).toEqual({ '{program="farms"}': 0 });
    expect(lines).toEqual([]);
  });

  it('is unknown while the RPC fails, and read again later', async () => {
    rpc.faults.add({ status: 500, when: (_, params) => JSON.stringify(params).includes('"length":45') });
    const app = await start({ PROGRAMS_INTERVAL_MS: '50', RPC_MAX_ATTEMPTS: '1' });
    expect((await ready(app)).status).toBe(200);
    expect(await stateOf(app, 'klend')).toEqual(['UNKNOWN', null, null]);
    expect(app.app.chain.deployments.version('klend')).toBeNull();
    rpc.faults.clear();
    await until(() => app.app.chain.deployments.version('klend') === '1.25.0');
  });

  it('keeps its last deployment when its account disappears', async () => {
    redeploy(localChain, klend, 440_486_800n);
    const app = await start({ PROGRAMS_INTERVAL_MS: '20' });
    localChain.place(programDataAddress(klend), null);
    const reads = countCalls('getMultipleAccounts', '"length":45');
    await until(() => reads() > 3);
    expect(await stateOf(app, 'klend')).toMatchObject(['NEWER', '440486800', expect.any(String)]);
  });

  it('is unknown on devnet, but its version can be known', async () => {
    const data = accountIn(localChain, programDataAddress(kvault));
    localChain.place(programDataAddress(DEVNET_PROGRAMS.kvault), data);
    const app = await start({ SOLANA_CLUSTER: 'devnet' });
    expect(await stateOf(app, 'kvault')).toEqual(['UNKNOWN', String(CHECKED_KVAULT), null]);
    expect(app.app.chain.deployments.version('kvault')).toBe('2.0.1');
    expect(app.app.chain.deployments.runsAtLeast('kvault', '2.2.2')).toBe(false);
    expect(lines).toEqual([]);
  });

  it('is not read with PROGRAMS_INTERVAL_MS=0', async () => {
    redeploy(localChain, kvault, NEWER);
    const app = await start({ PROGRAMS_INTERVAL_MS: '0' });
    expect(await stateOf(app, 'kvault')).toEqual(['UNKNOWN', null, null]);
    expect(lines).toEqual([]);
  });
});

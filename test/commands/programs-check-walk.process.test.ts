import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startControlledLocalnet } from '@sluice/localnet/localnet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer } from '../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { checkedArguments, PROGRAMS_CHECK } from '../../src/cli/programs-check/arguments.ts';
import { checkPrograms } from '../../src/cli/programs-check/check-programs.ts';
import { startGateway } from '../../src/cli/programs-check/gateway.ts';
import { loadConfig } from '../../src/config/config.ts';
import { programArgs } from '../support/processes/program-args.ts';
import {
  type ProgramsCluster,
  refusing,
  simulated,
  startProgramsCluster,
  statuses,
  withoutFees,
  writeKey,
} from '../support/programs-check/programs-cluster.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAINNET = '"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"';
const ALL_SIX = [
  'vault deposit',
  'vault withdraw',
  'lending deposit',
  'lending borrow',
  'lending repay',
  'lending withdraw',
];
const keyFile = () => writeKey(join(mkdtempSync(join(tmpdir(), 'sluice-keys-')), 'key.json'));

let cluster: ProgramsCluster;
let lines: string[];
async function readArguments(args: readonly string[]) {
  const values = PROGRAMS_CHECK.read(args);
  if (values === null) throw new TypeError('Unknown option');
  return await checkedArguments(values);
}

beforeEach(async () => {
  cluster = await startProgramsCluster();
  withoutFees(cluster.localChain, cluster.localChain.addresses.vault);
  lines = [];
});
afterEach(() => cluster.stop());

function command(wallet: string, ...more: readonly string[]): string[] {
  const { vault, market, depositReserve, borrowReserve } = cluster.localChain.addresses;
  const named = { rpc: cluster.rpc.url, wallet, vault, market, reserve: depositReserve };
  const options = Object.entries({ ...named, 'borrow-reserve': borrowReserve });
  return [...options.flatMap(([name, value]) => [`--${name}`, value]), ...more];
}

const run = async (wallet: string, ...more: readonly string[]) =>
  await checkPrograms(await readArguments(command(wallet, ...more)), (line) => lines.push(line));

/** The command as a maintainer runs it. */
async function runProcess(args: readonly string[]) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...programArgs('programs-check'), ...args], {
    cwd: ROOT,
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  lines = output.trimEnd().split('\n');
  return { exitCode, errors };
}

const marks = () =>
  lines
    .slice(1)
    .filter((line) => !line.startsWith('note'))
    .map((line) => line.split(/ {2,}/).slice(0, 2).join(' '));
const sends = () => cluster.rpc.methods.filter((method) => method === 'sendTransaction');

describe('without sending', () => {
  it('builds and simulates all six', async () => {
    expect(await run(cluster.localChain.addresses.wallet)).toBe(true);
    expect(marks()).toEqual(ALL_SIX.flatMap((name) => [`ok ${name}: build`, `ok ${name}: simulate`]));
    expect(lines.join()).toContain('123456 compute units');
    expect(sends()).toHaveLength(0);
  });

  it('chooses the targets that are not given', async () => {
    const { wallet } = cluster.localChain.addresses;
    const args = await readArguments(['--rpc', cluster.rpc.url, '--wallet', wallet]);
    await checkPrograms(args, (line) => lines.push(line));
    expect(lines[0]).toMatch(/^wallet \w+, vault \w+, market \w+, reserves (\w+) and (?!\1)\w+$/);
    expect(marks()[0]).toBe('ok vault deposit: build');
  });

  it('skips the actions that a new wallet cannot do yet', async () => {
    expect(await run(cluster.localChain.addresses.emptyWallet)).toBe(true);
    expect(marks().filter((mark) => mark.startsWith('skip'))).toHaveLength(4);
  });

  it('prints the name of a program error and continues', async () => {
    cluster.scripts.set('simulateTransaction', refusing(cluster.localChain, { lending: 6009, vault: 7000 }));
    expect(await run(cluster.localChain.addresses.wallet)).toBe(false);
    const failures = lines.filter((line) => line.startsWith('FAIL'));
    expect(failures).toHaveLength(6);
    for (const line of failures) {
      expect(line).toContain(line.includes('lending ') ? '  ReserveStale: ' : '  DepositAmountsZero: ');
      expect(line).toContain('(said so)');
    }
  });
});

describe('with --send', () => {
  it('sends all six, reads each back through the graph and compares it with the preview', async () => {
    const { exitCode } = await runProcess(command(await keyFile(), '--send'));
    expect(marks()).toEqual(
      ALL_SIX.flatMap((name) =>
        ['build', 'simulate', 'send', 'read back'].map((step) => `ok ${name}: ${step}`),
      ),
    );
    expect(exitCode).toBe(0);
    const readBack = lines
      .filter((line) => line.includes(': read back'))
      .map((line) => line.split(/ {2,}/)[2]);
    expect(readBack).toEqual([
      expect.stringMatching(/^tokens 0\.09999\d+, shares 0\.\d+$/),
      'tokens 0, shares 0',
      expect.stringMatching(/^tokens 0\.09999\d+$/),
      expect.stringMatching(/^tokens 0\.0100\d+, healthFactor \d+\.\d+$/),
      'tokens 0',
      'tokens 0',
    ]);
    expect(cluster.sent).toEqual([
      'deposit',
      'withdrawFromAvailable',
      'depositReserveLiquidityAndObligationCollateralV2',
      'borrowObligationLiquidityV2',
      'repayObligationLiquidityV2',
      'withdrawObligationCollateralAndRedeemReserveCollateralV2',
    ]);
  });

  it.each([
    ['vault deposit', /^deposit$/, /tokens 0\.04\d+, predicted 0\.09\d+, shares 0\.\d+, predicted 0\.\d+$/],
    [
      'lending borrow',
      /^borrow/,
      /tokens 0\.005\d*, predicted 0\.01\d*, healthFactor [\d.]+, predicted [\d.]+$/,
    ],
  ])('stops with exit code 1 when a %s has a different outcome', async (name, instruction, message) => {
    cluster.change = (acted, amount) => (instruction.test(acted) ? amount / 2n : amount);
    const { exitCode } = await runProcess(command(await keyFile(), '--send'));
    expect(exitCode).toBe(1);
    expect(marks().filter((mark) => mark.startsWith('FAIL'))).toEqual([`FAIL ${name}: read back`]);
    expect(lines.at(-1)).toMatch(/^FAIL/);
    expect(lines.at(-1)).toMatch(message);
    expect(sends()).toHaveLength(ALL_SIX.indexOf(name) + 1);
  });

  it('refuses mainnet by its genesis hash before doing anything else', async () => {
    cluster.scripts.set('getGenesisHash', answer(MAINNET));
    const { exitCode, errors } = await runProcess(command(await keyFile(), '--send'));
    expect(exitCode).toBe(2);
    expect(errors).toContain('This is mainnet, where --send is refused');
    expect(cluster.rpc.methods).toEqual(['getGenesisHash']);
  });

  it('stops when a transaction fails', async () => {
    const failed = '{"InstructionError":[0,{"Custom":1}]}';
    cluster.scripts.set('getSignatureStatuses', statuses(cluster.localChain, '"processed"', failed));
    expect(await run(await keyFile(), '--send')).toBe(false);
    expect(lines.at(-1)).toContain('FAIL');
    expect(lines.at(-1)).toContain('"Custom":"1"');
    expect(sends()).toHaveLength(1);
  });

  it('stops when a blockhash expires', async () => {
    cluster.scripts.set('getSignatureStatuses', simulated(cluster.localChain, '[null]'));
    cluster.scripts.set('getBlockHeight', answer('999999999999'));
    expect(await run(await keyFile(), '--send')).toBe(false);
    expect(lines.at(-1)).toContain('before its blockhash expired');
  });

  it('reads no state older than the slot of the sent transaction', async () => {
    const env = { SOLANA_RPC_URLS: cluster.rpc.url, SOLANA_WS_URLS: '', REQUEST_TIMEOUT_MS: '1000' };
    const gateway = await startGateway(loadConfig(env));
    const ask = () => gateway.ask('{ chain { slot } }', {});
    expect((await ask()).errors).toEqual([]);
    gateway.notBefore(cluster.localChain.slot + 1_000n);
    expect((await ask()).errors).toMatchObject([{ code: 'MIN_SLOT_NOT_REACHED' }]);
    await gateway.stop();
  });
});

it('passes on the localnet with the localnet wallet and its own choices', async () => {
  const chain = await startControlledLocalnet({ scale: 1, seed: 'sluice', frozen: false });
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'sluice-keys-')), 'key.json');
    writeFileSync(file, JSON.stringify([...chain.secretKey]));
    const { exitCode } = await runProcess(['--rpc', chain.rpc.url, '--wallet', file, '--send']);
    expect(lines.slice(1).filter((line) => !/^(?:ok|note) /.test(line))).toEqual([]);
    expect(marks()).toHaveLength(ALL_SIX.length * 4);
    expect(exitCode).toBe(0);
  } finally {
    await chain.stop();
  }
});

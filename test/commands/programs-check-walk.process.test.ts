import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answer } from '../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { checkedArguments, PROGRAMS_CHECK } from '../../src/cli/programs-check/arguments.ts';
import { checkPrograms } from '../../src/cli/programs-check/check-programs.ts';
import { startGateway } from '../../src/cli/programs-check/gateway.ts';
import { loadConfig } from '../../src/config/config.ts';
import { programArgs } from '../support/processes/program-args.ts';
import {
  type ProgramsCluster,
  simulated,
  startProgramsCluster,
  statuses,
} from '../support/programs-check/programs-cluster.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAINNET = '"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"';
/** More than a market demands of a withdraw ticket and of a borrow order. */
const AMOUNT = ['--amount', '100', '--borrow-amount', '0.05'];

let cluster: ProgramsCluster;
let lines: string[];
let keyFile: string;

beforeEach(async () => {
  cluster = await startProgramsCluster();
  keyFile = cluster.writeKey(join(mkdtempSync(join(tmpdir(), 'sluice-keys-')), 'key.json'));
  lines = [];
});
afterEach(() => cluster.stop());

async function run(wallet: string, ...more: readonly string[]): Promise<boolean> {
  const values = PROGRAMS_CHECK.read(['--rpc', cluster.rpc.url, '--wallet', wallet, ...AMOUNT, ...more]);
  if (values === null) throw new TypeError('Unknown option');
  return await checkPrograms(await checkedArguments(values), (line) => lines.push(line));
}

/** The command as a maintainer runs it. */
async function runProcess(settings: Readonly<Record<string, string>> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const args = ['--rpc', cluster.rpc.url, '--wallet', keyFile, ...AMOUNT, '--send'];
  const child = spawn(process.execPath, [...programArgs('programs-check'), ...args], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
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

/** Action and last step of each of the actions with this status at a step. */
const marked = (status: string, step = '[a-z ]+') => {
  const pattern = new RegExp(`^${status} +(.+): ${step} {2,}`);
  return lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
};
const shown = (name: string, step: string) =>
  lines.find((line) => line.includes(` ${name}: ${step} `))?.split(/ {2,}/)[2];
const sends = () => cluster.rpc.methods.filter((method) => method === 'sendTransaction');

/** The RPC server of the localnet quotes swaps by its exchange. */
const quotesOf = ({ chain }: ProgramsCluster) => ({
  QUOTE_URL: chain.rpc.url,
  QUOTE_ROUTER_PROGRAM_ID: chain.exchangeProgram,
});

/** What a wallet with no position of its own can do on any cluster. */
const ALWAYS_SIMULATED = [
  'vault deposit',
  'lending deposit',
  'lending borrow',
  'set up referrer',
  'liquidate',
];

describe('without sending', () => {
  it('builds and simulates what the wallet can do, and says why it skips the rest', async () => {
    expect(await run(cluster.chain.addresses.wallet)).toBe(true);
    expect(marked('FAIL')).toEqual([]);
    expect(marked('ok', 'simulate')).toEqual(expect.arrayContaining(ALWAYS_SIMULATED));
    expect(shown('lending repay', 'build')).toBe(
      'KLEND_POSITION_NOT_FOUND: needs a position that only --send creates',
    );
    expect(shown('name referrer', 'build')).toContain('is already registered');
    expect(shown('cancel ticket', 'build')).toBe('the wallet has no such ticket');
    expect(shown('multiply', 'build')).toContain('QUOTES_OFF: This deployment does not quote swaps');
    expect(sends()).toHaveLength(0);
  });

  it('chooses the vault and the reserves', async () => {
    await run(cluster.chain.addresses.wallet);
    expect(lines[0]).toMatch(/^wallet \w+, vault \w+, market \w+, reserves (\w+) and (?!\1)\w+$/);
  });

  it('names the referrer of a new wallet', async () => {
    await run(cluster.chain.addresses.emptyWallet);
    expect(marked('ok', 'build')).toContain('name referrer');
  });

  it('prints the name of a program error and continues', async () => {
    const stale = { InstructionError: [2, { Custom: 6009 }] };
    cluster.scripts.set('simulateTransaction', simulated(cluster, stale));
    expect(await run(cluster.chain.addresses.wallet)).toBe(false);
    expect(marked('FAIL', 'simulate')).toEqual(expect.arrayContaining(ALWAYS_SIMULATED));
    expect(shown('lending deposit', 'simulate')).toMatch(/^ReserveStale: .*\(said so\)$/);
  });

  it('fails when the cluster accepts what the preview refuses', async () => {
    cluster.scripts.set('simulateTransaction', simulated(cluster, null));
    expect(await run(cluster.chain.addresses.wallet)).toBe(false);
    expect(shown('elevation group left', 'simulate')).toBe(
      'succeeds, although the preview foresees an error',
    );
  });
});

describe('with --send', () => {
  it('sends what one wallet can do, reads it back through the graph and compares it with the preview', async () => {
    const { exitCode, errors } = await runProcess(quotesOf(cluster));
    expect(errors).toBe('');
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(exitCode).toBe(0);
    expect(marked('ok', 'read back')).toEqual([
      'vault deposit',
      'vault unstake',
      'vault stake',
      'vault redeem in kind',
      'vault withdraw',
      'vault invest',
      'lending deposit',
      'lending borrow',
      'set order',
      'cancel order',
      'rollover settings',
      'place borrow order',
      'fill borrow order',
      'place another borrow order',
      'cancel borrow order',
      'repay with collateral',
      'debt swapped',
      'debt swapped back',
      'lending repay',
      'offer loan',
      'withdraw offer',
      'queue withdrawal',
      'cancel ticket',
      'pay first ticket',
      'lending withdraw',
      'multiply',
      'deleverage',
      'set up referrer',
      'liquidate',
      'claim rewards',
      'curator creates vault',
      'curator sets terms',
      'curator accepts vault',
      'curator deposit',
      'curator adds rewards',
      'curator takes rewards back',
      'curator sets reward rate',
      'curator adds more rewards',
      'curator adds reserve',
      'curator invests',
      'curator collects fees',
      'curator gives up fees',
      'curator divests',
      'curator removes reserve',
      'curator withdraw',
    ]);
    // The preview foresees both refusals: another deposit must be withdrawn first, and the wallet is in no group.
    expect(shown('repay and withdraw', 'refused')).toContain('(6118)');
    expect(shown('elevation group left', 'refused')).toContain('ElevationGroupAlreadyActivated');
    // The debt has no term that could start anew.
    expect(shown('roll over', 'refused')).toContain('(6162)');
    expect(shown('vault withdraw', 'read back')).toBe('tokens 0, shares 0');
    expect(shown('lending deposit', 'read back')).toMatch(/^tokens 99\.99999\d+, healthFactor \d+\.\d+$/);
    expect(shown('set order', 'read back')).toContain('closer than 2% to liquidation');
    expect(shown('debt swapped', 'read back')).toMatch(/^tokens 0\.\d+, healthFactor \d+\.\d+$/);
    // The other positions of the wallet leave no room for it.
    expect(shown('collateral swapped', 'build')).toContain('TRANSACTION_SIZE_ERROR');
    expect(shown('deleverage', 'read back')).toBe('tokens 0');
    expect(shown('cancel ticket', 'read back')).toBe('queued 0');
    expect(shown('claim rewards', 'read back')).toMatch(/^balance \d+\.\d+$/);
    // Half of the deposit as rewards, less a tenth of them as the performance fee.
    expect(shown('curator invests', 'read back')).toMatch(/^tokens 145\.\d+, weight 200$/);
    expect(shown('curator withdraw', 'read back')).toBe('tokens 0, shares 0');
  });

  it('swaps the collateral of a wallet with no other positions', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sluice-keys-')), 'key.json');
    const own = await cluster.newKey(file, { [cluster.chain.addresses.tokenMint]: 10_000_000_000 });
    for (const [name, value] of Object.entries(quotesOf(cluster))) vi.stubEnv(name, value);
    try {
      expect(await run(own, '--send')).toBe(true);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(marked('ok', 'read back')).toEqual(
      expect.arrayContaining([
        'repay with collateral',
        'debt swapped',
        'debt swapped back',
        'collateral swapped',
        'collateral swapped back',
        'multiply',
        'deleverage',
      ]),
    );
  });

  it('stops with exit code 1 when an action has a different outcome', async () => {
    cluster.afterSend = (sent) => cluster.chain.control.setPrice('SOL', BigInt(100 + 50 * sent) << 60n);
    const { exitCode } = await runProcess();
    expect(exitCode).toBe(1);
    expect(marked('FAIL', 'read back')).toEqual(['lending deposit']);
    expect(lines.at(-1)).toMatch(/healthFactor [\d.]+, predicted [\d.]+/);
    expect(sends()).toHaveLength(7);
  });

  it('refuses mainnet by its genesis hash before doing anything else', async () => {
    cluster.scripts.set('getGenesisHash', answer(MAINNET));
    const { exitCode, errors } = await runProcess();
    expect(exitCode).toBe(2);
    expect(errors).toContain('This is mainnet, where --send is refused');
    expect(cluster.rpc.methods).toEqual(['getGenesisHash']);
  });

  it('stops when a transaction fails', async () => {
    const err = { InstructionError: [0, { Custom: 1 }] };
    const failed = { slot: 1, confirmations: null, err, confirmationStatus: 'processed' };
    cluster.scripts.set('getSignatureStatuses', statuses(cluster, [failed]));
    expect(await run(keyFile, '--send')).toBe(false);
    expect(lines.at(-1)).toContain('FAIL');
    expect(lines.at(-1)).toContain('"Custom":"1"');
    expect(sends()).toHaveLength(1);
  });

  it('stops when a blockhash expires', async () => {
    cluster.scripts.set('getSignatureStatuses', statuses(cluster, [null]));
    cluster.scripts.set('getBlockHeight', answer('999999999999'));
    expect(await run(keyFile, '--send')).toBe(false);
    expect(lines.at(-1)).toContain('before its blockhash expired');
  });

  it('reads no state older than the slot of the sent transaction', async () => {
    const env = { SOLANA_RPC_URLS: cluster.rpc.url, SOLANA_WS_URLS: '', REQUEST_TIMEOUT_MS: '1000' };
    const gateway = await startGateway(loadConfig(env), 0);
    const ask = () => gateway.ask('{ chain { slot } }', {});
    expect((await ask()).errors).toEqual([]);
    gateway.notBefore(cluster.chain.chain.slot + 1_000n);
    expect((await ask()).errors).toMatchObject([{ code: 'MIN_SLOT_NOT_REACHED' }]);
    await gateway.stop();
  });
});

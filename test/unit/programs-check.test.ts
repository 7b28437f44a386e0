import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Preview } from '../../src/builders/preview.ts';
import { isSluiceError } from '../../src/errors/sluice-error.ts';
import { parseDecimal } from '../../src/numeric/decimal.ts';
import { type CheckArguments, readArguments } from '../../src/programs-check/arguments.ts';
import { checkPrograms } from '../../src/programs-check/check-programs.ts';
import { compare } from '../../src/programs-check/compare.ts';
import {
  giveShares,
  type ProgramsCluster,
  SIGNATURE,
  simulated,
  startProgramsCluster,
  statuses,
  withoutFees,
} from '../support/programs-cluster.ts';
import { answer } from '../support/scripted-rpc.ts';

const MAINNET = '"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"';
const folder = mkdtempSync(join(tmpdir(), 'sluice-keys-'));

/** A key file as the Solana command line writes it. */
async function keyFile(): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair(true);
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  const file = join(folder, 'key.json');
  writeFileSync(file, JSON.stringify([...pkcs8.slice(-32), ...raw]));
  return file;
}

async function messageOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    if (isSluiceError(error)) return error.message;
    throw error;
  }
  return 'none';
}

describe('arguments', () => {
  const RPC = ['--rpc', 'http://127.0.0.1:1'];

  it('takes a key file', async () => {
    const args = await readArguments([...RPC, '--wallet', await keyFile(), '--send', '--amount', '2']);
    expect(args.signer?.address).toBe(args.wallet);
    expect(args).toMatchObject({ send: true, amount: '2', market: null, rpcUrl: 'http://127.0.0.1:1' });
  });

  it('takes an address as long as nothing is sent', async () => {
    const wallet = ['--wallet', '1'.repeat(32)];
    expect((await readArguments([...RPC, ...wallet])).signer).toBeNull();
    expect(await messageOf(readArguments([...RPC, ...wallet, '--send']))).toContain('--wallet');
  });

  it('names what is wrong, and never what is in the key file', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '[1,2,3,"secret"]');
    for (const [args, named] of [
      [['--wallet', '1'.repeat(32)], '--rpc'],
      [['--rpc', 'nonsense', '--wallet', '1'.repeat(32)], '--rpc'],
      [RPC, '--wallet'],
      [[...RPC, '--wallet', file], '--wallet'],
      [[...RPC, '--wallet', '1'.repeat(32), '--vault', 'x'], '--vault'],
      [[...RPC, '--nonsense'], '--nonsense'],
    ] as const) {
      const message = await messageOf(readArguments([...args]));
      expect(message).toContain(named);
      expect(message).not.toContain('secret');
    }
  });
});

describe('comparison', () => {
  const preview = (tokens: string, healthFactor: string | null = null) =>
    ({
      tokens: { before: null, after: parseDecimal(tokens) },
      shares: null,
      healthFactor: healthFactor === null ? null : { before: null, after: parseDecimal(healthFactor) },
    }) as Preview;
  const found = (tokens: string, healthFactor: string | null = null) => ({
    tokens: parseDecimal(tokens),
    shares: null,
    healthFactor: healthFactor === null ? null : parseDecimal(healthFactor),
  });

  it.each([
    ['the same', preview('100'), found('100'), true],
    ['a little interest', preview('100'), found('100.0009'), true],
    ['too much', preview('100'), found('100.002'), false],
    ['too little', preview('100'), found('99.99'), false],
    ['dust where nothing was to be left', preview('0'), found('0.000001'), true],
    ['something where nothing was to be left', preview('0'), found('0.01'), false],
    ['a price that moved', preview('100', '1.5'), found('100', '1.51'), true],
    ['another health', preview('100', '1.5'), found('100', '1.4'), false],
  ])('%s', (_, expected, actual, agrees) => {
    expect(compare(expected, actual).agrees).toBe(agrees);
  });

  it('of nothing is no agreement', () => {
    expect(compare(preview('1'), { tokens: null, shares: null, healthFactor: null }).agrees).toBe(false);
  });
});

describe('the walk', () => {
  let cluster: ProgramsCluster;
  let lines: string[];
  beforeEach(async () => {
    cluster = await startProgramsCluster();
    lines = [];
  });
  afterEach(() => cluster.stop());

  const run = (args: CheckArguments) => checkPrograms(args, (line) => lines.push(line));
  const named = (): readonly string[] => {
    const { vault, market, depositReserve, borrowReserve } = cluster.ledger.addresses;
    return [
      '--vault',
      vault,
      '--market',
      market,
      '--reserve',
      depositReserve,
      '--borrow-reserve',
      borrowReserve,
    ];
  };
  const argumentsFor = (wallet: string, ...more: readonly string[]) =>
    readArguments(['--rpc', cluster.rpc.url, '--wallet', wallet, ...named(), ...more]);
  const marks = () =>
    lines
      .slice(1)
      .filter((line) => !line.startsWith('note'))
      .map((line) => line.split(/ {2,}/).slice(0, 2).join(' '));

  const markOf = (name: string) => (step: string) =>
    `${step === 'read back' ? 'FAIL' : 'ok'} ${name}: ${step}`;

  it('builds and simulates all six', async () => {
    expect(await run(await argumentsFor(cluster.ledger.addresses.wallet))).toBe(true);
    const names = [
      'vault deposit',
      'vault withdraw',
      ...['deposit', 'borrow', 'repay', 'withdraw'].map((each) => `lending ${each}`),
    ];
    expect(marks()).toEqual(names.flatMap((name) => [`ok ${name}: build`, `ok ${name}: simulate`]));
    expect(lines.join()).toContain('123456 compute units');
    expect(cluster.rpc.methods).not.toContain('sendTransaction');
  });

  it('passes over what a new wallet cannot do yet', async () => {
    expect(await run(await argumentsFor(cluster.ledger.addresses.emptyWallet))).toBe(true);
    expect(marks().filter((mark) => mark.startsWith('skip'))).toHaveLength(4);
  });

  it('tells the name of a program error, and goes on while nothing is sent', async () => {
    const failed =
      '{"err":{"InstructionError":[1,{"Custom":6000}]},"logs":["said so"],"unitsConsumed":1,"accounts":null}';
    cluster.scripts.set('simulateTransaction', simulated(cluster.ledger, failed));
    expect(await run(await argumentsFor(cluster.ledger.addresses.wallet))).toBe(false);
    expect(marks().filter((mark) => mark.startsWith('FAIL'))).toHaveLength(6);
    expect(lines.join()).toContain('said so');
  });

  it('says honestly that the embedded chain simulates nothing', async () => {
    cluster.scripts.delete('simulateTransaction');
    expect(await run(await argumentsFor(cluster.ledger.addresses.wallet))).toBe(false);
    expect(lines.join()).toContain('the embedded chain runs no lending, vault or farm program');
  });

  it('refuses to send on mainnet, before anything else', async () => {
    cluster.scripts.set('getGenesisHash', answer(MAINNET));
    expect(await messageOf(run(await argumentsFor(await keyFile(), '--send')))).toContain('mainnet');
    expect(cluster.rpc.methods).toEqual(['getGenesisHash']);
  });

  it('sends, waits, reads back and compares, and stops where the outcome differs', async () => {
    const args = await argumentsFor(await keyFile(), '--send');
    const { vault } = cluster.ledger.addresses;
    const giving = (...amounts: bigint[]) => {
      lines = [];
      cluster.scripts.set('sendTransaction', (call) => {
        giveShares(cluster.ledger, args.wallet, vault, amounts.shift() ?? 0n);
        answer(JSON.stringify(SIGNATURE))(call);
      });
    };
    withoutFees(cluster.ledger, vault);
    giving(50_000n);
    expect(await run(args)).toBe(false);
    expect(marks()).toEqual(['build', 'simulate', 'send', 'read back'].map(markOf('vault deposit')));
    const [, foretold = ''] = /shares 0\.05, foretold ([\d.]+)/.exec(lines.at(-1) ?? '') ?? [];
    expect(Number(foretold)).toBeGreaterThan(0.05);

    cluster.ledger.restore();
    withoutFees(cluster.ledger, vault);
    const bought = BigInt(Math.round(Number(foretold) * 1e6));
    giving(bought, 10_000n);
    expect(await run(args)).toBe(false);
    expect(lines.find((line) => line.includes('vault deposit: read back'))).toMatch(/^ok .* shares 0\.\d+$/);
    expect(lines.at(-1)).toMatch(/^FAIL {2}vault withdraw: read back .*shares 0\.01, foretold 0$/);
    expect(cluster.rpc.methods.filter((method) => method === 'sendTransaction')).toHaveLength(3);
  });

  it('stops when a transaction fails', async () => {
    cluster.scripts.set(
      'getSignatureStatuses',
      statuses(cluster.ledger, '"processed"', '{"InstructionError":[0,{"Custom":1}]}'),
    );
    expect(await run(await argumentsFor(await keyFile(), '--send'))).toBe(false);
    expect(lines.at(-1)).toContain('FAIL');
    expect(lines.at(-1)).toContain('"Custom":"1"');
    expect(cluster.rpc.methods.filter((method) => method === 'sendTransaction')).toHaveLength(1);
  });

  it('stops when a blockhash expires', async () => {
    cluster.scripts.set('getSignatureStatuses', simulated(cluster.ledger, '[null]'));
    cluster.scripts.set('getBlockHeight', answer('999999999999'));
    expect(await run(await argumentsFor(await keyFile(), '--send'))).toBe(false);
    expect(lines.at(-1)).toContain('before its blockhash expired');
  });
});

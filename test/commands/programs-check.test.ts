import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { actionsFor, NOT_WALKED } from '../../src/cli/programs-check/actions/actions.ts';
import { checkedArguments, PROGRAMS_CHECK } from '../../src/cli/programs-check/arguments.ts';
import { compare } from '../../src/cli/programs-check/compare.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { ACTION_KINDS } from '../../src/services/builds/actions.ts';

async function readArguments(args: readonly string[]) {
  const values = PROGRAMS_CHECK.read(args);
  if (values === null) throw new TypeError('Unknown option');
  return await checkedArguments(values);
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-keys-'));

/** A key file in the format of the Solana CLI. */
function keyFile(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const file = join(folder, 'key.json');
  writeFileSync(file, JSON.stringify([...Buffer.from(d, 'base64url'), ...Buffer.from(x, 'base64url')]));
  return file;
}

async function messageOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    if (isCodedError(error)) return error.message;
    throw error;
  }
  return 'none';
}

describe('arguments', () => {
  const RPC = ['--rpc', 'http://127.0.0.1:1'];

  it('accepts a key file', async () => {
    const args = await readArguments([...RPC, '--wallet', keyFile(), '--send', '--amount', '2']);
    expect(args.signer?.address).toBe(args.wallet);
    expect(args).toMatchObject({ send: true, amount: '2', market: null, rpcUrl: 'http://127.0.0.1:1' });
  });

  it('accepts an address as long as nothing is sent', async () => {
    const wallet = ['--wallet', '1'.repeat(32)];
    expect((await readArguments([...RPC, ...wallet])).signer).toBeNull();
    expect(await messageOf(readArguments([...RPC, ...wallet, '--send']))).toContain('--wallet');
  });

  it('names the problem, and never the contents of the key file', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '[1,2,3,"secret"]');
    for (const [args, named] of [
      [['--wallet', '1'.repeat(32)], '--rpc'],
      [['--rpc', 'nonsense', '--wallet', '1'.repeat(32)], '--rpc'],
      [RPC, '--wallet'],
      [[...RPC, '--wallet', file], '--wallet'],
      [[...RPC, '--wallet', '1'.repeat(32), '--vault', 'x'], '--vault'],
    ] as const) {
      const message = await messageOf(readArguments([...args]));
      expect(message).toContain(named);
      expect(message).not.toContain('secret');
    }
    expect(PROGRAMS_CHECK.read([...RPC, '--nonsense'])).toBeNull();
  });
});

describe('comparison', () => {
  const figures = (tokens: string, healthFactor: string | null = null) => ({
    tokens: parseDecimal(tokens),
    healthFactor: healthFactor === null ? null : parseDecimal(healthFactor),
  });

  it.each([
    ['the same', figures('100'), figures('100'), true],
    ['a little interest', figures('100'), figures('100.0009'), true],
    ['too much', figures('100'), figures('100.002'), false],
    ['too little', figures('100'), figures('99.99'), false],
    ['dust where nothing was to be left', figures('0'), figures('0.000001'), true],
    ['something where nothing was to be left', figures('0'), figures('0.01'), false],
    ['a price that moved', figures('100', '1.5'), figures('100', '1.51'), true],
    ['another health', figures('100', '1.5'), figures('100', '1.4'), false],
  ])('%s', (_, expected, actual, agrees) => {
    expect(compare(expected, actual).agrees).toBe(agrees);
  });

  it('fails when there is nothing to compare', () => {
    expect(compare(figures('1'), { tokens: null }).agrees).toBe(false);
  });
});

it('walks every action, or says why not', async () => {
  const address = SYSTEM_PROGRAM;
  const subject = {
    wallet: address,
    vault: address,
    vaultReserve: null,
    market: address,
    reserve: address,
    mint: address,
    borrowReserve: address,
    borrowMint: address,
    otherReserve: null,
    amount: '1',
    partialAmount: '0.5',
    borrowAmount: '1',
    partialBorrow: '0.5',
    elevationGroup: null,
    liquidatable: null,
  };
  const walked = actionsFor(subject, address, await generateKeyPairSigner()).map(({ kind }) => kind);
  expect([...new Set([...walked, ...Object.keys(NOT_WALKED)])].sort()).toEqual(
    Object.keys(ACTION_KINDS).sort(),
  );
});

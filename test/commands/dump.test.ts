import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accountIn,
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { DUMP } from '../../src/cli/dump/arguments.ts';
import { runDump } from '../../src/cli/dump/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { readDump } from '../support/real-bytes/account-sets.ts';

const localChain: UnchangedChain = unchangedChain();
const { market, vault, wallet, obligation, emptyWallet } = localChain.addresses;
let rpc: LocalnetRpc;
let folder: string;

beforeAll(async () => {
  rpc = await serveChain(localChain);
  folder = await mkdtemp(join(tmpdir(), 'sluice-dump-'));
});
afterAll(async () => {
  await rpc.close();
  await rm(folder, { recursive: true });
});

async function dump(out: string, args: readonly string[], url = rpc.url): Promise<string[]> {
  const command = DUMP.read(['--rpc', url, '--out', join(folder, out), ...args]);
  if (command === null) throw new Error('the arguments are invalid');
  const lines: string[] = [];
  const config = loadConfig({ SOLANA_RPC_URLS: url, SOLANA_CLUSTER: 'localnet', RPC_MAX_ATTEMPTS: '1' });
  await runDump(config, command, (line) => lines.push(line), new AbortController().signal);
  return lines;
}

const marketsOf = (addresses: Iterable<Address>) =>
  localChain.worldChain.world.reserves
    .filter(({ address }) => new Set(addresses).has(address))
    .map((reserve) => reserve.market.address);

describe('npm run dump', () => {
  it('writes the accounts that a market and a wallet lead to, byte for byte', async () => {
    const [summary, ...more] = await dump('market', ['--market', market, '--wallet', wallet]);
    const { accounts, moment } = readDump(join(folder, 'market'));
    expect(summary).toContain(`${accounts.size} accounts`);
    expect(more).toEqual([]);
    expect(moment.slot).toBe(localChain.slot);
    for (const [address, { owner, data, lamports }] of accounts) {
      const stored = accountIn(localChain, address);
      expect([owner, lamports, stored.data.length]).toEqual([stored.owner, stored.lamports, data.length]);
      expect(Buffer.compare(data, stored.data), address).toBe(0);
    }
    const reserves = localChain.worldChain.world.reserves.filter(
      (reserve) => reserve.market.address === market,
    );
    const expected = reserves.flatMap(({ address, token }) => [address, token.mint.address]);
    expect([...accounts.keys()]).toEqual(expect.arrayContaining([market, obligation, ...expected]));
    // Other markets are there only where an obligation of the wallet uses them.
    expect(accounts.size).toBeLessThan(
      [...localChain.programAccounts(accounts.get(market)?.owner as Address)].length,
    );
    expect(new Set(marketsOf(accounts.keys())).size).toBeLessThan(localChain.worldChain.world.markets.length);
  });

  it('writes the whole platform without a selection', async () => {
    await dump('whole', []);
    const { accounts } = readDump(join(folder, 'whole'));
    const { world } = localChain.worldChain;
    const expected = [...world.markets, ...world.reserves, ...world.vaults].map(({ address }) => address);
    expect([...accounts.keys()]).toEqual(expect.arrayContaining(expected));
  });

  it('follows a vault to the reserves and markets of its allocations', async () => {
    await dump('vault', ['--vault', vault, '--account', emptyWallet]);
    const { accounts } = readDump(join(folder, 'vault'));
    const { allocations } = localChain.worldChain.world.vaults.find(({ address }) => address === vault) ?? {};
    const reserves = (allocations ?? []).map(({ reserve }) => reserve);
    expect(reserves.length).toBeGreaterThan(1);
    const expected = reserves.flatMap(({ address, market: of }) => [address, of.address]);
    expect([...accounts.keys()]).toEqual(expect.arrayContaining([vault, ...expected]));
  });

  it('says which accounts do not exist', async () => {
    const lines = await dump('absent', ['--market', market, '--account', emptyWallet]);
    expect(lines).toContain(`there is no account at ${emptyWallet}`);
  });

  it('refuses a folder with files, and leaves them alone', async () => {
    const out = join(folder, 'taken');
    await mkdir(out);
    await writeFile(join(out, 'note'), 'mine');
    await expect(dump('taken', ['--market', market])).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await readdir(out)).toEqual(['note']);
    expect(await readFile(join(out, 'note'), 'utf8')).toBe('mine');
  });

  it('leaves nothing behind when the endpoint fails, and does not name it', async () => {
    const before = await readdir(folder);
    const failed = dump('failed', [], 'http://user:secret@127.0.0.1:9/key');
    await expect(failed).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' });
    await expect(failed).rejects.not.toThrow(/secret|key|127\.0\.0\.1/);
    expect(await readdir(folder)).toEqual(before);
  });

  it.each([
    [[]],
    [['--rpc', 'http://rpc.test']],
    [['--out', 'folder']],
    [['--rpc', 'ws://rpc.test', '--out', 'folder']],
    [['--rpc', 'http://rpc.test', '--out', 'folder', '--market', 'Main']],
    [['--rpc', 'http://rpc.test', '--out', 'folder', '--unknown', 'x']],
  ])('refuses the arguments %j', (args) => {
    expect(DUMP.read(args)).toBeNull();
  });
});

import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { ChainAccount } from '../../chain/accounts/account-page.ts';

/** The state that the accounts of a dump belong to. Stored in `dump.json`. */
export interface DumpMoment {
  /** Genesis hash of the chain. */
  readonly genesis: string;
  readonly slot: string;
  /** Time of the chain's clock, in seconds. */
  readonly unixTimestamp: string;
}

export const MOMENT_FILE = 'dump.json';

/** Whether a dump can be written there: the folder does not exist or is empty. */
export async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}

/** Writes a dump. The folder appears when it is complete; after a failure there is none. */
export async function writeDump(
  folder: string,
  moment: DumpMoment,
  accounts: Iterable<ChainAccount>,
): Promise<void> {
  const target = resolve(folder);
  await mkdir(dirname(target), { recursive: true });
  const unfinished = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    for (const account of accounts) {
      await writeFile(join(unfinished, `${account.address}.json`), `${JSON.stringify(fileOf(account))}\n`);
    }
    await writeFile(join(unfinished, MOMENT_FILE), `${JSON.stringify(moment, null, 2)}\n`);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** The shape of `solana account --output json`. */
function fileOf({ address, owner, lamports, data }: ChainAccount): object {
  return {
    pubkey: address,
    account: {
      lamports: Number(lamports),
      data: [Buffer.from(data).toString('base64'), 'base64'],
      owner,
      executable: false,
      rentEpoch: 0,
      space: data.length,
    },
  };
}

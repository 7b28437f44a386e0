import { parseArgs } from 'node:util';
import { type Address, isAddress } from '@solana/kit';

/** The parsed command line. */
export interface DumpCommand {
  /** May contain a key, which is never printed. */
  readonly rpc: string;
  /** Folder to create. */
  readonly out: string;
  /** Markets with everything that they lead to. Empty, together with `vaults`: the whole platform. */
  readonly markets: readonly Address[];
  readonly vaults: readonly Address[];
  /** Their obligations, token accounts and stakes are added. */
  readonly wallets: readonly Address[];
  /** Any further accounts. */
  readonly accounts: readonly Address[];
}

export const USAGE = `Writes accounts of the platform to files, one for each, as the tests on real accounts read them.

npm run dump -- --rpc URL --out DIR [options]
  --market ADDRESS    this market and what it leads to; repeatable
  --vault ADDRESS     this vault and what it leads to; repeatable
                      default: all markets and vaults
  --wallet ADDRESS    also the positions of this wallet; repeatable
  --account ADDRESS   also this account; repeatable
`;

/** Null when the arguments are invalid. */
export function readArguments(args: readonly string[]): DumpCommand | null {
  const values = parsed(args);
  if (values === null) return null;
  const { rpc = '', out = '' } = values;
  const lists = [values.market, values.vault, values.wallet, values.account].map(addresses);
  const [markets, vaults, wallets, accounts] = lists;
  if (!markets || !vaults || !wallets || !accounts) return null;
  if (out === '' || !URL.canParse(rpc) || !/^https?:$/.test(new URL(rpc).protocol)) return null;
  return { rpc, out, markets, vaults, wallets, accounts };
}

function parsed(args: readonly string[]) {
  const address = { type: 'string', multiple: true } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        rpc: { type: 'string' },
        out: { type: 'string' },
        market: address,
        vault: address,
        wallet: address,
        account: address,
      },
    }).values;
  } catch {
    return null;
  }
}

function addresses(given: readonly string[] = []): readonly Address[] | null {
  return given.every((text) => isAddress(text)) ? (given as readonly Address[]) : null;
}

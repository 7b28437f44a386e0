import { type Address, isAddress } from '@solana/kit';
import { defineCommand } from '../define-command.ts';

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

const ADDRESSES = { type: 'string', multiple: true } as const;

export const DUMP = defineCommand({
  usage: `Writes accounts of the platform to files, one for each, as the tests on real accounts read them.

npm run dump -- --rpc URL --out DIR [options]
  --market ADDRESS    this market and what it leads to; repeatable
  --vault ADDRESS     this vault and what it leads to; repeatable
                      default: all markets and vaults
  --wallet ADDRESS    also the positions of this wallet; repeatable
  --account ADDRESS   also this account; repeatable
`,
  options: {
    rpc: { type: 'string' },
    out: { type: 'string' },
    market: ADDRESSES,
    vault: ADDRESSES,
    wallet: ADDRESSES,
    account: ADDRESSES,
  },
  accept({ values }): DumpCommand | null {
    const { rpc = '', out = '' } = values;
    const lists = [values.market, values.vault, values.wallet, values.account].map(addresses);
    const [markets, vaults, wallets, accounts] = lists;
    if (!markets || !vaults || !wallets || !accounts) return null;
    if (out === '' || !URL.canParse(rpc) || !/^https?:$/.test(new URL(rpc).protocol)) return null;
    return { rpc, out, markets, vaults, wallets, accounts };
  },
});

function addresses(given: readonly string[] = []): readonly Address[] | null {
  return given.every((text) => isAddress(text)) ? (given as readonly Address[]) : null;
}

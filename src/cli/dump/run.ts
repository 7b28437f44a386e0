import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { createEndpointPool, type EndpointPool } from '@sluice/rpc-pool';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/accounts/account-page.ts';
import { AccountReader } from '../../chain/accounts/account-reader.ts';
import {
  readObligations,
  readStakes,
  readTokenAccounts,
  readWithdrawTickets,
} from '../../chain/session/wallet-reads.ts';
import { EXPECTED_BYTES } from '../../chain/view/kinds.ts';
import type { View } from '../../chain/view/view.ts';
import { ViewKeeper } from '../../chain/view/view-keeper.ts';
import { ViewStore } from '../../chain/view/view-store.ts';
import type { Config } from '../../config/config.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { DumpCommand } from './arguments.ts';
import { allAccounts, selectAccounts } from './select-accounts.ts';
import { isFree, writeDump } from './write-dump.ts';

/** The accounts of a dump and the slots at which they were read. */
interface DumpedAccounts {
  readonly accounts: readonly ChainAccount[];
  readonly missing: readonly Address[];
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
}

/**
 * Reads accounts from the RPC endpoint of the command and writes them to its folder.
 * @param config settings other than the endpoint: program addresses, commitment and time limits
 * @param signal stops the command; nothing is written then
 * @throws SluiceError when the endpoint fails or the folder is not empty
 */
export async function runDump(
  config: Config,
  command: DumpCommand,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isFree(command.out))) {
    throw new SluiceError('CONFIG_INVALID', {
      variable: '--out',
      allowed: 'must be a folder that does not exist or is empty',
    });
  }
  const pool = createEndpointPool({
    urls: [command.rpc],
    timeoutMs: config.RPC_TIMEOUT_MS,
    maxAttempts: config.RPC_MAX_ATTEMPTS,
    maxConcurrencyPerEndpoint: config.RPC_CONCURRENCY,
    allowsWarp: config.SOLANA_CLUSTER === 'localnet',
  });
  try {
    const { accounts, missing, slot, unixTimestamp } = await readAccounts(pool, config, command, signal);
    const genesis = await pool.rpc.getGenesisHash().send({ abortSignal: signal });
    const moment = { genesis, slot: String(slot), unixTimestamp: String(unixTimestamp) };
    await writeDump(command.out, moment, accounts);
    const bytes = accounts.reduce((sum, { data }) => sum + data.length, 0);
    print(`${accounts.length} accounts of ${(bytes / 1e6).toFixed(1)} MB at slot ${slot}, in ${command.out}`);
    for (const address of missing) print(`there is no account at ${address}`);
  } finally {
    await pool.close();
  }
}

async function readAccounts(
  pool: EndpointPool,
  config: Config,
  command: DumpCommand,
  signal: AbortSignal,
): Promise<DumpedAccounts> {
  const reader = new AccountReader(pool.rpc, { commitment: config.SOLANA_COMMITMENT });
  const view = await readView(pool, reader, config, signal);
  const anySlot = { minSlot: 0n, signal };
  // Their size is unknown: small pages.
  const size = EXPECTED_BYTES.vault;
  const named = await readEach(reader, new Map(command.accounts.map((at) => [at, size])), anySlot);
  const positions = [...named.accounts, ...(await positionsOf(pool, config, command.wallets, signal))];
  const whole = command.markets.length === 0 && command.vaults.length === 0;
  const selected = whole
    ? allAccounts(view)
    : selectAccounts(view, { ...command, obligations: obligationsAmong(positions, config) });
  const { accounts, ...read } = await readEach(reader, selected, anySlot);
  const byAddress = new Map([...accounts, ...positions].map((account) => [account.address, account]));
  return { ...read, accounts: [...byAddress.values()], missing: [...named.missing, ...read.missing] };
}

async function readView(
  pool: EndpointPool,
  reader: AccountReader,
  config: Config,
  signal: AbortSignal,
): Promise<View> {
  const never = Number.POSITIVE_INFINITY;
  const keeper = new ViewKeeper({
    rpc: pool.rpc,
    reader,
    store: new ViewStore(1),
    programs: config.programs,
    commitment: config.SOLANA_COMMITMENT,
    viewRefreshMs: config.VIEW_REFRESH_MS,
    vaultRefreshMs: never,
    discoveryIntervalMs: never,
  });
  return await keeper.read(signal, 'whole');
}

/** Obligations, withdraw tickets, token accounts and stakes of wallets. */
async function positionsOf(
  { rpc }: EndpointPool,
  { programs, SOLANA_COMMITMENT }: Config,
  wallets: readonly Address[],
  signal: AbortSignal,
): Promise<readonly ChainAccount[]> {
  const options = { commitment: SOLANA_COMMITMENT, minSlot: 0n, signal };
  const scans = await Promise.all(
    wallets.flatMap((wallet) => [
      readObligations(rpc, programs.klend, wallet, null, options).then((scan) => [scan]),
      readWithdrawTickets(rpc, programs.klend, wallet, options).then((scan) => [scan]),
      readTokenAccounts(rpc, wallet, options),
      readStakes(rpc, programs.farms, wallet, options).then((scan) => [scan]),
    ]),
  );
  return scans.flat().flatMap(({ accounts }) => accounts);
}

function obligationsAmong(accounts: readonly ChainAccount[], { programs }: Config): readonly Obligation[] {
  const isObligation = ({ owner, data }: ChainAccount) =>
    owner === programs.klend &&
    Buffer.compare(data.subarray(0, obligation.discriminator.length), obligation.discriminator) === 0;
  return accounts.filter(isObligation).map((account) => obligation.decode(account, programs.klend));
}

async function readEach(
  reader: AccountReader,
  wanted: ReadonlyMap<Address, number>,
  options: { readonly minSlot: bigint; readonly signal: AbortSignal },
): Promise<DumpedAccounts> {
  const keys = [...wanted].map(([address, expectedBytes]) => ({ address, expectedBytes }));
  const accounts: ChainAccount[] = [];
  const missing: Address[] = [];
  let [slot, unixTimestamp] = [0n, 0n];
  for (const [i, read] of (await reader.readMany(keys, options)).entries()) {
    if (read instanceof Error) throw read;
    if (read.account !== null) accounts.push(read.account);
    else if (keys[i] !== undefined) missing.push(keys[i].address);
    if (read.page.slot > slot) [slot, unixTimestamp] = [read.page.slot, read.page.clock.unixTimestamp];
  }
  return { accounts, missing, slot, unixTimestamp };
}

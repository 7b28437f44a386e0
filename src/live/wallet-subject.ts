import { isDeepStrictEqual } from 'node:util';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { Scanned, WalletAccounts } from '../chain/session/session-reads.ts';
import type { View } from '../chain/view/view.ts';
import type { ObligationRecord, RecordOf } from '../services/request/records.ts';
import type { Session } from '../services/request/session.ts';
import { isObligationModified } from './account-changes.ts';
import type { ChangeReason, Subject } from './update.ts';
import {
  type Dependencies,
  mergeDependencies,
  obligationDependencies,
  valueChange,
  vaultDependencies,
} from './value-changes.ts';

/** The holdings of a wallet that decide whether it changed. */
export interface WalletState {
  readonly address: Address;
  readonly view: View;
  readonly lamports: bigint;
  /** Base units by mint. */
  readonly balances: ReadonlyMap<Address, bigint>;
  readonly obligations: ReadonlyMap<Address, ObligationRecord>;
  /** Its stakes and those of its obligations, in every farm. */
  readonly stakes: ReadonlyMap<Address, RecordOf<'farmUser'>>;
  /** Its places in the withdraw queues of reserves. */
  readonly tickets: ReadonlyMap<Address, RecordOf<'withdrawTicket'>>;
}

/** A search for a wallet's accounts is reused for this long while its SOL balance is unchanged. */
const SEARCH_TTL_MS = 60_000;
/** With more token accounts a search costs less than reading each of them. */
const MAX_ACCOUNTS_TO_READ = 200;

/** A search for the accounts of a wallet. */
export interface WalletSearch extends WalletAccounts {
  readonly atMs: number;
  readonly lamports: bigint;
  /** Base units by mint. */
  readonly balances: ReadonlyMap<Address, bigint>;
  /** Number of vault farms at the time. */
  readonly farms: number;
}

/** The last search of each wallet, shared by all its subscriptions. */
export interface WalletSearches {
  get(address: Address): WalletSearch | undefined;
  set(address: Address, search: WalletSearch): void;
}

/**
 * Searching for the accounts of a wallet takes five RPC calls; reading accounts with known addresses is batched with all
 * other reads. So the search is repeated only when the wallet's SOL balance has changed, as with every transaction that it
 * pays for, and once a minute for transfers from others into new accounts.
 *
 * A View with positions needs no search for these. SOL and tokens that are not shares are not in it: they are read once a
 * minute.
 */
export function walletSubject(
  address: Address,
  searches: WalletSearches,
  now: () => number = () => performance.now(),
): Subject<WalletState> {
  return {
    async read(session) {
      const known = searches.get(address);
      const search = known !== undefined && now() - known.atMs < SEARCH_TTL_MS ? known : undefined;
      if (session.view.positions !== null && search !== undefined)
        return new Map([[address, await residentWallet(session, address, search)]]);
      const own = await session.account(address, 0);
      const lamports = own?.lamports ?? 0n;
      const farms = farmsOfVaults(session.view);
      const isFresh =
        search !== undefined &&
        search.lamports === lamports &&
        search.farms === farms.length &&
        search.tokenAccounts.length <= MAX_ACCOUNTS_TO_READ;
      if (isFresh) session.recall(address, search);
      const read = await readWallet(session, address, farms, lamports);
      if (!isFresh) {
        const { balances } = read.wallet;
        searches.set(address, { ...read.accounts, atMs: now(), lamports, balances, farms: farms.length });
      }
      return new Map([[address, read.wallet]]);
    },
    change: walletChange,
  };
}

/** A wallet as the View has it, with the balances of a search for what it does not have. */
async function residentWallet(
  session: Session,
  address: Address,
  { lamports, balances: searched }: WalletSearch,
): Promise<WalletState> {
  const { view } = session;
  const [shares, obligations, stakes, tickets] = await Promise.all([
    session.shareAccountsOf(address),
    session.obligationsOf(address, null),
    session.stakesOf(address),
    session.withdrawTicketsOf(address),
  ]);
  const others = [...searched].filter(([mint]) => view.vaultOfShares(mint) === undefined);
  const balances = new Map([...others, ...byMint(shares)]);
  return { address, view, lamports, balances, ...byAddress(obligations, stakes, tickets) };
}

function byAddress(
  obligations: Scanned<'obligation'>,
  stakes: Scanned<'farmUser'>,
  tickets: Scanned<'withdrawTicket'>,
): Pick<WalletState, 'obligations' | 'stakes' | 'tickets'> {
  return {
    obligations: new Map(obligations.found.map((record) => [record.address, record])),
    stakes: new Map(stakes.found.map((record) => [record.address, record])),
    tickets: new Map(tickets.found.map((record) => [record.address, record])),
  };
}

function byMint(accounts: readonly RecordOf<'tokenAccount'>[]): Map<Address, bigint> {
  const balances = new Map<Address, bigint>();
  for (const { value } of accounts) balances.set(value.mint, (balances.get(value.mint) ?? 0n) + value.amount);
  return balances;
}

async function readWallet(session: Session, address: Address, farms: readonly Address[], lamports: bigint) {
  const stakeOf = (farm: Address) => farmUserState(session.programs.farms, farm, address).address;
  const [tokens, obligations, stakes, tickets] = await Promise.all([
    session.tokenAccountsOf(address),
    session.obligationsOf(address, null),
    session.stakesOf(address),
    session.withdrawTicketsOf(address),
  ]);
  const wallet: WalletState = {
    address,
    view: session.view,
    lamports,
    balances: byMint(tokens),
    ...byAddress(obligations, stakes, tickets),
  };
  const staked = new Set([...wallet.stakes.keys(), ...stakes.unreadable.keys()]);
  const accounts: WalletAccounts = {
    tokenAccounts: tokens.map((record) => record.address),
    obligations: [...obligations.found.map((record) => record.address), ...obligations.unreadable.keys()],
    stakes: [...staked],
    withdrawTickets: [...wallet.tickets.keys(), ...tickets.unreadable.keys()],
    absent: farms.map(stakeOf).filter((stake) => !staked.has(stake)),
  };
  return { wallet, accounts };
}

function farmsOfVaults(view: View): Address[] {
  const farms = [...view.all('vault').values()].flatMap(({ value }) => presentAddress(value.vaultFarm) ?? []);
  return [...new Set(farms)];
}

function walletChange(before: WalletState, after: WalletState): ChangeReason | null {
  const isModified =
    before.lamports !== after.lamports ||
    !isDeepStrictEqual(before.balances, after.balances) ||
    !isDeepStrictEqual(bytesOf(before.stakes), bytesOf(after.stakes)) ||
    !isDeepStrictEqual(bytesOf(before.tickets), bytesOf(after.tickets)) ||
    before.obligations.size !== after.obligations.size ||
    [...after.obligations].some(([address, now]) => {
      const then = before.obligations.get(address);
      return then === undefined || isObligationModified(then.value, now.value);
    });
  return isModified ? 'ACCOUNT' : valueChange(before.view, after.view, walletDependencies(after));
}

const bytesOf = (records: ReadonlyMap<Address, { readonly data: Uint8Array }>) =>
  new Map([...records].map(([address, { data }]) => [address, data]));

function walletDependencies({ view, balances, stakes, tickets, obligations }: WalletState): Dependencies {
  const shares = [...balances].flatMap(([mint, amount]) =>
    amount > 0n ? (view.vaultOfShares(mint) ?? []) : [],
  );
  const farms = new Set([...stakes.values()].map(({ value }) => value.farmState));
  const staked = [...view.all('vault').values()].filter(({ value }) => farms.has(value.vaultFarm));
  const held = [...balances].filter(([, amount]) => amount > 0n).map(([mint]) => mint);
  return mergeDependencies([
    { reserves: new Set([...tickets.values()].map(({ value }) => value.reserve)), mints: new Set(held) },
    ...[...shares, ...staked].map(vaultDependencies),
    ...[...obligations.values()].map(({ value }) => obligationDependencies(value)),
  ]);
}

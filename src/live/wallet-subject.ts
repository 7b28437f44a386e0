import { isDeepStrictEqual } from 'node:util';
import type { Address } from '@solana/kit';
import type { WalletAccounts } from '../chain/session.ts';
import type { View } from '../chain/view.ts';
import { farmUserState } from '../programs/farms/addresses.ts';
import { userState } from '../programs/farms/user-state.ts';
import { presentAddress } from '../programs/program-ids.ts';
import type { ObligationRecord, Session } from '../services/records.ts';
import { isObligationActedUpon } from './account-changes.ts';
import type { ChangeReason, Subject } from './update.ts';
import { type Footing, footings, groundChange, obligationFooting, vaultFooting } from './value-changes.ts';

/** What a wallet has, as far as it decides whether there is something to tell. */
export interface SeenWallet {
  readonly address: Address;
  readonly view: View;
  readonly lamports: bigint;
  /** Base units by mint. */
  readonly balances: ReadonlyMap<Address, bigint>;
  readonly obligations: ReadonlyMap<Address, ObligationRecord>;
  /** Bytes of its stakes in the farms of vaults, by farm. */
  readonly stakes: ReadonlyMap<Address, Uint8Array>;
}

/** How long a search for a wallet's accounts counts as complete, unless the wallet's SOL tells that it has acted. */
const SEARCHED_FOR_MS = 60_000;
/** Beyond so many accounts one search costs less than reading each of them. */
const MOST_READ_ONE_BY_ONE = 200;

interface Search extends WalletAccounts {
  readonly atMs: number;
  readonly lamports: bigint;
  /** Farms of vaults that it knew of. */
  readonly farms: number;
}

/**
 * Searching for what belongs to a wallet takes three calls; reading accounts whose addresses are known shares its calls
 * with everybody else's. So the search is made again only when the wallet's SOL has changed, as it does with every
 * transaction that it pays for, and once a minute for what others send to accounts that are new.
 */
export function walletSubject(
  address: Address,
  now: () => number = () => performance.now(),
): Subject<SeenWallet> {
  let search: Search | null = null;
  return {
    async read(session) {
      const own = await session.account(address, 0);
      const lamports = own?.lamports ?? 0n;
      const farms = farmsOfVaults(session.view);
      const isFresh =
        search !== null &&
        search.lamports === lamports &&
        search.farms === farms.length &&
        now() - search.atMs < SEARCHED_FOR_MS &&
        search.tokenAccounts.length <= MOST_READ_ONE_BY_ONE;
      if (isFresh && search !== null) session.recall(address, search);
      const seen = await look(session, address, farms, lamports);
      if (!isFresh) search = { ...seen.places, atMs: now(), lamports, farms: farms.length };
      return new Map([[address, seen.wallet]]);
    },
    change: walletChange,
  };
}

async function look(session: Session, address: Address, farms: readonly Address[], lamports: bigint) {
  const stakeOf = (farm: Address) => farmUserState(session.programs.farms, farm, address).address;
  const [tokens, obligations, stakes] = await Promise.all([
    session.tokenAccountsOf(address),
    session.obligationsOf(address, null),
    Promise.all(farms.map((farm) => session.account(stakeOf(farm), userState.size))),
  ]);
  const balances = new Map<Address, bigint>();
  for (const { value } of tokens) balances.set(value.mint, (balances.get(value.mint) ?? 0n) + value.amount);
  const wallet: SeenWallet = {
    address,
    view: session.view,
    lamports,
    balances,
    obligations: new Map(obligations.map((record) => [record.address, record])),
    stakes: new Map(farms.flatMap((farm, i) => (stakes[i] ? [[farm, stakes[i].data] as const] : []))),
  };
  const places: WalletAccounts = {
    tokenAccounts: tokens.map((record) => record.address),
    obligations: obligations.map((record) => record.address),
    absent: farms.filter((_, i) => stakes[i] === null).map(stakeOf),
  };
  return { wallet, places };
}

function farmsOfVaults(view: View): Address[] {
  const farms = [...view.all('vault').values()].flatMap(({ value }) => presentAddress(value.vaultFarm) ?? []);
  return [...new Set(farms)];
}

function walletChange(before: SeenWallet, after: SeenWallet): ChangeReason | null {
  const isTouched =
    before.lamports !== after.lamports ||
    !isDeepStrictEqual(before.balances, after.balances) ||
    !isDeepStrictEqual(before.stakes, after.stakes) ||
    before.obligations.size !== after.obligations.size ||
    [...after.obligations].some(([address, now]) => {
      const then = before.obligations.get(address);
      return then === undefined || isObligationActedUpon(then.value, now.value);
    });
  return isTouched ? 'ACCOUNT' : groundChange(before.view, after.view, walletFooting(after));
}

function walletFooting({ view, balances, stakes, obligations }: SeenWallet): Footing {
  const shares = [...balances].flatMap(([mint, amount]) =>
    amount > 0n ? (view.vaultOfShares(mint) ?? []) : [],
  );
  const staked = [...view.all('vault').values()].filter(({ value }) => stakes.has(value.vaultFarm));
  const held = [...balances].filter(([, amount]) => amount > 0n).map(([mint]) => mint);
  return footings([
    { reserves: new Set(), mints: new Set(held) },
    ...[...shares, ...staked].map(vaultFooting),
    ...[...obligations.values()].map(({ value }) => obligationFooting(value)),
  ]);
}

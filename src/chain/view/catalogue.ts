import type { RawAccount } from '@sluice/protocol/layout/account';
import { presentAddress, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { farmRewards } from '../../domain/rewards.ts';
import { type CodedError, isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { ChainAccount } from '../accounts/account-page.ts';
import type { Positions } from '../positions/positions.ts';
import { ACCOUNT_HEADS, withAccountHead } from './account-heads.ts';
import {
  type Decoders,
  KINDS,
  type Kind,
  type KindValues,
  type LiveValues,
  NAMES,
  type WantedAccount,
} from './kinds.ts';
import { type Catalogue, type Held, View, type ViewMoment } from './view.ts';
import type { ViewUpdate } from './view-update.ts';

type HeldByKind = { [K in Kind]: Map<Address, Held<KindValues[K]>> };

function emptyByKind<T>(): { readonly [K in Kind]: Map<Address, T> } {
  return Object.fromEntries(KINDS.map((kind) => [kind, new Map<Address, T>()])) as Record<
    Kind,
    Map<Address, T>
  >;
}

/**
 * Collects accounts as they are read or announced, holds the newest version of each, and builds Views from them. An
 * account whose bytes have not changed keeps its decoded form.
 */
export class CatalogueBuilder {
  readonly #decoders: Decoders;
  readonly #held: HeldByKind = {
    market: new Map(),
    reserve: new Map(),
    vault: new Map(),
    farm: new Map(),
    mint: new Map(),
    table: new Map(),
    oracle: new Map(),
  };
  /**
   * By kind: anyone can create a vault that names a mint as its farm, and the failed farm must not replace the mint.
   */
  readonly #broken = emptyByKind<CodedError>();
  /** The newest slot at which each address was seen as a kind, present or not. */
  readonly #seenAt = emptyByKind<bigint>();
  /** Copies shared with the last View, by kind; dropped when an account of the kind changes. */
  readonly #shared = new Map<Kind, ReadonlyMap<Address, unknown>>();

  /** Accounts to hold although no account on chain points to them. */
  readonly #extra: readonly WantedAccount[];

  constructor(decoders: Decoders, extra: readonly WantedAccount[] = []) {
    this.#decoders = decoders;
    this.#extra = extra;
  }

  /** Adds what was read at an address, unless a newer version is held. */
  take(kind: Kind, address: Address, account: ChainAccount | null, slot: bigint): void {
    this.#take(kind, address, account, slot);
  }

  #take(kind: Kind, address: Address, account: RawAccount | null, slot: bigint): void {
    const seenAt = this.#seenAt[kind].get(address);
    if (seenAt !== undefined && seenAt > slot) return;
    this.#seenAt[kind].set(address, slot);
    const held = this.#held[kind].get(address);
    if (account !== null && held !== undefined && unchanged(held, account)) return;
    this.#shared.delete(kind);
    try {
      if (account === null) throw new SluiceError('ACCOUNT_NOT_FOUND', { account: NAMES[kind], address });
      const value = this.#decode(kind, account, held);
      this.#put(kind, { address, owner: account.owner, data: account.data, value, slot });
      this.#broken[kind].delete(address);
    } catch (error) {
      if (!isCodedError(error)) throw error;
      this.#held[kind].delete(address);
      this.#broken[kind].set(address, error);
    }
  }

  /**
   * Adds the head of an account whose earlier bytes are held.
   *
   * @returns `UNKNOWN` when the account has to be read whole: more than the head has changed, or that cannot be told. An
   * account that is to be taken once its settings are known to be as before.
   */
  takeHead(
    kind: Kind,
    address: Address,
    head: ChainAccount | null,
    slot: bigint,
  ): 'TAKEN' | 'UNKNOWN' | ChainAccount {
    const seenAt = this.#seenAt[kind].get(address);
    if (seenAt !== undefined && seenAt > slot) return 'TAKEN';
    const held = this.#held[kind].get(address);
    if (head === null || held === undefined) return 'UNKNOWN';
    if (head.owner !== held.owner || head.space !== held.data.length) return 'UNKNOWN';
    // Some proxies ignore slices.
    const isWhole = head.data.length === head.space;
    const data = isWhole ? head.data : withAccountHead(kind, held.data, head.data);
    if (data === null) return 'UNKNOWN';
    const account = { ...head, data };
    if (!isWhole && data !== held.data && ACCOUNT_HEADS[kind]?.settings !== undefined) return account;
    this.take(kind, address, account, slot);
    return 'TAKEN';
  }

  /** Takes over what another process has read, whatever is held. */
  adopt({ whole, accounts, failed, removed }: ViewUpdate): void {
    if (whole) this.#retainListed([...accounts, ...failed]);
    for (const { kind, address, owner, data, slot } of accounts) {
      this.#seenAt[kind].delete(address);
      const held = this.#held[kind].get(address);
      // Its slot is part of what is shared, even if the bytes are held already.
      if (held !== undefined && held.slot !== slot) this.#put(kind, { ...held, slot });
      this.#shared.delete(kind);
      this.#take(kind, address, { address, owner, data }, slot);
    }
    for (const { kind, address, error } of failed) {
      this.#drop(kind, address);
      this.#broken[kind].set(address, error);
      this.#seenAt[kind].set(address, 0n);
    }
    for (const { kind, address } of removed) this.#drop(kind, address);
  }

  /** Resets to the accounts of a View and drops everything that was read since. */
  reset(view: View | undefined): void {
    for (const kind of KINDS) {
      this.retain(kind, new Set());
      for (const [address, held] of view?.all(kind) ?? []) {
        this.#put(kind, held);
        this.#seenAt[kind].set(address, held.slot);
      }
      for (const [address, error] of view?.unreadable(kind) ?? []) {
        this.#broken[kind].set(address, error);
        this.#seenAt[kind].set(address, 0n);
      }
    }
  }

  #retainListed(listed: readonly WantedAccount[]): void {
    const byKind = emptyByKind<true>();
    for (const { kind, address } of listed) byKind[kind].set(address, true);
    for (const kind of KINDS) this.retain(kind, byKind[kind]);
  }

  #drop(kind: Kind, address: Address): void {
    this.#held[kind].delete(address);
    this.#broken[kind].delete(address);
    this.#seenAt[kind].delete(address);
    this.#shared.delete(kind);
  }

  /** Removes the accounts of a kind that discovery no longer lists. */
  retain(kind: Kind, addresses: Pick<ReadonlySet<Address>, 'has'>): void {
    for (const address of this.known(kind)) if (!addresses.has(address)) this.#drop(kind, address);
  }

  /** Addresses of a kind that have been read, whether or not they could be decoded. */
  known(kind: Kind): readonly Address[] {
    return [...this.#held[kind].keys(), ...this.#broken[kind].keys()];
  }

  /** Addresses of a kind whose account is held. */
  held(kind: Kind): readonly Address[] {
    return [...this.#held[kind].keys()];
  }

  /** Undefined when no account is held. */
  bytesOf(kind: Kind, address: Address): RawAccount | undefined {
    return this.#held[kind].get(address);
  }

  /** Wanted addresses that have not been read yet: those that accounts of the kind point to, or all. */
  unread(by?: Kind): readonly WantedAccount[] {
    const wanted = emptyByKind<Kind>();
    const want = (kind: Kind, address: Address) => {
      if (presentAddress(address) !== null && !this.#seenAt[kind].has(address)) {
        wanted[kind].set(address, kind);
      }
    };
    const { reserve, vault, farm } = this.#held;
    if (by === undefined) {
      want('mint', WRAPPED_SOL_MINT);
      for (const { kind, address } of this.#extra) want(kind, address);
    }
    if (by === undefined || by === 'reserve')
      for (const { value } of reserve.values()) reservePoints(value, want);
    if (by === undefined || by === 'vault') for (const { value } of vault.values()) vaultPoints(value, want);
    if (by === undefined || by === 'farm') for (const { value } of farm.values()) farmPoints(value, want);
    return KINDS.flatMap((kind) => [...wanted[kind].keys()].map((address) => ({ kind, address })));
  }

  /** A View of the accounts held now, with the positions of wallets. */
  view(moment: ViewMoment, positions: Positions | null = null): View {
    const maps = KINDS.map((kind) => {
      const map = this.#shared.get(kind) ?? new Map<Address, unknown>(this.#held[kind]);
      this.#shared.set(kind, map);
      return [kind, map] as const;
    });
    return new View(
      moment,
      Object.fromEntries(maps) as unknown as Catalogue,
      new Map(KINDS.map((kind) => [kind, new Map(this.#broken[kind])])),
      positions,
    );
  }

  #decode<K extends Kind>(
    kind: K,
    account: RawAccount,
    last: Held<KindValues[Kind]> | undefined,
  ): LiveValues[K] {
    return this.#decoders[kind](account, last?.value as LiveValues[K] | undefined);
  }

  #put<K extends Kind>(kind: K, held: Held<KindValues[Kind]>): void {
    (this.#held[kind] as Map<Address, Held<KindValues[Kind]>>).set(held.address, held);
  }
}

/** Called with each account that another one points to. */
export type Want = (kind: Kind, address: Address) => void;

export function reservePoints(value: KindValues['reserve'], want: Want): void {
  want('mint', value.liquidity.mintPubkey);
  want('mint', value.collateral.mintPubkey);
  want('farm', value.farmCollateral);
  want('farm', value.farmDebt);
  want('oracle', value.config.tokenInfo.scopeConfiguration.priceFeed);
}

export function vaultPoints(value: KindValues['vault'], want: Want): void {
  want('mint', value.tokenMint);
  want('mint', value.sharesMint);
  want('farm', value.vaultFarm);
  want('table', value.vaultLookupTable);
}

export function farmPoints(value: KindValues['farm'], want: Want): void {
  want('mint', value.token.mint);
  for (const { info } of farmRewards(value)) want('mint', info.token.mint);
}

function unchanged(held: Held<unknown>, account: RawAccount): boolean {
  return held.owner === account.owner && Buffer.compare(held.data, account.data) === 0;
}

import type { Address } from '@solana/kit';
import { farmRewards } from '../domain/rewards.ts';
import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';
import { presentAddress, WRAPPED_SOL_MINT } from '../programs/program-ids.ts';
import type { ChainAccount } from './account-page.ts';
import { type Decoders, KINDS, type Kind, type KindValues, NAMES } from './kinds.ts';
import { type Catalogue, type Held, View, type ViewMoment } from './view.ts';

type HeldByKind = { [K in Kind]: Map<Address, Held<KindValues[K]>> };

/**
 * The growing side of the catalogue: takes accounts as they are read or announced, keeps what is newest of each, and
 * makes Views of it. An account whose bytes have not changed keeps its decoded form.
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
  readonly #broken = new Map<Address, { readonly kind: Kind; readonly error: SluiceError }>();
  /** The newest slot at which each address was seen, present or not. */
  readonly #seenAt = new Map<Address, bigint>();
  /** Copies that the last View shares, by kind; dropped when the kind changes. */
  readonly #shared = new Map<Kind, ReadonlyMap<Address, unknown>>();

  constructor(decoders: Decoders) {
    this.#decoders = decoders;
  }

  /** Takes what was read at an address. What is older than what is known is left aside. */
  take(kind: Kind, address: Address, account: ChainAccount | null, slot: bigint): void {
    const seenAt = this.#seenAt.get(address);
    if (seenAt !== undefined && seenAt > slot) return;
    this.#seenAt.set(address, slot);
    const held = this.#held[kind].get(address);
    if (account !== null && held !== undefined && unchanged(held, account)) return;
    this.#shared.delete(kind);
    try {
      if (account === null) throw new SluiceError('ACCOUNT_NOT_FOUND', { account: NAMES[kind], address });
      const value = this.#decoders[kind](account);
      this.#put(kind, { address, owner: account.owner, data: account.data, value, slot });
      this.#broken.delete(address);
    } catch (error) {
      if (!isSluiceError(error)) throw error;
      this.#held[kind].delete(address);
      this.#broken.set(address, { kind, error });
    }
  }

  /** Forgets the accounts of a kind that discovery no longer lists. */
  retain(kind: Kind, addresses: ReadonlySet<Address>): void {
    for (const address of this.known(kind)) {
      if (addresses.has(address)) continue;
      this.#held[kind].delete(address);
      this.#broken.delete(address);
      this.#seenAt.delete(address);
      this.#shared.delete(kind);
    }
  }

  /** Addresses of a kind that have been read, whether they could be used or not. */
  known(kind: Kind): readonly Address[] {
    const broken = [...this.#broken].filter(([, each]) => each.kind === kind).map(([address]) => address);
    return [...this.#held[kind].keys(), ...broken];
  }

  /** Addresses that held accounts point to and that have not been read yet. */
  unread(): readonly { readonly kind: Kind; readonly address: Address }[] {
    const wanted = new Map<Address, Kind>();
    const want = (kind: Kind, address: Address) => {
      if (presentAddress(address) !== null && !this.#seenAt.has(address)) wanted.set(address, kind);
    };
    want('mint', WRAPPED_SOL_MINT);
    for (const { value } of this.#held.reserve.values()) {
      want('mint', value.liquidity.mintPubkey);
      want('mint', value.collateral.mintPubkey);
      want('farm', value.farmCollateral);
      want('farm', value.farmDebt);
      want('oracle', value.config.tokenInfo.scopeConfiguration.priceFeed);
    }
    for (const { value } of this.#held.vault.values()) {
      want('mint', value.tokenMint);
      want('mint', value.sharesMint);
      want('farm', value.vaultFarm);
      want('table', value.vaultLookupTable);
    }
    for (const { value } of this.#held.farm.values()) {
      want('mint', value.token.mint);
      for (const { info } of farmRewards(value)) want('mint', info.token.mint);
    }
    return [...wanted].map(([address, kind]) => ({ kind, address }));
  }

  /** A View of what is held now. */
  view(moment: ViewMoment): View {
    const maps = KINDS.map((kind) => {
      const map = this.#shared.get(kind) ?? new Map<Address, unknown>(this.#held[kind]);
      this.#shared.set(kind, map);
      return [kind, map] as const;
    });
    return new View(
      moment,
      Object.fromEntries(maps) as unknown as Catalogue,
      new Map([...this.#broken].map(([address, { error }]) => [address, error])),
    );
  }

  #put<K extends Kind>(kind: K, held: Held<KindValues[Kind]>): void {
    (this.#held[kind] as Map<Address, Held<KindValues[Kind]>>).set(held.address, held);
  }
}

function unchanged(held: Held<unknown>, account: ChainAccount): boolean {
  return held.owner === account.owner && Buffer.compare(held.data, account.data) === 0;
}

import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { usedAllocations } from '../../domain/vault.ts';
import type { CodedError } from '../../errors/sluice-error.ts';
import type { Positions } from '../positions/positions.ts';
import type { Kind, KindValues } from './kinds.ts';

/** An account in a View. Its decoded form is reused until the bytes change. */
export interface Held<T> {
  readonly address: Address;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly value: T;
  /** The slot at which these bytes were first seen. */
  readonly slot: bigint;
}

const NONE: ReadonlyMap<Address, CodedError> = new Map();

export type Catalogue = { readonly [K in Kind]: ReadonlyMap<Address, Held<KindValues[K]>> };

/** Kinds of accounts that transactions of the platform change, or that decide about their value. */
export type ReplacedKind = 'reserve' | 'vault' | 'farm' | 'oracle';

/** The moment of a View, at which everything in it is evaluated. */
export interface ViewMoment extends Moment {
  /** Identifies the View among those of all gateways. */
  readonly id: string;
  /** Increases by one with each View of this process, to tell the newer of two. Never leaves the process as an identity. */
  readonly number: number;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly builtAtMs: number;
  /** Lowest and highest slot of the reads of the last refresh. */
  readonly slotMin: bigint;
  readonly slotMax: bigint;
  /** Every account of the View was read at this slot or later. Between two whole reads, heads of reserves and vaults advance. */
  readonly slotWhole: bigint;
  readonly torn: boolean;
}

/**
 * An immutable snapshot of the catalogue. A request holds one View from start to end, so its numbers agree with each other
 * and with every other request on the same View.
 */
export class View {
  readonly moment: ViewMoment;
  /** The accounts of all wallets at the View's slot; null while no source delivers all of them. */
  readonly positions: Positions | null;
  readonly #catalogue: Catalogue;
  readonly #broken: ReadonlyMap<Kind, ReadonlyMap<Address, CodedError>>;
  #links: Links | undefined;

  constructor(
    moment: ViewMoment,
    catalogue: Catalogue,
    broken: ReadonlyMap<Kind, ReadonlyMap<Address, CodedError>>,
    positions: Positions | null = null,
  ) {
    this.moment = moment;
    this.positions = positions;
    this.#catalogue = catalogue;
    this.#broken = broken;
  }

  /** The account, the error of decoding it, or undefined when the catalogue does not have it. */
  find<K extends Kind>(kind: K, address: Address): Held<KindValues[K]> | CodedError | undefined {
    return this.#catalogue[kind].get(address) ?? this.#broken.get(kind)?.get(address);
  }

  /** The account, or undefined when it is missing or cannot be decoded. */
  get<K extends Kind>(kind: K, address: Address): Held<KindValues[K]> | undefined {
    return this.#catalogue[kind].get(address);
  }

  /** The errors of accounts of a kind that are missing or cannot be decoded, by address. */
  unreadable(kind: Kind): ReadonlyMap<Address, CodedError> {
    return this.#broken.get(kind) ?? NONE;
  }

  /** All accounts of a kind, by address. */
  all<K extends Kind>(kind: K): ReadonlyMap<Address, Held<KindValues[K]>> {
    return this.#catalogue[kind];
  }

  /**
   * This View at another moment and with other accounts in the place of some: a state that is not on the chain, such as the
   * one that a simulated transaction would leave. It has no positions.
   */
  with(moment: Pick<Moment, 'slot' | 'timestamp'>, replaced: Pick<Catalogue, ReplacedKind>): View {
    const { reserve, vault, farm, oracle } = this.#catalogue;
    const catalogue = {
      ...this.#catalogue,
      reserve: new Map([...reserve, ...replaced.reserve]),
      vault: new Map([...vault, ...replaced.vault]),
      farm: new Map([...farm, ...replaced.farm]),
      oracle: new Map([...oracle, ...replaced.oracle]),
    };
    return new View({ ...this.moment, ...moment }, catalogue, this.#broken);
  }

  reservesOfMarket(market: Address): readonly Held<KindValues['reserve']>[] {
    return this.#linked().reservesOfMarket.get(market) ?? [];
  }

  reservesOfMint(mint: Address): readonly Held<KindValues['reserve']>[] {
    return this.#linked().reservesOfMint.get(mint) ?? [];
  }

  /** The reserve whose supply or debt earns a farm's rewards. */
  reserveOfFarm(farm: Address): Held<KindValues['reserve']> | undefined {
    return this.#linked().reserveOfFarm.get(farm);
  }

  vaultsOfReserve(reserve: Address): readonly Held<KindValues['vault']>[] {
    return this.#linked().vaultsOfReserve.get(reserve) ?? [];
  }

  vaultsOfMint(mint: Address): readonly Held<KindValues['vault']>[] {
    return this.#linked().vaultsOfMint.get(mint) ?? [];
  }

  vaultOfShares(sharesMint: Address): Held<KindValues['vault']> | undefined {
    return this.#linked().vaultOfShares.get(sharesMint);
  }

  #linked(): Links {
    this.#links ??= linksOf(this.#catalogue);
    return this.#links;
  }
}

interface Links {
  readonly reservesOfMarket: ReadonlyMap<Address, readonly Held<KindValues['reserve']>[]>;
  readonly reservesOfMint: ReadonlyMap<Address, readonly Held<KindValues['reserve']>[]>;
  readonly reserveOfFarm: ReadonlyMap<Address, Held<KindValues['reserve']>>;
  readonly vaultsOfReserve: ReadonlyMap<Address, readonly Held<KindValues['vault']>[]>;
  readonly vaultsOfMint: ReadonlyMap<Address, readonly Held<KindValues['vault']>[]>;
  readonly vaultOfShares: ReadonlyMap<Address, Held<KindValues['vault']>>;
}

function linksOf({ reserve: reserves, vault: vaults }: Catalogue): Links {
  const reservesOfMarket = new Map<Address, Held<KindValues['reserve']>[]>();
  const reservesOfMint = new Map<Address, Held<KindValues['reserve']>[]>();
  const reserveOfFarm = new Map<Address, Held<KindValues['reserve']>>();
  const vaultsOfReserve = new Map<Address, Held<KindValues['vault']>[]>();
  const vaultsOfMint = new Map<Address, Held<KindValues['vault']>[]>();
  const vaultOfShares = new Map<Address, Held<KindValues['vault']>>();
  for (const reserve of inOrder(reserves)) {
    append(reservesOfMarket, reserve.value.lendingMarket, reserve);
    append(reservesOfMint, reserve.value.liquidity.mintPubkey, reserve);
    for (const farm of [reserve.value.farmCollateral, reserve.value.farmDebt]) {
      if (presentAddress(farm) !== null) reserveOfFarm.set(farm, reserve);
    }
  }
  for (const vault of inOrder(vaults)) {
    append(vaultsOfMint, vault.value.tokenMint, vault);
    vaultOfShares.set(vault.value.sharesMint, vault);
    for (const { reserve } of usedAllocations(vault.value)) append(vaultsOfReserve, reserve, vault);
  }
  return { reservesOfMarket, reservesOfMint, reserveOfFarm, vaultsOfReserve, vaultsOfMint, vaultOfShares };
}

/** Sorted by address instead of arrival, so that every gateway picks the same one of several. */
function inOrder<T extends { readonly address: Address }>(records: ReadonlyMap<Address, T>): readonly T[] {
  return [...records.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}

function append<K, T>(map: Map<K, T[]>, key: K, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}

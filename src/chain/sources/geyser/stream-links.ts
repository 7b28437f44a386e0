import type { Address } from '@solana/kit';
import { KINDS, type Kind } from '../../view/kinds.ts';
import type { View } from '../../view/view.ts';

/** Kinds that are followed by address, because their programs have many accounts that nothing here points to. */
const BY_ADDRESS: ReadonlySet<Kind> = new Set(['mint', 'table', 'oracle']);

/** What a subscription has to name beside programs: it follows from the catalogue and changes with it. */
export class StreamLinks {
  /** Kinds of each account that is followed by address. */
  readonly kinds = new Map<Address, Kind[]>();
  readonly markets: ReadonlySet<Address>;
  readonly shareMints: ReadonlySet<Address>;
  /** Farms whose stakes are followed. */
  readonly farms: ReadonlySet<Address>;

  constructor(view: View) {
    for (const kind of KINDS) for (const address of namedBy(view, kind)) this.#name(address, kind);
    this.markets = new Set(view.all('market').keys());
    this.shareMints = new Set(sharesOf(view));
    this.farms = new Set(view.all('farm').keys());
  }

  /** Whether they have all that the View needs. */
  covers(view: View): boolean {
    for (const kind of KINDS)
      for (const address of namedBy(view, kind)) if (!this.kinds.get(address)?.includes(kind)) return false;
    for (const mint of sharesOf(view)) if (!this.shareMints.has(mint)) return false;
    for (const farm of view.all('farm').keys()) if (!this.farms.has(farm)) return false;
    return true;
  }

  #name(address: Address, kind: Kind): void {
    const kinds = this.kinds.get(address) ?? [];
    this.kinds.set(address, kinds);
    kinds.push(kind);
  }
}

/** Accounts that cannot be read may have another owner than the program of their kind. */
function* namedBy(view: View, kind: Kind): Generator<Address> {
  if (BY_ADDRESS.has(kind)) yield* view.all(kind).keys();
  yield* view.unreadable(kind).keys();
}

function* sharesOf(view: View): Generator<Address> {
  for (const { value } of view.all('vault').values()) yield value.sharesMint;
}

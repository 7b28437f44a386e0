import type { Address } from '@solana/kit';
import { isCodedError } from '../errors/sluice-error.ts';
import { scannedObligations } from '../services/obligations/wallet-obligations.ts';
import type { ObligationRecord } from '../services/request/records.ts';
import type { Session } from '../services/request/session.ts';
import { type ObligationRead, readObligations } from './read-obligations.ts';

/** Delay after which a new obligation of a wallet is noticed. */
const SEARCH_TTL_MS = 60_000;
/** A search is a scan of the lending program's accounts, much more expensive than reading accounts. */
const SEARCHES_PER_VIEW = 20;

interface Search {
  readonly atMs: number;
  readonly obligations: readonly Address[];
}

/**
 * Finds the obligations of wallets: in the View if it has positions. Otherwise they are searched for once a minute, and read
 * by their addresses in between.
 */
export class WalletObligations {
  readonly #searches = new Map<Address, Search>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The obligations of each wallet; null for one that could not be searched yet. */
  async read(
    session: Session,
    wallets: readonly Address[],
  ): Promise<ReadonlyMap<Address, readonly ObligationRead[] | null>> {
    for (const wallet of this.#searches.keys()) if (!wallets.includes(wallet)) this.#searches.delete(wallet);
    const found = new Map<Address, readonly ObligationRead[] | null>();
    const due = session.view.positions === null ? this.#due(wallets) : wallets;
    await Promise.all(due.map((wallet) => this.#search(session, wallet, found)));
    const searched = wallets.filter((wallet) => !found.has(wallet));
    const addresses = searched.flatMap((wallet) => this.#searches.get(wallet)?.obligations ?? []);
    const reads = await readObligations(session, addresses);
    for (const wallet of searched) {
      const search = this.#searches.get(wallet);
      const own = search?.obligations.map((address) => reads.get(address) ?? UNREAD);
      found.set(wallet, own ?? null);
    }
    return found;
  }

  /** The wallets to search now, those first whose last search is longest ago. */
  #due(wallets: readonly Address[]): readonly Address[] {
    const at = (wallet: Address) => this.#searches.get(wallet)?.atMs ?? Number.NEGATIVE_INFINITY;
    const dueSince = this.#now() - SEARCH_TTL_MS;
    return wallets
      .filter((wallet) => at(wallet) <= dueSince)
      .sort((a, b) => at(a) - at(b))
      .slice(0, SEARCHES_PER_VIEW);
  }

  /** A wallet whose search fails keeps what the last one found. */
  async #search(
    session: Session,
    wallet: Address,
    found: Map<Address, readonly ObligationRead[] | null>,
  ): Promise<void> {
    const scan = await scannedObligations(session, wallet, null).catch(nullIfCoded);
    if (scan === null) return;
    const unread = [...scan.unreadable.keys()];
    this.#searches.set(wallet, {
      atMs: this.#now(),
      obligations: [...scan.records.map(({ address }) => address), ...unread],
    });
    found.set(wallet, [...scan.records.map(recordRead), ...unread.map(() => UNREAD)]);
  }
}

/** Null for a failure of the chain; anything else is our bug. */
function nullIfCoded(error: unknown): null {
  if (isCodedError(error)) return null;
  throw error;
}

const UNREAD: ObligationRead = { isRead: false };
const recordRead = (record: ObligationRecord): ObligationRead => ({ isRead: true, record });

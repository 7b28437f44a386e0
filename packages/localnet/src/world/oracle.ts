import { viewOf } from '@sluice/protocol/layout/account';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { datedPrice, oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import type { Feed, Token } from './model.ts';
import type { Prices } from './prices.ts';
import { labelledAddress } from './prng.ts';
import { GENESIS_SLOT, timeOf } from './time.ts';

interface FeedState {
  value: bigint;
  slot: bigint;
}

/** The oracle price account, from the first slot on. A feed is updated whenever a reserve that uses it is refreshed. */
export class Oracle {
  readonly address: Address;
  readonly #prices: Prices;
  readonly #store: AccountStore;
  readonly #feeds: Map<Feed, FeedState>;
  /** Feeds that changed since the account was last encoded. */
  readonly #moved: Set<Feed>;

  /** @param origin an oracle whose prices this one starts with, in a fork of its store; null for those of the first slot */
  constructor(
    seed: string,
    prices: Prices,
    store: AccountStore,
    tokens: readonly Token[],
    origin: Oracle | null = null,
  ) {
    this.address = labelledAddress(seed, 'oracle-prices');
    this.#prices = prices;
    this.#store = store;
    this.#feeds = new Map();
    for (const { feed } of tokens) {
      const known = origin === null ? undefined : origin.#feeds.get(feed);
      const { value, slot } = known ?? { value: prices.feedValue(feed, GENESIS_SLOT), slot: GENESIS_SLOT };
      this.#feeds.set(feed, { value, slot });
    }
    this.#moved = new Set(this.#feeds.keys());
    const mappings = addressBytes(labelledAddress(seed, 'oracle-mappings'));
    store.replace({
      address: this.address,
      owner: SCOPE_PROGRAM,
      encode: (previous) => {
        const data = previous?.slice() ?? oraclePrices.encode({});
        if (previous === undefined) data.set(mappings, oraclePrices.offsetOf('oracleMappings'));
        this.#write(data);
        return data;
      },
    });
  }

  /** Updates a token's feeds to the slot. Returns USD per whole token, scaled by 2^60. */
  refresh(token: Token, slot: bigint): bigint {
    for (let part: Token | null = token; part !== null; part = part.base) {
      const state = this.#feeds.get(part.feed);
      if (state === undefined || state.slot >= slot) continue;
      state.value = this.#prices.feedValue(part.feed, slot);
      state.slot = slot;
      this.#moved.add(part.feed);
      this.#store.touch(this.address);
    }
    return this.#prices.priceSf(token, slot);
  }

  /** Publishes a token's feed in this slot, even if it already has. */
  publish({ feed }: Token, slot: bigint): void {
    this.#feeds.set(feed, { value: this.#prices.feedValue(feed, slot), slot });
    this.#moved.add(feed);
    this.#store.touch(this.address);
  }

  #write(data: Uint8Array): void {
    const view = viewOf(data);
    const start = oraclePrices.offsetOf('prices');
    for (const feed of this.#moved) {
      const state = this.#feeds.get(feed);
      if (state === undefined) continue;
      datedPrice.write(view, start + feed.index * datedPrice.size, {
        price: { value: state.value, exp: BigInt(feed.exponent) },
        lastUpdatedSlot: state.slot,
        unixTimestamp: BigInt(timeOf(state.slot)),
      });
    }
    this.#moved.clear();
  }
}

import type { StoredAccount } from '@sluice/localnet/chain';
import { reserve } from '@sluice/protocol/klend/reserve';
import { viewOf } from '@sluice/protocol/layout/account';
import { MAINNET_PROGRAMS, SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { datedPrice, oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import {
  accountIn,
  type TestChain,
  withFields,
} from '../../../packages/localnet/test/support/chain/test-world.ts';

/** Moves the price of the token that the example obligation has deposited. Each change enters a new slot. */
export class PricedChain {
  readonly localChain: TestChain;

  constructor(localChain: TestChain) {
    this.localChain = localChain;
  }

  get addresses() {
    return this.localChain.addresses;
  }

  /** Sets the price to a percentage of the world's own. */
  setPrice(percent: bigint): void {
    this.localChain.restore();
    const { priceFeed, priceChain } = this.#scope();
    const [feed = 0] = priceChain;
    const account = accountIn(this.localChain, priceFeed);
    const entry = oraclePrices.decode(account, SCOPE_PROGRAM).prices[feed];
    if (entry === undefined) throw new Error('the oracle has no such price');
    const data = account.data.slice();
    datedPrice.write(viewOf(data), oraclePrices.offsetOf('prices') + feed * datedPrice.size, {
      price: { value: (entry.price.value * percent) / 100n },
    });
    this.#place({ ...account, data });
  }

  /** Closes the oracle's account. */
  losePrice(): void {
    this.localChain.restore();
    this.#place(null);
  }

  /** The reserve stores no price, so that none stands in for the oracle's in any View. */
  #place(oracle: StoredAccount | null): void {
    const { depositReserve } = this.addresses;
    const { priceFeed } = this.#scope();
    const account = accountIn(this.localChain, depositReserve);
    this.localChain.place(depositReserve, withFields(reserve, account, { liquidity: { marketPriceSf: 0n } }));
    this.localChain.place(priceFeed, oracle);
    this.localChain.advance();
  }

  #scope() {
    return this.#reserve(this.addresses.depositReserve).config.tokenInfo.scopeConfiguration;
  }

  #reserve(address: Address) {
    return reserve.decode(accountIn(this.localChain, address), MAINNET_PROGRAMS.klend);
  }
}

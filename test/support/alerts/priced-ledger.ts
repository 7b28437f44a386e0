import type { Address } from '@solana/kit';
import type { LedgerAccount } from '../../../src/demo/ledger.ts';
import { reserve } from '../../../src/programs/klend/reserve.ts';
import { viewOf } from '../../../src/programs/layout/account.ts';
import { MAINNET_PROGRAMS, SCOPE_PROGRAM } from '../../../src/programs/program-ids.ts';
import { datedPrice, oraclePrices } from '../../../src/programs/scope/oracle-prices.ts';
import { accountIn, type TestLedger, withFields } from '../ledger/test-ledger.ts';

/** Moves the price of the token that the demo obligation has deposited. Each change enters a new slot. */
export class PricedLedger {
  readonly ledger: TestLedger;

  constructor(ledger: TestLedger) {
    this.ledger = ledger;
  }

  get addresses() {
    return this.ledger.addresses;
  }

  /** Sets the price to a percentage of the world's own. */
  setPrice(percent: bigint): void {
    this.ledger.restore();
    const { priceFeed, priceChain } = this.#scope();
    const [feed = 0] = priceChain;
    const account = accountIn(this.ledger, priceFeed);
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
    this.ledger.restore();
    this.#place(null);
  }

  /** The reserve stores no price, so that none stands in for the oracle's in any View. */
  #place(oracle: LedgerAccount | null): void {
    const { depositReserve } = this.addresses;
    const { priceFeed } = this.#scope();
    const account = accountIn(this.ledger, depositReserve);
    this.ledger.place(depositReserve, withFields(reserve, account, { liquidity: { marketPriceSf: 0n } }));
    this.ledger.place(priceFeed, oracle);
    this.ledger.advance();
  }

  #scope() {
    return this.#reserve(this.addresses.depositReserve).config.tokenInfo.scopeConfiguration;
  }

  #reserve(address: Address) {
    return reserve.decode(accountIn(this.ledger, address), MAINNET_PROGRAMS.klend);
  }
}

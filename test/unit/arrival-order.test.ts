import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeMint } from '@sluice/protocol/token/mint';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { CatalogueBuilder } from '../../src/chain/view/catalogue.ts';
import { decodersFor } from '../../src/chain/view/kinds.ts';
import type { View } from '../../src/chain/view/view.ts';
import { EMPTY_CATALOGUE } from '../../src/config/catalogue/empty-catalogue.ts';
import { tokenOf, tokenPrice } from '../../src/services/tokens/tokens.ts';
import { Valuation } from '../../src/services/tokens/valuation.ts';

const MINT = testAddress(1);
const MARKET = testAddress(2);
const NOW = 1_700_000_000n;
/** USD with 60 fractional bits. */
const usd = (dollars: bigint) => dollars << 60n;

interface Named {
  readonly address: Address;
  readonly name: string;
  readonly price: bigint;
}

/** Reserves of one token, in order of arrival. */
function viewOf(arrived: readonly Named[]): View {
  const builder = new CatalogueBuilder(decodersFor(MAINNET_PROGRAMS));
  const mint = encodeMint({
    mintAuthority: null,
    supply: 1n,
    decimals: 6,
    freezeAuthority: null,
    extensions: [],
  });
  const take = (kind: 'mint' | 'reserve', address: Address, owner: Address, data: Uint8Array) =>
    builder.take(kind, address, { address, owner, data, lamports: 1n, slot: 10n }, 10n);
  take('mint', MINT, TOKEN_PROGRAM, mint);
  for (const { address, name, price } of arrived) {
    const data = reserveLayout.encode({
      lendingMarket: MARKET,
      liquidity: {
        mintPubkey: MINT,
        mintDecimals: 6n,
        marketPriceSf: usd(price),
        marketPriceLastUpdatedTs: NOW,
      },
      config: { tokenInfo: { name: new TextEncoder().encode(name.padEnd(32, '\0')) } },
    });
    take('reserve', address, MAINNET_PROGRAMS.klend, data);
  }
  const view = builder.view({
    id: 'test-1',
    number: 1,
    slot: 10n,
    timestamp: NOW,
    slotDurationMs: integer(400),
    builtAtMs: 0,
    slotMin: 10n,
    slotMax: 10n,
    slotWhole: 10n,
    torn: false,
  });
  Valuation.of(view, EMPTY_CATALOGUE);
  return view;
}

const token = (view: View) => {
  const mint = view.get('mint', MINT);
  return mint && tokenOf(view, mint).symbol;
};

const RESERVES: readonly Named[] = [
  { address: testAddress(11), name: 'USDC 7d', price: 1n },
  { address: testAddress(12), name: 'USDC', price: 2n },
  { address: testAddress(13), name: 'USDC', price: 3n },
];

describe('accounts that arrive in another order', () => {
  const [one, other] = [viewOf(RESERVES), viewOf(RESERVES.toReversed())];

  it('give a token the same symbol, the one that most reserves use', () => {
    expect([token(one), token(other)]).toEqual(['USDC', 'USDC']);
  });

  it('give a token the same price when several are equally recent', () => {
    const price = tokenPrice(one, MINT)?.usd.toNumber();
    expect([1, 2, 3]).toContain(price);
    expect(tokenPrice(other, MINT)?.usd.toNumber()).toBe(price);
  });

  it('prefer the plainer of two equally common names', () => {
    expect(token(viewOf(RESERVES.slice(0, 2)))).toBe('USDC');
    expect(token(viewOf(RESERVES.slice(0, 2).toReversed()))).toBe('USDC');
  });
});

import { addressBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import { accountIn, TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';

export const MAIN_MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF' as Address;
export const JLP_MARKET = 'DxXdAyU3kCjnyggvHmY5nAwg5cRbbmdyX3npfDMjjMek' as Address;
export const MAIN_USDC_RESERVE = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59' as Address;
export const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
export const MAIN_TABLE = 'FGMSBiyVE8TvZcdQnZETAAKw28tkQJ2ccZy6pyp95URb' as Address;
/** The name that the account of the JLP market has here. */
export const NAME_ON_CHAIN = 'Perps on chain';

const NAME = { offset: 3_248, bytes: 32 } as const;
const RESERVE = { lendingMarket: 32, mint: 128 } as const;

/**
 * A chain that has accounts at addresses of mainnet beside those of the generated world: a market without a name, a market
 * with a name, a reserve and mint of USDC, and the lookup table of the first market.
 */
export function mainnetShapedChain(): TestChain {
  const localChain = new TestChain();
  const { markets, reserves, tokens } = localChain.worldChain.world;
  const [market, other] = markets;
  const reserve = reserves.find(({ market: of, token }) => of === market && token.symbol === 'USDC');
  const usdc = tokens.find(({ symbol }) => symbol === 'USDC');
  if (!market || !other || !reserve || !usdc || !market.lookupTable) throw new Error('another world');
  const copy = (from: Address, to: Address, ...parts: readonly (readonly [number, Uint8Array])[]) => {
    const account = accountIn(localChain, from);
    const data = account.data.slice();
    for (const [offset, bytes] of parts) data.set(bytes, offset);
    localChain.place(to, { ...account, data });
  };
  const name = (text: string): readonly [number, Uint8Array] => {
    const bytes = new Uint8Array(NAME.bytes);
    bytes.set(new TextEncoder().encode(text));
    return [NAME.offset, bytes];
  };
  copy(market.address, MAIN_MARKET, name(''));
  copy(other.address, JLP_MARKET, name(NAME_ON_CHAIN));
  copy(
    reserve.address,
    MAIN_USDC_RESERVE,
    [RESERVE.lendingMarket, addressBytes(MAIN_MARKET)],
    [RESERVE.mint, addressBytes(USDC_MINT)],
  );
  copy(usdc.mint.address, USDC_MINT);
  copy(market.lookupTable, MAIN_TABLE);
  return localChain;
}

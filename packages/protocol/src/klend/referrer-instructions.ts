import { u32 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Referrers: their share of the fees, and the short link that names them. */

export const withdrawReferrerFees = instructionLayout(
  'withdrawReferrerFees',
  'ab7679c9e98c17e4',
  {},
  {
    referrer: 'writable signer',
    referrerTokenState: 'writable',
    reserve: 'writable',
    reserveLiquidityMint: 'readonly',
    reserveSupplyLiquidity: 'writable',
    referrerTokenAccount: 'writable',
    lendingMarket: 'readonly',
    lendingMarketAuthority: 'readonly',
    tokenProgram: 'readonly',
  },
);

/** The text, `shortUrlLength` bytes of UTF-8, follows. */
export const initReferrerStateAndShortUrl = instructionLayout(
  'initReferrerStateAndShortUrl',
  'a513197f64371f5a',
  { shortUrlLength: u32 },
  {
    referrer: 'writable signer',
    referrerState: 'writable',
    referrerShortUrl: 'writable',
    referrerUserMetadata: 'readonly',
    rent: 'readonly',
    systemProgram: 'readonly',
  },
);

export const deleteReferrerStateAndShortUrl = instructionLayout(
  'deleteReferrerStateAndShortUrl',
  '99b9631ce4b3bb96',
  {},
  {
    referrer: 'writable signer',
    referrerState: 'writable',
    shortUrl: 'writable',
    rent: 'readonly',
    systemProgram: 'readonly',
  },
);

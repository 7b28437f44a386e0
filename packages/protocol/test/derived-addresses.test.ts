import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive, seed } from '../src/layout/pda.ts';

const PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD' as Address;
const KEY = 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd' as Address;

/** A few confusable values of each kind, so that different lists often concatenate to nearly the same cache key. */
const text = fc.constantFrom('', 'a', 'ab', 'b', '1', ' 1', ':a', ' t1:a', 'é', KEY.slice(0, 32));
const number = fc.constantFrom(0, 1, 49, 97);
const bytes = text.map((each) => new TextEncoder().encode(each));
const address = fc.constantFrom(PROGRAM, KEY);

const encoder = getAddressEncoder();

describe('derived addresses', () => {
  it('match the Solana library for any seeds, whatever is in the cache', async () => {
    const one = fc.oneof(
      text.map((each) => ({ ours: each, theirs: each })),
      number.map((each) => ({ ours: each, theirs: Uint8Array.of(each) })),
      bytes.map((each) => ({ ours: each, theirs: each })),
      address.map((each) => ({ ours: seed(each), theirs: encoder.encode(each) })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 4 }), async (seeds) => {
        const [expected, bump] = await getProgramDerivedAddress({
          programAddress: PROGRAM,
          seeds: seeds.map(({ theirs }) => theirs),
        });
        expect(derive(PROGRAM, ...seeds.map(({ ours }) => ours))).toEqual({ address: expected, bump });
      }),
      { numRuns: 500 },
    );
  });

  it('reject a seed that is not an address, even if its text looks like two cached ones', () => {
    derive(PROGRAM, seed(KEY), seed(KEY));
    for (const wrong of ['', 'abc', `${KEY} a${KEY}`, `${KEY} a43:${KEY}`]) {
      expect(() => derive(PROGRAM, seed(wrong as Address))).toThrow(
        expect.objectContaining({ code: 'ADDRESS_INVALID' }),
      );
    }
  });
});

import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive, seed } from '../../src/programs/layout/pda.ts';

const PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD' as Address;
const KEY = 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd' as Address;

/** Few of each, and such as could be taken for one another, so that lists often join to the same or nearly the same. */
const text = fc.constantFrom('', 'a', 'ab', 'b', '1', ' 1', ':a', ' t1:a', 'é', KEY.slice(0, 32));
const number = fc.constantFrom(0, 1, 49, 97);
const bytes = text.map((each) => new TextEncoder().encode(each));
const address = fc.constantFrom(PROGRAM, KEY);

const encoder = getAddressEncoder();

describe('derived addresses', () => {
  it('are those of the Solana library for any seeds, whatever was derived before', async () => {
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

  it('refuse a seed that is no address, also where its text reads like two that are known', () => {
    derive(PROGRAM, seed(KEY), seed(KEY));
    for (const wrong of ['', 'abc', `${KEY} a${KEY}`, `${KEY} a43:${KEY}`]) {
      expect(() => derive(PROGRAM, seed(wrong as Address))).toThrow(
        expect.objectContaining({ code: 'ADDRESS_INVALID' }),
      );
    }
  });
});

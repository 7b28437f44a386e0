import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChainedIndex } from '../../src/chain/positions/chained-index.ts';
import '../support/property-seed.ts';

/** Few hashes, so that chains are long, and any other ones. */
const hash = fc.oneof(fc.nat(5), fc.integer({ min: 0, max: 0xffff_fffe }));

describe('a chained index', () => {
  it('finds the entries of a hash as it grows through several rounds of splits', () => {
    fc.assert(
      fc.property(fc.infiniteStream(hash), fc.nat(7), fc.boolean(), (hashes, keptPart, hasLongChains) => {
        const held: number[] = [];
        const index = new ChainedIndex(
          (entry) => held[entry] ?? expect.fail('not in the index'),
          hasLongChains,
        );
        const foundWith = (each: number) =>
          [...index.with(each)].filter((entry) => held[entry] === each).sort();
        const model = new Map<number, Set<number>>();
        let entry = 0;
        for (const each of hashes) {
          if (entry === 5_000) break;
          held.push(each);
          index.add(entry);
          const known = model.get(each);
          if (known === undefined) model.set(each, new Set([entry]));
          else known.add(entry);
          entry += 1;
        }
        for (const [each, entries] of model) {
          for (const one of entries) {
            if (one % 8 <= keptPart) continue;
            index.remove(one);
            entries.delete(one);
          }
          expect(foundWith(each)).toEqual([...entries].sort());
          expect([...index.allWith(each)].sort()).toEqual([...entries].sort());
        }
        expect([...index.allWith(0xffff_ffff)]).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });
});

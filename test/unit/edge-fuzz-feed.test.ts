import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAsk } from '../../src/feed/ask.ts';
import { parseProgress } from '../../src/feed/feed-channel.ts';
import { decodeMessage, FEED_FORMAT, UnreadableMessage } from '../../src/feed/view-message.ts';
import { sealOf } from '../support/feed/fed-chain.ts';
import { momentOf, VAULTS, vaultCatalogue } from '../support/feed/feed-views.ts';
import { corpusOf, FUZZ_TIMEOUT_MS, fuzz, mutatedBytes, mutatedJson } from '../support/fuzz/edge-fuzz.ts';

const SEAL = sealOf('fuzz');
const MAGIC = Buffer.from(`SLV${FEED_FORMAT}`);
const ENTRY = '1700000000000000-2';
const LENGTH_BYTES = 4;
const U64_END = 1n << 64n;

/** A message with these contents, as a gateway with the secret would seal it. */
function sealed(contents: Buffer, kind: 'whole' | 'changes'): Buffer {
  const packed = deflateRawSync(contents);
  return Buffer.concat([MAGIC, SEAL.tag(kind, ENTRY, MAGIC, packed), packed]);
}

/** The View that the changes of the corpus apply to. */
function base() {
  const catalogue = vaultCatalogue();
  const [a, b, c] = VAULTS;
  catalogue.put(a, 10n, 100n);
  catalogue.put(b, 20n, 101n);
  catalogue.put(c, null, 102n);
  return { catalogue, view: catalogue.view(1, 103n) };
}

/** Contents with a mutated header of the right length, so that all that follows is read. */
const withHeader = fc.constantFrom(...corpusOf('feed')).chain((contents) => {
  const end = LENGTH_BYTES + contents.readUInt32LE(0);
  return mutatedJson([contents.subarray(LENGTH_BYTES, end)]).map((header) => {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(header.length);
    return Buffer.concat([length, header, contents.subarray(end)]);
  });
});

describe('mutated feed messages with a valid seal', () => {
  it.each(['whole', 'changes'] as const)(
    'as %s are Views that can be served, or unreadable',
    (kind) =>
      fuzz(
        'feed',
        async (contents) => {
          const { catalogue, view } = base();
          try {
            const place = { kind, entry: ENTRY };
            const { message, update } = await decodeMessage(sealed(contents, kind), view, SEAL, place);
            expect(message.intervalMs).toBeGreaterThanOrEqual(0);
            catalogue.builder.adopt(update);
            const served = catalogue.builder.view({ ...momentOf(2, 105n), ...update.moment });
            for (const vault of VAULTS) served.find('vault', vault);
          } catch (error) {
            if (!(error instanceof UnreadableMessage)) throw error;
          }
        },
        fc.oneof(withHeader, mutatedBytes(corpusOf('feed'))),
      ),
    FUZZ_TIMEOUT_MS,
  );
});

describe('mutated progress and questions', () => {
  it(
    'of a reader are slots and times, or nothing',
    () =>
      fuzz(
        'progress',
        (text) => {
          const progress = parseProgress(text.toString());
          if (progress === null) return;
          const { slot, timestamp, highestSlot, builtAtMs } = progress;
          for (const each of [slot, timestamp, highestSlot])
            expect(each >= 0n && each < 10n ** 20n).toBe(true);
          expect(Number.isFinite(builtAtMs)).toBe(true);
        },
        fc.oneof(mutatedBytes(corpusOf('progress')), mutatedJson(corpusOf('progress'))),
      ),
    FUZZ_TIMEOUT_MS,
  );

  it(
    'of a follower are a slot and a flag, or nothing',
    () =>
      fuzz(
        'asks',
        (bytes) => {
          let given: { readonly slot?: unknown; readonly snapshot?: unknown } | null;
          try {
            given = JSON.parse(bytes.toString());
          } catch {
            return;
          }
          const [slot, flag] = [String(given?.slot), String(given?.snapshot)];
          const fields = new Map([
            ['slot', Buffer.from(slot)],
            ['snapshot', Buffer.from(flag)],
            ['tag', SEAL.tag('ask', slot, flag)],
          ]);
          const ask = parseAsk(fields, SEAL);
          if (ask !== null)
            expect([String(ask.slot), ask.slot < U64_END * 10n]).toEqual([
              slot.replace(/^0+(?=\d)/, ''),
              true,
            ]);
        },
        fc.oneof(mutatedBytes(corpusOf('asks')), mutatedJson(corpusOf('asks'))),
      ),
    FUZZ_TIMEOUT_MS,
  );
});

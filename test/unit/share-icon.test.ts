import { type Address, getAddressDecoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayText, escapeXml, graphemes } from '../../src/services/tokens/display-text.ts';
import { contrastWithWhite, hex, readableUnderWhite } from '../../src/services/tokens/icon-colours.ts';
import { shortened, textWidth, wrapped } from '../../src/services/tokens/icon-text.ts';
import { drawIcon } from '../../src/services/tokens/share-icon.ts';

const ADDRESS = 'DfJA4R4zd1sxAndK3Rktry25T1K3sxYbNM2NiVXjiPcw' as Address;
const FAMILY = '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}';

describe('visible text', () => {
  it('has no control characters, bidirectional overrides, lone surrogates or repeated spaces', () => {
    expect(displayText('  a\u0000b\u202e\tc\ud800 \n d\u2066\ufeff ')).toBe('ab c d');
  });

  it('keeps the code points of letters and emoji', () => {
    const text = `${FAMILY} \u062e\u0632\u0646\u0629 \u{1f1e8}\u{1f1ed} e\u0301`;
    expect(displayText(text)).toBe(text);
    expect(graphemes(text)).toHaveLength(10);
  });

  it('limits stacked combining marks', () => {
    expect(Array.from(displayText(`a${'\u0301'.repeat(500)}`))).toHaveLength(12);
  });

  it('is truncated, which bounds the work', () => {
    expect(displayText('x'.repeat(1_000_000))).toHaveLength(400);
    expect(displayText(`${'x'.repeat(399)}\u{1f469}`)).toBe('x'.repeat(399));
  });

  it('is escaped for XML', () => {
    expect(escapeXml(`<a href="x">&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;');
  });
});

describe('text in an icon', () => {
  it('is shortened by graphemes', () => {
    expect(shortened(`${FAMILY}${FAMILY}abc`, 3)).toBe(`${FAMILY}${FAMILY}\u2026`);
    expect(shortened('abc', 3)).toBe('abc');
  });

  it('is wrapped at spaces, inside words that are too long, and truncated after the last line', () => {
    expect(wrapped('Harbor USDC Prime', [20])).toEqual(['Harbor USDC Prime']);
    expect(wrapped('Harbor USDC Prime', [5, 20])).toEqual(['Harbor', 'USDC Prime']);
    expect(wrapped('W'.repeat(40), [5, 4])).toEqual(['WWWWW', 'WWW\u2026']);
    expect(wrapped('', [5])).toEqual([]);
  });

  it('is never wider than its lines', () => {
    const widths = [10, 9, 7];
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const lines = wrapped(displayText(text), widths);
        expect(lines.length).toBeLessThanOrEqual(3);
        for (const [i, line] of lines.entries()) expect(textWidth(line)).toBeLessThanOrEqual(widths[i] ?? 0);
      }),
    );
  });
});

describe('the icon', () => {
  it('has legible white text for every hue', () => {
    for (let hue = 0; hue < 360; hue += 5) {
      expect(contrastWithWhite(readableUnderWhite(hue, 0.8))).toBeGreaterThan(4.5);
    }
    expect(hex([255, 8.4, 0])).toBe('#ff0800');
  });

  it('is a well-formed SVG for any name, symbol and address', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    const anyAddress = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => getAddressDecoder().decode(bytes));
    fc.assert(
      fc.property(anyAddress, anyText, anyText, (address, token, name) => {
        const svg = drawIcon({ address, token, name, symbol: `kv${token}` });
        const tags = [...svg.matchAll(/<\/?([a-zA-Z]+)/g)].map((match) => match[1]);
        expect(tags.filter((tag) => tag === 'svg')).toHaveLength(2);
        expect(svg.match(/<[^<>]*>/g)?.length).toBe(tags.length);
        expect(svg.replaceAll('\n', '')).not.toMatch(
          /NaN|undefined|\p{Cs}|\p{Cc}|&(?!(?:amp|lt|gt|quot|#39);)/u,
        );
      }),
      { numRuns: 30 },
    );
  });

  it('is deterministic', () => {
    const subject = { address: ADDRESS, token: 'USDC', name: 'Harbor', symbol: 'kvUSDC' };
    expect(drawIcon(subject)).toBe(drawIcon(subject));
  });
});

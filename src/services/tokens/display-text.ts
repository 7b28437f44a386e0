/** Sanitizes names from accounts that anyone can write. */

/** Control characters, lone surrogates, line separators, bidirectional overrides, tags, and characters invalid in XML. */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
const BLANKS = /\s+/g;
/** Per grapheme: more than any letter or emoji needs. Limits stacked combining marks. */
const MAX_CODE_POINTS = 12;
/** Bounds the work: a token's metadata may be as long as its account. */
const MAX_LENGTH = 400;
/** Printable ASCII needs no segmentation. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Created on first use: it takes 20 ms, which would delay the start. */
let segmenter: Intl.Segmenter | undefined;

/** The visible part of a text, in one line. */
export function displayText(text: string, maxLength = MAX_LENGTH): string {
  const line = text.slice(0, maxLength).replace(BLANKS, ' ').replace(INVISIBLE, '').trim();
  return graphemes(line)
    .map((each) => Array.from(each).slice(0, MAX_CODE_POINTS).join(''))
    .join('');
}

/** User-perceived characters. */
export function graphemes(text: string): string[] {
  if (PLAIN.test(text)) return Array.from(text);
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and quoted attributes of an XML document. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

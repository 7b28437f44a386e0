/** Names come from accounts that anybody can write. What is shown of them is cut and cleaned here. */

/** Controls, halves of pairs, line separators, bidirectional overrides, and what no XML document may hold. */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const BLANKS = /\s+/g;
/** More than any letter or emoji needs; beyond it, marks are piled up to disturb. */
const MAX_CODE_POINTS = 12;
/** A token's metadata may be as long as its account; no more of it is looked at than can be shown. */
const MAX_LENGTH = 400;
/** Each of these is a character of its own: nothing has to be looked up. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Made when first needed: it takes 20 ms, which a start would wait for. */
let segmenter: Intl.Segmenter | undefined;

/** What a reader can see of a text, in one line. */
export function visibleText(text: string): string {
  const line = text.slice(0, MAX_LENGTH).replace(BLANKS, ' ').replace(INVISIBLE, '').trim();
  return graphemes(line)
    .map((each) => Array.from(each).slice(0, MAX_CODE_POINTS).join(''))
    .join('');
}

/** The characters of a text as a reader counts them. */
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

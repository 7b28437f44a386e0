import { graphemes } from './display-text.ts';

/** Text layout in an SVG, with generously estimated character widths. */

const NARROW = /^[ijltfrI.,:;'|!()[\]\-/ ]/;
const BROAD = /^[mwMW@%&]/;
const CAPITAL = /^\p{Lu}/u;
/** Square glyphs. */
const SQUARE = /^[\p{Ideographic}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LETTER = /^[\p{L}\p{Nd}\p{P}]/u;

/** In units of the font size. */
function widthOf(grapheme: string): number {
  if (NARROW.test(grapheme)) return 0.36;
  if (BROAD.test(grapheme)) return 0.95;
  if (CAPITAL.test(grapheme)) return 0.72;
  return LETTER.test(grapheme) && !SQUARE.test(grapheme) ? 0.61 : 1.05;
}

export function textWidth(text: string): number {
  return graphemes(text).reduce((width, each) => width + widthOf(each), 0);
}

const ELLIPSIS = '\u2026';

/** Truncates to at most `max` graphemes, with an ellipsis. */
export function shortened(text: string, max: number): string {
  const all = graphemes(text);
  return all.length <= max ? text : `${all.slice(0, max - 1).join('')}${ELLIPSIS}`;
}

/** Wraps words into lines of the given widths; the rest is replaced by an ellipsis. */
export function wrapped(text: string, widths: readonly number[]): string[] {
  const lines: string[] = [];
  let words = text.split(' ').filter((word) => word !== '');
  for (const width of widths) {
    if (words.length === 0) break;
    const { line, rest } = filled(words, width);
    lines.push(line);
    words = rest;
  }
  const last = lines.at(-1);
  if (words.length === 0 || last === undefined) return lines;
  return [...lines.slice(0, -1), cut(`${last} ${words.join(' ')}`, widths[lines.length - 1] ?? 0)];
}

/** Fills one line with words; breaks a word that is longer than the line. */
function filled(words: readonly string[], width: number): { line: string; rest: string[] } {
  const [first = '', ...rest] = words;
  if (textWidth(first) > width) {
    const part = beginning(first, width);
    return { line: part, rest: [first.slice(part.length), ...rest].filter((word) => word !== '') };
  }
  let [count, filledWidth] = [1, textWidth(first)];
  for (const word of rest) {
    filledWidth += widthOf(' ') + textWidth(word);
    if (filledWidth > width) break;
    count += 1;
  }
  return { line: words.slice(0, count).join(' '), rest: words.slice(count) };
}

function cut(text: string, width: number): string {
  return `${beginning(text, width - widthOf(ELLIPSIS)).trimEnd()}${ELLIPSIS}`;
}

/** The prefix that fits: at least one character, so a line is never empty. */
function beginning(text: string, width: number): string {
  let [used, part] = [0, ''];
  for (const each of graphemes(text)) {
    used += widthOf(each);
    if (used > width && part !== '') break;
    part += each;
  }
  return part;
}

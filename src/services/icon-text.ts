import { graphemes } from './visible-text.ts';

/** Text in a drawing, where nobody measures letters: their widths are estimated, generously. */

const NARROW = /^[ijltfrI.,:;'|!()[\]\-/ ]/;
const BROAD = /^[mwMW@%&]/;
const CAPITAL = /^\p{Lu}/u;
/** As wide as they are high. */
const SQUARE = /^[\p{Ideographic}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LETTER = /^[\p{L}\p{Nd}\p{P}]/u;

/** In widths of the font's size. */
function widthOf(grapheme: string): number {
  if (NARROW.test(grapheme)) return 0.36;
  if (BROAD.test(grapheme)) return 0.95;
  if (CAPITAL.test(grapheme)) return 0.72;
  return LETTER.test(grapheme) && !SQUARE.test(grapheme) ? 0.61 : 1.05;
}

export function textWidth(text: string): number {
  return graphemes(text).reduce((width, each) => width + widthOf(each), 0);
}

const MORE = '\u2026';

/** The text when it has so many characters at most, otherwise its beginning. */
export function shortened(text: string, most: number): string {
  const all = graphemes(text);
  return all.length <= most ? text : `${all.slice(0, most - 1).join('')}${MORE}`;
}

/** The words in lines of given widths; what does not fit is left out, and told by an ellipsis. */
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

/** As many words as a line takes; a word that is longer than a line is broken. */
function filled(words: readonly string[], width: number): { line: string; rest: string[] } {
  const [first = '', ...others] = words;
  if (textWidth(first) > width) {
    const part = beginning(first, width);
    return { line: part, rest: [first.slice(part.length), ...others].filter((word) => word !== '') };
  }
  let [count, filledWidth] = [1, textWidth(first)];
  for (const word of others) {
    filledWidth += widthOf(' ') + textWidth(word);
    if (filledWidth > width) break;
    count += 1;
  }
  return { line: words.slice(0, count).join(' '), rest: words.slice(count) };
}

function cut(text: string, width: number): string {
  return `${beginning(text, width - widthOf(MORE)).trimEnd()}${MORE}`;
}

/** At least one character, so that a line is never empty. */
function beginning(text: string, width: number): string {
  let [used, part] = [0, ''];
  for (const each of graphemes(text)) {
    used += widthOf(each);
    if (used > width && part !== '') break;
    part += each;
  }
  return part;
}

/** Whether a name can be mistaken for one that contains another. */

/** Characters that look alike, after case and accents are gone. Letters of Cyrillic and Greek stand for the Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '5': 's',
  '@': 'a',
  $: 's',
  '|': 'l',
  '!': 'l',
  i: 'l',
  ı: 'l',
  а: 'a',
  в: 'b',
  е: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  і: 'l',
  ј: 'j',
  ѕ: 's',
  ԁ: 'd',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'l',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
};

/** A shorter name occurs inside other words by chance: it must be a word, or several, of its own. */
const LEAST_INSIDE_WORDS = 5;

/** The words of a name as a reader may see them: without case, accents, spaces of other kinds and lookalikes. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{Mark}|\p{Format}/gu, '');
  const folded = [...plain.toLowerCase()].map((character) => LOOKALIKES[character] ?? character).join('');
  return folded
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '');
}

/** Whether a reader may take `name` for one that contains `known`. */
export function resembles(name: string, known: string): boolean {
  const words = wordsOf(name);
  const wanted = wordsOf(known).join('');
  if (wanted === '') return false;
  if (wanted.length >= LEAST_INSIDE_WORDS) return words.join('').includes(wanted);
  return words.some((_, from) => {
    let run = '';
    for (const word of words.slice(from)) {
      run += word;
      if (run.length >= wanted.length) return run === wanted;
    }
    return false;
  });
}

import type { Random } from '@sluice/localnet/world/prng';
import { Lexer, Source, TokenKind } from 'graphql';
import { oddText, randomText } from './odd-values.ts';

const STRAY = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '!',
  '$',
  '@',
  '...',
  ':',
  '=',
  '|',
  '&',
  'on',
  'fragment',
  'null',
];
const NAMES = [
  'vaults',
  'nodes',
  'id',
  '__typename',
  '__schema',
  '__proto__',
  'constructor',
  'toString',
  'a',
];

/** The tokens of a document that parses. */
function tokensOf(text: string): string[] {
  const lexer = new Lexer(new Source(text));
  const tokens: string[] = [];
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    tokens.push(text.slice(token.start, token.end));
  }
  return tokens;
}

/** Drops, duplicates, swaps or replaces a few tokens. */
export function mutated(text: string, random: Random): string {
  const tokens = tokensOf(text);
  for (let i = random.between(1, 4); i > 0 && tokens.length > 0; i -= 1) {
    const at = random.below(tokens.length);
    const other = random.below(tokens.length);
    const [word = '', exchanged = ''] = [tokens[at], tokens[other]];
    switch (random.below(7)) {
      case 0:
        tokens.splice(at, 1);
        break;
      case 1:
        tokens.splice(at, 0, word);
        break;
      case 2:
        tokens[at] = exchanged;
        tokens[other] = word;
        break;
      case 3:
        tokens[at] = random.pick([...STRAY, ...NAMES]);
        break;
      case 4:
        tokens.splice(at, 0, random.pick(STRAY));
        break;
      case 5:
        tokens.splice(at, 0, ...tokens.slice(at, at + random.between(1, 30)));
        break;
      default:
        tokens[at] = random.pick([
          JSON.stringify(oddText(random)),
          `"""${randomText(random, 20)}"""`,
          String(random.uint32()),
          '-1.5e99999',
        ]);
    }
  }
  return tokens.join(' ');
}

/** Replaces some characters with random ones. */
export function scratched(text: string, random: Random): string {
  const characters = [...text];
  for (let i = random.between(1, 6); i > 0; i -= 1) {
    characters[random.below(characters.length)] = randomText(random, random.between(0, 3));
  }
  return characters.join('');
}

/** Deep nesting of each kind that the grammar has. */
export function deeplyNested(random: Random): string {
  const levels = random.magnitude(5, 5_000);
  const within = (open: string, inner: string, close: string) =>
    `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
  return random.pick([
    () => `{ ${within('vaults { nodes { token { ', 'id', '} } } ')} }`,
    () => `{ ${within('... { ', '__typename', ' }')} }`,
    () => `{ ${within('... on Query { ', '__typename', ' }')} }`,
    () => within('{ a ', '', '}'),
    () => `{ nodes(ids: ${within('[', '"a"', ']')}) { id } }`,
    () => `{ vaults(filter: ${within('{a: ', '1', '}')}) { nodes { id } } }`,
    () => `query ($a: ${within('[', 'ID', ']')}) { __typename }`,
    () => `{ __schema { types { ${within('fields { type { ', 'name', ' } }')} } } }`,
    () => `{ chain { slot ${'@include(if: true) '.repeat(levels)} } }`,
    () => `{ ...F0 } ${fragments(Math.min(levels, 500), random.between(1, 3))}`,
    () => `{ ${Array.from({ length: levels }, (_, i) => `a${i}: __typename`).join(' ')} }`,
    () => `{ ${'chain { slot } '.repeat(levels)} }`,
  ])();
}

/** Each fragment spreads the next several times; sometimes the last spreads the first. */
function fragments(count: number, spreads: number): string {
  return Array.from({ length: count }, (_, i) => {
    const next = `...F${(i + 1) % (count + (spreads === 3 ? 0 : 1))} `.repeat(spreads);
    return `fragment F${i} on Query { __typename ${next} }`;
  }).join(' ');
}

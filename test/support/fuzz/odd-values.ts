import type { Random } from '@sluice/localnet/world/prng';

/** Strings that often break programs. None contains text that answers must not contain. */
const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\u202e\u2066abc',
  '\ud800',
  '\udfff\ud800',
  'e\u0301\u0301\u0301',
  '\ufeff{}',
  '🦀'.repeat(30),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '0x10',
  '१२३',
  "' OR '1'='1",
  '"; DROP TABLE vault; --',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../../../etc/hosts',
  '%00%2e%2e%2f',
  'a\r\nx-odd: 1',
  'line\nbreak\ttab',
  '9'.repeat(40),
  '-9223372036854775809',
  '18446744073709551616',
  '0.0000000000000000000000000000000000000001',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00Z',
  '1'.repeat(32),
  'z'.repeat(44),
  '6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWnq',
] as const;

const ODD_NUMBERS = [0, -0, 1, -1, 0.5, 1e-7, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, 1e308, -1e308] as const;

export function oddText(random: Random): string {
  const choice = random.below(10);
  if (choice < 7) return random.pick<string>(ODD_TEXTS);
  if (choice < 9) return randomText(random, random.between(1, 60));
  return random.pick(['x', '9', 'é', '{', '%']).repeat(random.magnitude(10, 20_000));
}

/** Characters of every plane, including lone surrogates. */
export function randomText(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(random.below(0x10000))).join('');
}

/** A JSON value of any type, sometimes nested. */
export function oddJson(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return random.chance(50);
    case 2:
      return random.pick<number>(ODD_NUMBERS);
    case 3:
    case 4:
      return oddText(random);
    case 5:
      return Array.from({ length: random.below(5) }, () => oddJson(random, depth + 1));
    case 6:
      return Object.fromEntries(
        Array.from({ length: random.below(5) }, () => [oddText(random), oddJson(random, depth + 1)]),
      );
    default:
      return Array.from({ length: random.magnitude(1, 3_000) }, () => random.pick([1, 'a', null]));
  }
}

/** Nested lists as text, to overflow the stack of recursive code. */
export function nestedLists(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

/** Lone surrogates cannot be encoded and are sent as replacement characters. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();

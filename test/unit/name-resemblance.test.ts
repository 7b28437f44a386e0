import { describe, expect, it } from 'vitest';
import { resembles } from '../../src/domain/name-resemblance.ts';

describe('names that resemble the name of a curator', () => {
  it.each([
    ['the name itself', 'Harbor USDC Prime', 'Harbor'],
    ['another case', 'HARBOR usdc', 'Harbor'],
    ['Cyrillic letters', 'Наrbоr USDC', 'Harbor'],
    ['digits for letters', 'H4rb0r USDC'.replace('4', 'a'), 'Harbor'],
    ['a space inside', 'Har bor USDC', 'Harbor'],
    ['an invisible character inside', 'Har\u200bbor USDC', 'Harbor'],
    ['accents', 'Hárbör USDC', 'Harbor'],
    ['full-width letters', 'Ｈａｒｂｏｒ', 'Harbor'],
    ['no space after it', 'HarborUSDC', 'Harbor'],
    ['"rn" for "m"', 'Arnber USDC', 'Amber'],
    ['a capital I for an l', 'AIpha Yield', 'Alpha'],
    ['a short name as a word', 'The RE7 vault', 'Re7'],
    ['several words', 'Steak-house Financial USDC', 'Steakhouse Financial'],
  ])('%s: %s', (_, name, known) => {
    expect(resembles(name, known)).toBe(true);
  });

  it.each([
    ['another name', 'Lantern USDC', 'Harbor'],
    ['a part of it', 'Harb USDC', 'Harbor'],
    ['a short name inside a word', 'Preset7 USDC', 'Re7'],
    ['an empty name', '', 'Harbor'],
    ['a name without letters', 'Harbor', '***'],
  ])('not %s: %s', (_, name, known) => {
    expect(resembles(name, known)).toBe(false);
  });
});

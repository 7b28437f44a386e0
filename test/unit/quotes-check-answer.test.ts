import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { swapAnswer } from '../../src/quotes/answer.ts';
import { checkedQuote } from '../../src/quotes/check-answer.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';
import {
  ANSWER,
  type Answer,
  type AnswerInstruction,
  opening,
  REQUEST,
  ROUTER,
  route,
  sharedRoute,
  TABLE,
} from '../support/quotes/swap-answer.ts';

/** What a source of quotes answers is checked against the request, by the instruction and not by what it says. */

const quoteOf = (change: Partial<Answer> = {}) =>
  checkedQuote(swapAnswer.parse({ ...ANSWER, ...change }), REQUEST, ROUTER);

function refusalOf(change: Partial<Answer>): string {
  try {
    quoteOf(change);
  } catch (error) {
    if (!isCodedError(error, 'QUOTE_REFUSED')) throw error;
    return error.message;
  }
  return 'accepted';
}

/** A route with another account at a position. */
const withAccount = (swap: AnswerInstruction, at: number, change: object): AnswerInstruction => ({
  ...swap,
  accounts: swap.accounts.map((each, i) => (i === at ? { ...each, ...change } : each)),
});

const OTHER = addressNumber(950);

describe('a quote', () => {
  it.each([
    ['of a route', route()],
    ['of a route through accounts of the router', sharedRoute()],
  ])('%s guarantees what the instruction enforces', (_, swapInstruction) => {
    const quote = quoteOf({ swapInstruction });
    expect(quote).toMatchObject({
      inAmount: 1_000_000n,
      expectedOut: 16_198_753n,
      guaranteedOut: 16_117_759n,
      slippageBps: 50,
      router: ROUTER,
      lookupTables: [TABLE],
    });
    expect(quote.instructions.map(({ programAddress }) => programAddress)).toEqual([ROUTER]);
    expect(Buffer.from(quote.instructions[0]?.data ?? []).toString('base64')).toBe(swapInstruction.data);
  });

  it('opens token accounts of the wallet on the way, and leaves out those of the action', () => {
    const way = addressNumber(951);
    const { instructions } = quoteOf({
      setupInstructions: [opening(REQUEST.bought.mint), opening(way), opening(REQUEST.sold.mint)],
    });
    expect(instructions).toHaveLength(2);
    expect(instructions[0]?.accounts[3]?.address).toBe(way);
  });

  it('without lookup tables has none', () => {
    expect(quoteOf({ addressesByLookupTableAddress: null }).lookupTables).toEqual([]);
  });

  it('may allow less slippage than was asked for', () => {
    const swapInstruction = route({ slippageBps: 10 });
    const { guaranteedOut, slippageBps } = quoteOf({ swapInstruction, otherAmountThreshold: '16182554' });
    expect([guaranteedOut, slippageBps]).toEqual([16_182_554n, 10]);
  });
});

describe('a quote is refused', () => {
  it.each<[string, RegExp, Partial<Answer>]>([
    ['that sells another token', /sells/, { inputMint: OTHER }],
    ['that buys another token', /buys/, { outputMint: OTHER }],
    ['of another amount', /spends 1000001 base units instead/, { inAmount: '1000001' }],
    [
      'whose instruction spends more',
      /instruction spends 2000000/,
      { swapInstruction: route({ inAmount: 2_000_000n }) },
    ],
    ['that promises more than its instruction', /says that it pays/, { outAmount: '16198754' }],
    [
      'that guarantees more than its instruction',
      /guarantees 16117761/,
      { otherAmountThreshold: '16117761' },
    ],
    [
      'whose instruction pays less than it says',
      /its instruction says 1/,
      { swapInstruction: route({ out: 1n }) },
    ],
    [
      'that guarantees nothing',
      /guarantees nothing/,
      { outAmount: '0', otherAmountThreshold: '0', swapInstruction: route({ out: 0n }) },
    ],
    ['with more slippage', /slippage of 51/, { swapInstruction: route({ slippageBps: 51 }) }],
    ['with a fee', /fee of 20/, { swapInstruction: route({ platformFeeBps: 20 }) }],
    ['of a foreign program', /not the router/, { swapInstruction: { ...route(), programId: OTHER } }],
    [
      'of an instruction in an old format',
      /current format/,
      { swapInstruction: { ...route(), data: Buffer.from('e517cb977ae3ad2a00', 'hex').toString('base64') } },
    ],
    [
      'of a cut instruction',
      /cannot be decoded/,
      { swapInstruction: { ...route(), data: Buffer.from('bb64facc31c4af14', 'hex').toString('base64') } },
    ],
    ['with too few accounts', /cannot be decoded/, { swapInstruction: { ...route(), accounts: [] } }],
    [
      'that spends from another account',
      /spends from/,
      { swapInstruction: withAccount(route(), 1, { pubkey: OTHER }) },
    ],
    [
      'that pays into another account',
      /pays into/,
      { swapInstruction: withAccount(route(), 2, { pubkey: OTHER }) },
    ],
    [
      'that redirects the payment',
      /pays into/,
      { swapInstruction: withAccount(route(), 7, { pubkey: OTHER }) },
    ],
    [
      'through accounts of the router that pays into another account',
      /pays into/,
      { swapInstruction: withAccount(sharedRoute(), 5, { pubkey: OTHER }) },
    ],
    [
      'of a token under another name',
      /other tokens/,
      { swapInstruction: withAccount(route(), 4, { pubkey: OTHER }) },
    ],
    [
      'of the wrong token program',
      /token program/,
      { swapInstruction: withAccount(route(), 6, { pubkey: SYSTEM_PROGRAM }) },
    ],
    [
      'of tokens of somebody else',
      /tokens of/,
      { swapInstruction: withAccount(route(), 0, { pubkey: OTHER }) },
    ],
    [
      'with another signer',
      /signature of/,
      { swapInstruction: withAccount(route(), 10, { isSigner: true }) },
    ],
    [
      'whose set-up calls a program',
      /set-up calls program/,
      { setupInstructions: [{ ...opening(OTHER), programId: TOKEN_PROGRAM }] },
    ],
    [
      'whose set-up does something else',
      /set-up calls program/,
      { setupInstructions: [{ ...opening(OTHER), data: 'Ag==' }] },
    ],
    [
      'whose set-up pays rent for others',
      /opens a token account/,
      { setupInstructions: [opening(OTHER, OTHER)] },
    ],
    [
      'whose set-up charges another signer',
      /signature of/,
      { setupInstructions: [withAccount(opening(OTHER), 0, { pubkey: OTHER })] },
    ],
  ])('%s', (_, message, change) => {
    expect(refusalOf(change)).toMatch(message);
  });
});

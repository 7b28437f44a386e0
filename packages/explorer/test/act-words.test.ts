import { describe, expect, it } from 'vitest';
import { Decimal, SluiceError } from '../../client/src/index.ts';
import { type Deed, saidAfter, saidBefore, surpriseOf, type Words } from '../src/act/act-words.ts';
import { failureOf } from '../src/act/outcome-words.ts';
import { looksLikeSignature, mistyped } from '../src/ui/looks-like-address.ts';

const text = (words: Words | null) =>
  words
    ?.map((part) => (typeof part === 'string' ? part : part.strong.text.replaceAll('\u00a0', ' ')))
    .join('') ?? null;

const worth = (amount: string) => ({ amount, usd: amount });

const DEPOSIT: Deed = {
  verb: 'deposit',
  amount: Decimal.of('25'),
  unit: 'USDC',
  symbol: 'USDC',
  health: null,
  vault: {
    shares: { before: '1000', after: '1024.27' },
    tokens: { before: '1030', after: '1055' },
    yield: { total: '0.12', farmRewards: '0.08' },
    hasFarm: true,
    position: {
      vaultAddress: 'v',
      ownerAddress: 'w',
      totalShares: { before: '1000', after: '1024.27' },
      stakedShares: { before: '600', after: '1024.27' },
      unstakedShares: { before: '400', after: '0' },
      value: { before: worth('1030'), after: worth('1055') },
    },
  },
};

describe('a deposit into a vault, in words', () => {
  it('says what one gets, and what that earns', () => {
    expect(text(saidBefore(DEPOSIT))).toBe(
      'You deposit 25 USDC and get 24.27 shares, all staked in the farm. They earn about 3 USDC a year at today’s rate.',
    );
    expect(text(saidAfter(DEPOSIT))).toBe('You deposited 25 USDC. All 1,024.27 shares are staked now.');
  });

  it('says that shares which leave the wallet stay with its owner', () => {
    // 400 of 1000 shares are worth 412 dollars, of which the farm pays 8%.
    expect(text(surpriseOf(DEPOSIT))).toBe(
      'Your 400 unstaked shares are staked too. Your wallet shows them as leaving; they stay yours and earn about $32.96 more a year.',
    );
  });

  it('says nothing of the farm before the simulation', () => {
    const { vault } = DEPOSIT;
    if (vault === null) expect.fail('a deposit into a vault');
    const early = { ...DEPOSIT, vault: { ...vault, position: null } };
    expect(text(saidBefore(early))).toBe('You deposit 25 USDC and get 24.27 shares.');
    expect(surpriseOf(early)).toBeNull();
  });
});

it('says where the health of a loan goes', () => {
  const loan: Deed = { ...DEPOSIT, verb: 'borrow', vault: null, health: { before: '1.66', after: '1.52' } };
  expect(text(saidBefore(loan))).toBe('You borrow 25 USDC. Your health goes from 1.66 to 1.52.');
});

describe('a run that failed', () => {
  const of = (
    code: ConstructorParameters<typeof SluiceError>[1]['code'],
    step: 'building' | 'confirming',
    confirmed = 0,
  ) =>
    failureOf(
      new SluiceError('Because.', { code, retryable: false, context: { signature: 's', slot: '1' } }),
      'deposit',
      { step, confirmed },
    );

  it('says whether money moved', () => {
    expect(of('TRANSACTION_FAILED', 'confirming').title).toBe(
      'Your deposit did not go through. No money moved.',
    );
    expect(of('TRANSACTION_FAILED', 'confirming', 1).title).toBe('Only a part of your deposit went through.');
    expect(of('NETWORK', 'confirming').title).toBe('It is not known whether your deposit went through.');
    expect(of('NETWORK', 'building').title).toBe('Your deposit could not be prepared. No money moved.');
  });

  it('leads to a transaction only when a block has it', () => {
    expect(of('TRANSACTION_FAILED', 'confirming').signature).toBe('s');
    expect(of('TRANSACTION_REJECTED', 'confirming').signature).toBeNull();
  });
});

describe('a text that is no address', () => {
  it('has its wrong characters marked', () => {
    const { pieces, reason } = mistyped('6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWn0');
    expect(pieces.filter(({ isWrong }) => isWrong)).toEqual([{ text: '0', isWrong: true }]);
    expect(reason).toBe('Addresses never contain the digit 0.');
  });

  it('can be too short, or a signature', () => {
    expect(mistyped('abc').reason).toBe('Addresses have 32 to 44 letters and digits; this has 3.');
    expect(looksLikeSignature('5'.repeat(88))).toBe(true);
    expect(looksLikeSignature('5'.repeat(44))).toBe(false);
  });
});

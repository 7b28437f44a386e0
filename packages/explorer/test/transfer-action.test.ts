import { describe, expect, it } from 'vitest';
import { type TransferStep, type TransferTarget, transferOf } from '../src/act/transfer-action.ts';

const OTHER = 'So11111111111111111111111111111111111111112';
const target = (step: TransferStep): TransferTarget => ({
  kind: 'transfer',
  market: 'market',
  obligation: 'loan',
  step,
});
const place = { wallet: 'me', market: 'market', obligation: { address: 'loan' } };

describe('the form that transfers a loan', () => {
  it('offers it to an address', () => {
    expect(transferOf(target('offer'), 'me', ` ${OTHER} `)).toEqual({
      initiateObligationTransfer: { ...place, newOwner: OTHER },
    });
  });

  it.each(['', 'me', `${OTHER}!`, OTHER.slice(0, 20)])('offers it to nobody for %j', (text) => {
    expect(transferOf(target('offer'), 'me', text)).toBeNull();
  });

  it('withdraws an offer, and accepts one', () => {
    expect(transferOf(target('withdraw'), 'me', '')).toEqual({ abortObligationTransfer: place });
    expect(transferOf(target('accept'), 'me', '')).toEqual({
      acceptObligation: { wallet: 'me', obligation: 'loan' },
    });
  });
});

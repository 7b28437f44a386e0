import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  namedAccount,
  optionalAccount,
  type ReadAccount,
  type ReadAccounts,
} from '../../src/builders/read-accounts.ts';
import { SluiceError } from '../../src/errors/sluice-error.ts';

const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD' as Address;
const AT = 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd' as Address;

const account = (elevationGroup: number): ReadAccount => ({
  owner: KLEND,
  address: AT,
  lamports: 1n,
  data: obligation.encode({ elevationGroup }),
});
const holding =
  (held: ReadAccount | null): ReadAccounts =>
  () =>
    held;

describe('accounts read for a build', () => {
  it('are decoded once per read', () => {
    const read = holding(account(7));
    const first = optionalAccount(read, AT, obligation, KLEND);
    expect(first?.elevationGroup).toBe(7);
    expect(optionalAccount(read, AT, obligation, KLEND)).toBe(first);
  });

  it('are decoded again after another read', () => {
    expect(optionalAccount(holding(account(1)), AT, obligation, KLEND)?.elevationGroup).toBe(1);
    expect(optionalAccount(holding(account(2)), AT, obligation, KLEND)?.elevationGroup).toBe(2);
  });

  it('are rejected as another kind or program even after they were decoded', () => {
    const held = account(3);
    const read = holding(held);
    optionalAccount(read, AT, obligation, KLEND);
    const notFound = (cause?: unknown) =>
      new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: AT }, { cause });
    expect(() => namedAccount(read, AT, lendingMarket, KLEND, notFound)).toThrow(
      expect.objectContaining({ code: 'KLEND_OBLIGATION_NOT_FOUND' }),
    );
    expect(() => optionalAccount(read, AT, obligation, TOKEN_PROGRAM)).toThrow(
      expect.objectContaining({ code: 'ACCOUNT_WRONG_OWNER' }),
    );
    expect(optionalAccount(holding({ ...held, owner: SYSTEM_PROGRAM }), AT, obligation, KLEND)).toBeNull();
  });
});

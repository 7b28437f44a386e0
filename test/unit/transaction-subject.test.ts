import { describe, expect, it } from 'vitest';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { transactionSubject } from '../../src/live/transaction-subject.ts';
import { watchOf } from '../../src/live/update.ts';
import type { Session } from '../../src/services/request/session.ts';
import {
  pending,
  type SendStatus,
  type SentTransaction,
} from '../../src/services/sending/sent-transaction.ts';

const SIGNATURE = 'eQAW8xr8W1L2YonmKzaBeiufksFmFvu74tGy9X7DEbS9feZWNS8e8dwccMjdTYSjZqTKTicdQw6hv8AiGoQhDMf';
const SESSION = { view: { moment: { slot: 1n } } } as Session;

/** Transactions of which the test says what is found. */
class Found {
  status: SendStatus = 'PENDING';
  readonly isArchived: boolean[] = [];

  async find(signature: string, isArchived: boolean): Promise<SentTransaction> {
    this.isArchived.push(isArchived);
    return { ...pending(signature), status: this.status };
  }
}

describe('a followed transaction', () => {
  it('is searched for in the archive once', async () => {
    const found = new Found();
    const subject = transactionSubject(SIGNATURE, found);
    for (let i = 0; i < 3; i += 1) await subject.read(SESSION);
    expect(found.isArchived).toEqual([true, false, false]);
  });

  it('that is not seen for long enough has expired, which ends the stream', async () => {
    const watch = watchOf(transactionSubject(SIGNATURE, new Found(), -1));
    const [update] = await watch.snapshot(SESSION);
    expect(update?.state).toMatchObject({ status: 'EXPIRED', slot: null });
    expect(watch.isOver()).toBe(true);
  });

  it.each([
    ['PENDING', false],
    ['PROCESSED', false],
    ['CONFIRMED', false],
    ['FINALIZED', true],
    ['FAILED', true],
    ['REJECTED', true],
    ['EXPIRED', true],
  ] as const)('that is %s ends the stream: %s', async (status, isOver) => {
    const found = new Found();
    const watch = watchOf(transactionSubject(SIGNATURE, found));
    await watch.snapshot(SESSION);
    expect(watch.isOver()).toBe(false);
    found.status = status;
    const { updates, commit } = await watch.changes(SESSION);
    expect(updates.map(({ reason }) => reason)).toEqual(status === 'PENDING' ? [] : ['ACCOUNT']);
    // A stream ends when the last event was produced, not when it was found.
    expect(watch.isOver()).toBe(false);
    commit();
    expect(watch.isOver()).toBe(isOver);
  });

  it('needs a signature of 64 bytes', () => {
    try {
      transactionSubject('nonsense', new Found());
      expect.unreachable();
    } catch (error) {
      expect(isCodedError(error, 'SIGNATURE_MALFORMED')).toBe(true);
    }
  });
});

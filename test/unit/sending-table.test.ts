import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import type { Sending } from '../../src/services/sending/sending.ts';
import { type SendingEntry, SendingTable } from '../../src/services/sending/sending-table.ts';
import { type SignedTransaction, signedTransaction } from '../../src/services/sending/signed-transaction.ts';
import { Wallet } from '../support/sending/signed-transactions.ts';

const NONCE = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const { klend: ELSEWHERE } = MAINNET_PROGRAMS;

let wallet: Wallet;
let stranger: Wallet;
beforeAll(async () => {
  wallet = await Wallet.create();
  stranger = await Wallet.create(1);
});

/** Entries of callers, each with a fee payer of its own. */
class Entries {
  readonly stopped: string[] = [];
  #made = 0;

  of(caller: string, change: Partial<SignedTransaction> = {}): SendingEntry {
    this.#made += 1;
    const signature = `${caller}${this.#made}`;
    const feePayer = `payer ${this.#made}` as SignedTransaction['feePayer'];
    const sending = { stop: () => this.stopped.push(signature) } as unknown as Sending;
    const transaction = { signature, feePayer, nonce: null, ...change } as SignedTransaction;
    return { transaction, sending, caller };
  }
}

/** The code and the context of the refusal; null when there is none. */
function refusal(run: () => void) {
  try {
    run();
    return null;
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { code: error.code, ...error.context };
  }
}

describe('a full table', () => {
  it('gives the place of the oldest of the caller with the most to a caller with fewer', () => {
    const table = new SendingTable({ total: 6, share: 4 });
    const entries = new Entries();
    for (const caller of ['a', 'a', 'b', 'a', 'b', 'a']) table.add(entries.of(caller));
    table.add(entries.of('c'));
    expect(entries.stopped).toEqual(['a1']);
    expect([table.get('a1'), table.get('a2')]).toEqual([undefined, expect.anything()]);
    // Three, two and one: c may have as many as b.
    table.add(entries.of('c'));
    expect(entries.stopped).toEqual(['a1', 'a2']);
  });

  it('refuses a caller that would have more than those with the most', () => {
    const table = new SendingTable({ total: 4, share: 4 });
    const entries = new Entries();
    for (const caller of ['a', 'a', 'b', 'b']) table.add(entries.of(caller));
    expect(refusal(() => table.add(entries.of('a')))).toEqual({
      code: 'SENDING_BUSY',
      whose: 'gateway',
      ceiling: 4,
      retryAfter: 5,
    });
    expect(entries.stopped).toEqual([]);
    table.add(entries.of('c', { signature: 'last' }));
    expect(entries.stopped).toEqual(['a1']);
  });

  it('has room again when a transaction has left', () => {
    const table = new SendingTable({ total: 1, share: 1 });
    const entries = new Entries();
    const first = entries.of('a');
    table.add(first);
    expect(refusal(() => table.add(entries.of('b')))).toMatchObject({ whose: 'gateway' });
    table.remove(first);
    table.remove(first);
    expect(refusal(() => table.add(entries.of('b')))).toBeNull();
  });
});

describe('a durable nonce', () => {
  const signed = async (by: Wallet, ...advance: Parameters<Wallet['advanceNonce']>) =>
    signedTransaction(await by.sign(8, [by.advanceNonce(...advance)]));

  it('has one transaction, which a second one does not replace', async () => {
    const table = new SendingTable({ total: 10, share: 10 });
    const entries = new Entries();
    const first = entries.of('a', await signed(wallet, NONCE));
    table.add(first);
    const { signature } = first.transaction;
    const second = entries.of('b', await signed(wallet, NONCE));
    expect(refusal(() => table.add(second))).toEqual({
      code: 'DURABLE_NONCE_BUSY',
      account: NONCE,
      signature,
      retryAfter: 5,
    });
    const elsewhere = entries.of('a', await signed(wallet, ELSEWHERE));
    expect(refusal(() => table.add(elsewhere))).toBeNull();
    table.remove(first);
    expect(refusal(() => table.add(second))).toBeNull();
  });

  it('is not taken by transactions that its authority has not signed', async () => {
    const table = new SendingTable({ total: 10, share: 10 });
    const entries = new Entries();
    table.add(entries.of('a', await signed(stranger, NONCE, wallet.signer.address)));
    const own = entries.of('b', await signed(wallet, NONCE));
    expect(refusal(() => table.add(own))).toBeNull();
  });
});

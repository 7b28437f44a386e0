import { type Blockhash, getBase58Decoder } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { EndlessRelay } from '../support/sending/endless-relay.ts';
import { BLOCKHASH, Wallet } from '../support/sending/signed-transactions.ts';

/** Sending on a cluster that takes every transaction and lands none. The clock is virtual, and calls are counted. */

/** 25 to resend and to check blockhashes, 20 for statuses, and the height every two seconds. */
const MOST_CALLS_PER_SECOND = 46;

const signedBy = (wallet: Wallet, count: number, blockhashOf: (i: number) => Blockhash | undefined) =>
  Promise.all(Array.from({ length: count }, (_, i) => wallet.sign(8, [], blockhashOf(i))));

const numbered = (i: number) =>
  getBase58Decoder().decode(new Uint8Array(32).fill(1 + (i % 250))) as Blockhash;

/** Signed before the clock stands still, because signing is asynchronous. */
let attacks: string[][];
let others: string[];
beforeAll(async () => {
  const wallets = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => Wallet.create(seed)));
  const all = wallets.map((wallet, i) => signedBy(wallet, 240, (j) => (i < 3 ? undefined : numbered(j))));
  [attacks, others] = await Promise.all(all).then((signed) => [signed.slice(0, 5), signed[5] ?? []]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterAll(() => void vi.useRealTimers());

/** The outcomes of transactions that are sent at once: a status, or the code of the error. */
async function outcomes(...runs: readonly Promise<{ readonly status: string }>[]): Promise<string[]> {
  const settled = runs.map((run) =>
    run.then(
      ({ status }) => status,
      (error: unknown) => (isCodedError(error) ? error.code : Promise.reject(error)),
    ),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  return await Promise.all(settled);
}

describe('five callers that send 1,200 transactions which never land', () => {
  let chain: EndlessRelay;
  let sent: string[];
  beforeAll(async () => {
    chain = new EndlessRelay();
    const runs = attacks.flatMap((each, i) => each.map((signed) => chain.send(`net:${i}`, signed)));
    sent = await outcomes(...runs);
  });
  afterAll(() => chain.relay.stop());

  it('have a share of 100 each', () => {
    const shares = attacks.map((_, i) => sent.slice(240 * i, 240 * (i + 1)));
    const share = [...Array(100).fill('PENDING'), ...Array(140).fill('SENDING_BUSY')];
    expect(shares).toEqual(attacks.map(() => share));
  });

  it('leave room for another caller, whose transaction is resent in turn with all of theirs', async () => {
    const [transaction = ''] = others;
    expect(await outcomes(chain.send('net:other', transaction))).toEqual(['PENDING']);
    await vi.advanceTimersByTimeAsync(9_000);
    const resent = chain.callsOf('sendTransaction').filter(({ params }) => params[0] === transaction);
    // Sent, and resent after two seconds and a turn among six callers. Each of theirs would wait for 40 seconds.
    expect(resent.length).toBeGreaterThanOrEqual(3);
  });

  it('cause no more calls a second than stated', async () => {
    chain.calls.length = 0;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(chain.calls.length).toBeLessThanOrEqual(10 * MOST_CALLS_PER_SECOND);
    expect(chain.callsOf('sendTransaction', 'isBlockhashValid').length).toBeLessThanOrEqual(10 * 25 + 1);
    expect(chain.callsOf('getSignatureStatuses').length).toBeLessThanOrEqual(10 * 20 + 1);
    const checks = chain.callsOf('isBlockhashValid').filter(({ params }) => params[0] === BLOCKHASH);
    expect(checks.length).toBeLessThanOrEqual(6);
  });
});

it('transactions that expire together are searched for together', async () => {
  const chain = new EndlessRelay({ share: 30 });
  await outcomes(
    ...attacks.slice(0, 3).flatMap((each, i) => each.slice(0, 30).map((one) => chain.send(`net:${i}`, one))),
  );
  chain.isBlockhashValid = false;
  chain.calls.length = 0;
  await vi.advanceTimersByTimeAsync(15_000);
  const searches = chain
    .callsOf('getSignatureStatuses')
    .filter(({ params }) => (params[1] as { searchTransactionHistory: boolean }).searchTransactionHistory);
  expect(searches.flatMap(({ params }) => params[0])).toHaveLength(90);
  expect(searches.length).toBeLessThanOrEqual(15);
  expect(chain.callsOf('isBlockhashValid').length).toBeLessThanOrEqual(8);
  chain.calls.length = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(chain.calls).toEqual([]);
});

describe('a share', () => {
  it('counts a fee payer whichever callers send for it', async () => {
    const chain = new EndlessRelay({ share: 3 });
    const sent = await outcomes(
      ...others.slice(0, 4).map((each, i) => chain.send(`net:${i}`, each)),
      ...attacks.map(([each = '']) => chain.send('net:0', each)),
    );
    const ofTheFirst = ['PENDING', 'PENDING', 'SENDING_BUSY', 'SENDING_BUSY', 'SENDING_BUSY'];
    expect(sent).toEqual(['PENDING', 'PENDING', 'PENDING', 'SENDING_BUSY', ...ofTheFirst]);
    chain.relay.stop();
  });

  it('is not used by a transaction that is being sent already', async () => {
    const chain = new EndlessRelay({ share: 1 });
    const [first = '', second = ''] = others;
    expect(await outcomes(chain.send('net:0', first), chain.send('net:0', first))).toEqual([
      'PENDING',
      'PENDING',
    ]);
    expect(await outcomes(chain.send('net:0', second))).toEqual(['SENDING_BUSY']);
    chain.relay.stop();
  });
});

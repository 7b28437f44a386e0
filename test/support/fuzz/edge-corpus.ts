import {
  type Address,
  addSignersToTransactionMessage,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

const [PAYER, PROGRAM, OTHER] = [
  '6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWnq',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
] as Address[] as [Address, Address, Address];

/** An unsigned transaction with an account and data. */
function transaction(version: 'legacy' | 0): Buffer {
  const lifetime = { blockhash: OTHER as string as Blockhash, lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version }),
    (m) => setTransactionMessageFeePayer(PAYER, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) =>
      appendTransactionMessageInstruction(
        { programAddress: PROGRAM, accounts: [{ address: OTHER, role: 1 }], data: Buffer.from('sluice') },
        m,
      ),
    (m) => addSignersToTransactionMessage([], m),
  );
  return Buffer.from(getTransactionEncoder().encode(compileTransaction(message)));
}

/** An answer with the data of accounts, short and long, as an endpoint sends it. */
function answer(data: Buffer): string {
  const account = { data: [data.toString('base64'), 'base64'], executable: false, lamports: 1, owner: OTHER };
  const rounded = JSON.stringify({ ...account, rentEpoch: 0, space: data.length });
  const value = `[${rounded.replace('"rentEpoch":0', '"rentEpoch":18446744073709551615')},null]`;
  return `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9007199254740993},"value":${value}}}`;
}

/** Sound inputs of each parser, from which a fuzz starts. */
export const CORPUS = {
  transactions: () => [transaction('legacy'), transaction(0)],
  answers: () => [
    answer(Buffer.alloc(10, 7)),
    answer(Buffer.alloc(1_200, 7)),
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"Node is \\"behind\\"","data":{"numSlotsBehind":42}}}',
    '{"jsonrpc":"2.0","id":1,"result":[]}',
  ],
  headers: [
    'gzip;q=0.5, br;q=1.0, *;q=0',
    'application/json;q=0.9, text/event-stream, */*;q=0.1',
    'W/"abc", "def", *',
    'for=192.0.2.60;proto=http;by=203.0.113.43, for="[2001:db8:cafe::17]:4711"',
    '203.0.113.1, 10.1.2.3, ::ffff:10.0.0.2, 2001:db8::1',
  ],
  paths: [
    'kvaults/../metrics',
    'a/./b/%2e%2E/c?x=/../y',
    'svc-market/%2e/reserves/...',
    '.well-known/a..b/.c./..d#/../',
  ],
} as const;

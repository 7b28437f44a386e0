import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GeyserError } from '../src/index.ts';
import { SUBSCRIBE_REQUEST } from '../src/messages/request.ts';
import { TRANSACTION_UPDATE } from '../src/messages/transaction.ts';
import { SUBSCRIBE_UPDATE } from '../src/messages/update.ts';
import { foreignMethod } from './support/foreign.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const { requestDeserialize, requestSerialize, responseDeserialize, responseSerialize } =
  foreignMethod('Subscribe');

describe('bytes written by hand', () => {
  it.each([
    ['ping of id 5', { ping: { id: 5 } }, '4a 02 08 05'],
    ['ping of id -1', { ping: { id: -1 } }, '4a 0b 08 ffffffffffffffffff01'],
    ['replay from slot 300', { fromSlot: 300n }, '58 ac02'],
    ['replay from slot 0, which is present', { fromSlot: 0n }, '58 00'],
    [
      'owner filter with a discriminator',
      {
        accounts: new Map([['a', { owner: ['o'], filters: [{ memcmp: { offset: 2n, bytes: hex('ff') } }] }]]),
      },
      '0a 11 0a0161 12 0c 1a016f 22 07 0a 05 0802 1201ff',
    ],
  ])('encode a request: %s', (_, request, expected) => {
    expect(Buffer.from(SUBSCRIBE_REQUEST.encode(request)).toString('hex')).toBe(expected.replaceAll(' ', ''));
  });

  it('decode to a slot update', () => {
    expect(SUBSCRIBE_UPDATE.decode(hex('0a0173 1a08 08ac02 10ab02 1801 5a02 0809'))).toEqual({
      filters: ['s'],
      account: null,
      slot: { slot: 300n, parent: 299n, status: 1, deadError: null },
      transaction: null,
      ping: null,
      blockMeta: null,
      pong: null,
      transactionStatus: null,
      createdAt: { seconds: 9n, nanos: 0 },
    });
  });

  it.each([
    ['packed', '0a 07 22 05 1a 03 01 ac02'],
    ['one by one', '0a 07 22 05 18 01 18 ac02'],
  ])('decode repeated numbers: %s', (_, text) => {
    expect(TRANSACTION_UPDATE.decode(hex(text)).transaction?.meta?.preBalances).toEqual([1n, 300n]);
  });

  it('decode to the last of two alternatives', () => {
    const { slot, pong } = SUBSCRIBE_UPDATE.decode(hex('1a02 0801 4a02 0807'));
    expect({ slot, pong }).toEqual({ slot: null, pong: { id: 7 } });
  });

  it('skip unknown fields of every wire type', () => {
    const unknown = 'a00101 a1010102030405060708 a20102ffff a50101020304';
    expect(SUBSCRIBE_UPDATE.decode(hex(`${unknown} 4a02 0807 ${unknown}`)).pong).toEqual({ id: 7 });
  });

  it('skip a known field of another wire type', () => {
    expect(SUBSCRIBE_UPDATE.decode(hex('1801 4a02 0807')).slot).toBeNull();
  });

  it.each([
    ['a varint without an end', '58 80'],
    ['a varint of eleven bytes', '58 8080808080808080808001'],
    ['a text that is longer than the message', '0a 05 61'],
    ['a submessage that is longer than its parent', '4a 02 08'],
    ['a field that reaches beyond its submessage', '4a 01 08 05'],
    ['a length of 2^63', '0a ffffffffffffffff7f'],
    ['the field number 0', '00 01'],
    ['a group', '0b 0c'],
    ['a text that is not UTF-8', '0a 01 ff'],
  ])('are refused: %s', (_, text) => {
    expect(() => SUBSCRIBE_UPDATE.decode(hex(text))).toThrow(GeyserError);
  });

  it('are refused when they unfold to too many objects', () => {
    const empty = Buffer.from('0a00', 'hex');
    expect(() => SUBSCRIBE_UPDATE.decode(Buffer.alloc(300_000 * empty.length, empty))).toThrow(
      /more than 250000 elements/,
    );
  });
});

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const i32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const bytes = fc.uint8Array({ maxLength: 300 });
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const list = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 5 });

const account = fc.record({
  account: orNull(
    fc.record({
      pubkey: bytes,
      lamports: u64,
      owner: bytes,
      executable: fc.boolean(),
      rentEpoch: u64,
      data: fc.uint8Array({ maxLength: 20_000 }),
      writeVersion: u64,
      txnSignature: orNull(bytes),
    }),
  ),
  slot: u64,
  isStartup: fc.boolean(),
});
const balance = fc.record({
  accountIndex: u32,
  mint: text,
  uiTokenAmount: orNull(
    fc.record({ uiAmount: fc.double({ noNaN: true }), decimals: u32, amount: text, uiAmountString: text }),
  ),
  owner: text,
  programId: text,
});
const instruction = { programIdIndex: u32, accounts: bytes, data: bytes };
const meta = fc.record({
  err: orNull(fc.record({ err: bytes })),
  fee: u64,
  preBalances: list(u64),
  postBalances: list(u64),
  innerInstructions: list(
    fc.record({
      index: u32,
      instructions: list(fc.record({ ...instruction, stackHeight: orNull(u32) })),
    }),
  ),
  logMessages: list(text),
  preTokenBalances: list(balance),
  postTokenBalances: list(balance),
  innerInstructionsNone: fc.boolean(),
  logMessagesNone: fc.boolean(),
  loadedWritableAddresses: list(bytes),
  loadedReadonlyAddresses: list(bytes),
  returnData: orNull(fc.record({ programId: bytes, data: bytes })),
  returnDataNone: fc.boolean(),
  computeUnitsConsumed: orNull(u64),
  costUnits: orNull(u64),
});
const body = fc.record({
  signatures: list(bytes),
  message: orNull(
    fc.record({
      header: orNull(
        fc.record({ numRequiredSignatures: u32, numReadonlySigned: u32, numReadonlyUnsigned: u32 }),
      ),
      accountKeys: list(bytes),
      recentBlockhash: bytes,
      instructions: list(fc.record(instruction)),
      versioned: fc.boolean(),
      addressTableLookups: list(
        fc.record({ accountKey: bytes, writableIndexes: bytes, readonlyIndexes: bytes }),
      ),
      config: fc.constant(null),
    }),
  ),
});
const transaction = fc.record({
  transaction: orNull(
    fc.record({
      signature: bytes,
      isVote: fc.boolean(),
      transaction: orNull(body),
      meta: orNull(meta),
      index: u64,
    }),
  ),
  slot: u64,
});
const slot = fc.record({ slot: u64, parent: orNull(u64), status: i32, deadError: orNull(text) });
const blockMeta = fc.record({
  slot: u64,
  blockhash: text,
  blockTime: orNull(fc.record({ timestamp: i64 })),
  blockHeight: orNull(fc.record({ blockHeight: u64 })),
  parentSlot: u64,
  parentBlockhash: text,
  executedTransactionCount: u64,
  entriesCount: u64,
});
const NONE = {
  account: null,
  slot: null,
  transaction: null,
  ping: null,
  blockMeta: null,
  pong: null,
  transactionStatus: null,
};
const part = fc.oneof(
  fc.record({ account }),
  fc.record({ slot }),
  fc.record({ transaction }),
  fc.record({ blockMeta }),
  fc.record({ pong: fc.record({ id: i32 }) }),
  fc.constant({ ping: {} }),
);
const update = fc
  .tuple(list(text), orNull(fc.record({ seconds: i64, nanos: i32 })), part)
  .map(([filters, createdAt, one]) => ({ ...NONE, filters, createdAt, ...one }));

describe('round trips through another implementation', () => {
  it('keep every update', () => {
    fc.assert(
      fc.property(update, (value) => {
        const foreign = responseDeserialize(Buffer.from(SUBSCRIBE_UPDATE.encode(value)));
        expect(SUBSCRIBE_UPDATE.decode(Uint8Array.from(responseSerialize(foreign)))).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  const filters = fc.record({
    account: list(text),
    owner: list(text),
    filters: list(
      fc.oneof(
        fc.record({ datasize: u64 }),
        fc.record({ memcmp: fc.record({ offset: u64, bytes }) }),
        fc.record({ memcmp: fc.record({ offset: u64, base64: text }) }),
        fc.record({ tokenAccountState: fc.constant(true) }),
        fc.record({ lamports: fc.record({ gt: u64 }) }),
      ),
    ),
    nonemptyTxnSignature: orNull(fc.boolean()),
  });
  const request = fc.record({
    accounts: fc.dictionary(text, filters).map((each) => new Map(Object.entries(each))),
    commitment: orNull(fc.integer({ min: 0, max: 2 })),
    accountsDataSlice: list(fc.record({ offset: u64, length: u64 })),
    fromSlot: orNull(u64),
    ping: orNull(fc.record({ id: i32 })),
  });

  it('keep every request', () => {
    fc.assert(
      fc.property(request, (value) => {
        const foreign = requestDeserialize(Buffer.from(SUBSCRIBE_REQUEST.encode(value)));
        const decoded = SUBSCRIBE_REQUEST.decode(requestSerialize(foreign));
        expect(SUBSCRIBE_REQUEST.encode(decoded)).toEqual(SUBSCRIBE_REQUEST.encode(value));
        expect(decoded.accounts.size).toBe(value.accounts.size);
      }),
      { numRuns: 200 },
    );
  });
});

describe('damaged bytes', () => {
  it('give an update or a GeyserError', () => {
    const damaged = fc
      .tuple(update, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }), fc.nat())
      .map(([value, edits, cut]) => {
        const encoded = Buffer.from(SUBSCRIBE_UPDATE.encode(value));
        for (const [at, byte] of edits) encoded[at % Math.max(encoded.length, 1)] = byte;
        return encoded.subarray(0, cut % 3 === 0 ? cut % (encoded.length + 1) : encoded.length);
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), (input) => {
        try {
          SUBSCRIBE_UPDATE.decode(input);
        } catch (error) {
          expect(error).toBeInstanceOf(GeyserError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

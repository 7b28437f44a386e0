import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  AccountRole,
  type Address,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import { overflowOf, planTransactions } from '../../src/builders/plan/plan.ts';
import { type FrameOptions, transactionFrame } from '../../src/builders/transaction/frame.ts';
import {
  type PriorityLevel,
  pricedAccounts,
  priceOfLevel,
} from '../../src/builders/transaction/priority-fee.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import {
  addressNumber,
  type LendingSetting,
  LIFETIME,
  lendingChain,
  lendingRequest,
  NOW,
  SLOT,
  TABLE,
  WALLET,
} from '../support/builders/lending-accounts.ts';

const FIRST: LendingSetting = { obligation: 'none', metadata: false, reserves: [{ farmCollateral: true }] };
const SPONSOR = addressNumber(9_001);
const NONCE = addressNumber(9_002);
const RECEIVER = addressNumber(9_003);
/** The nonce has the text form of a blockhash. */
const NONCE_LIFETIME = { blockhash: addressNumber(9_004) as string, lastValidBlockHeight: null };

const EVERYTHING: FrameOptions = {
  feePayer: SPONSOR,
  memo: 'order 17',
  durableNonce: { account: NONCE, authority: WALLET },
  tip: { account: RECEIVER, lamports: 5_000n },
};

/** A first deposit, paid for by the fee payer of the options. */
function input(options: FrameOptions) {
  const { feePayer, opening, closing } = transactionFrame(options, WALLET);
  const accounts = lendingAccounts(lendingRequest('deposit'), lendingChain(FIRST), SLOT, feePayer);
  const { instructions } = buildLending(accounts, { tokens: parseDecimal('1') }, NOW).action;
  return { feePayer, opening, instructions, closing, tables: accounts.tables };
}

function decoded(base64: string) {
  const { messageBytes, signatures } = getTransactionDecoder().decode(Buffer.from(base64, 'base64'));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 0) throw new Error('not a v0 message');
  return { message, signatures };
}

function only(transactions: ReturnType<typeof planTransactions>) {
  const [transaction] = transactions;
  expect(transactions).toHaveLength(1);
  return transaction ?? expect.fail('nothing was planned');
}

/** All addresses of the instructions, in a table of their own. */
const tableOf = (
  instructions: readonly { accounts: readonly { address: Address }[] }[],
  more: Address[] = [],
) => {
  const named = instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address));
  const addresses = [...new Set([...named, ...more])];
  return { address: TABLE, addresses, usable: addresses.length };
};

describe('the frame of a transaction', () => {
  it('has the nonce first, then the compute budget, and memo and tip last', () => {
    const { instructions, signers, priorityFeeMicroLamports } = only(
      planTransactions({
        ...input(EVERYTHING),
        priorityFeeMicroLamports: 3n,
        lifetime: NONCE_LIFETIME,
        tables: [tableOf(input(EVERYTHING).instructions)],
      }),
    );
    expect(instructions.slice(0, 2).map(({ name }) => name)).toEqual([
      'advanceNonceAccount',
      'setComputeUnitPrice',
    ]);
    expect(instructions.slice(-2).map(({ programAddress }) => programAddress)).toEqual([
      MEMO_PROGRAM,
      SYSTEM_PROGRAM,
    ]);
    expect(instructions.at(-1)?.accounts).toEqual([
      { address: SPONSOR, role: AccountRole.WRITABLE_SIGNER },
      { address: RECEIVER, role: AccountRole.WRITABLE },
    ]);
    expect(signers).toEqual([SPONSOR, WALLET]);
    expect(priorityFeeMicroLamports).toBe(3n);
  });

  it('has the other signer pay for every account that is created', () => {
    const { instructions } = input({ feePayer: SPONSOR });
    const payers = instructions.flatMap(({ name, accounts, labels }) =>
      labels.flatMap((label, i) => (/^(payer|feePayer)$/.test(label) ? [[name, accounts[i]?.address]] : [])),
    );
    expect(payers).toEqual([
      ['createAssociatedTokenIdempotent', SPONSOR],
      ['initUserMetadata', SPONSOR],
      ['initObligation', SPONSOR],
      ['initObligationFarmsForReserve', SPONSOR],
    ]);
  });

  it('keeps the nonce account out of lookup tables', () => {
    const parts = input(EVERYTHING);
    const table = tableOf([...parts.instructions, ...parts.closing], [NONCE]);
    const { base64 } = only(planTransactions({ ...parts, tables: [table], lifetime: NONCE_LIFETIME }));
    const { message } = decoded(base64);
    expect(message.lifetimeToken).toBe(NONCE_LIFETIME.blockhash);
    expect(message.addressTableLookups).toHaveLength(1);
    expect(message.staticAccounts).toContain(NONCE);
    expect(message.staticAccounts).not.toContain(RECEIVER);
    const [first] = message.instructions;
    expect(message.staticAccounts[first?.accountIndices?.[0] ?? -1]).toBe(NONCE);
  });

  it('counts both signatures and all instructions when it asks whether one transaction is enough', () => {
    const memo = 'm'.repeat(566);
    const setting = { ...EVERYTHING, memo };
    for (const options of [{}, { feePayer: SPONSOR }, { memo }, EVERYTHING, setting]) {
      const parts = input(options);
      for (const tables of [[], [tableOf(parts.instructions)]]) {
        const fits = overflowOf({ ...parts, tables }) === null;
        const [first, ...more] = planned({ ...parts, tables, lifetime: LIFETIME });
        expect(fits, Object.keys(options).join()).toBe(first !== undefined && more.length === 0);
        if (first !== undefined) expect(Buffer.from(first.base64, 'base64')).toHaveLength(first.sizeBytes);
      }
    }
  });

  it('puts memo and tip into the last of two transactions, and refuses a nonce for two', () => {
    const options = { feePayer: SPONSOR, memo: 'm'.repeat(200), tip: { account: RECEIVER, lamports: 1n } };
    const parts = { ...input(options), tables: [] };
    const [setup, action] = planTransactions({ ...parts, lifetime: LIFETIME });
    const programs = (each: typeof setup) => each?.instructions.map(({ programAddress }) => programAddress);
    expect(programs(setup)).not.toContain(MEMO_PROGRAM);
    expect(programs(action)?.slice(-2)).toEqual([MEMO_PROGRAM, SYSTEM_PROGRAM]);
    expect(() => planTransactions({ ...parts, lifetime: NONCE_LIFETIME })).toThrow(
      expect.objectContaining({ code: 'DURABLE_NONCE_INVALID' }),
    );
  });

  it('is empty without options', () => {
    const { feePayer, opening, closing, reads } = transactionFrame({}, WALLET);
    expect({ feePayer, opening, closing, reads }).toEqual({
      feePayer: WALLET,
      opening: [],
      closing: [],
      reads: [],
    });
  });
});

/** The transactions, or none when they do not fit. */
function planned(parts: Parameters<typeof planTransactions>[0]) {
  try {
    return planTransactions(parts);
  } catch (error) {
    if (isCodedError(error, 'TRANSACTION_SIZE_ERROR')) return [];
    throw error;
  }
}

describe('the price of a level', () => {
  const of = (level: PriorityLevel, ...recent: bigint[]) => priceOfLevel(level, recent);

  it('is a percentile by nearest rank', () => {
    const ten = [1n, 9n, 3n, 7n, 5n, 6n, 4n, 8n, 2n, 10n];
    expect([of('LOW', ...ten), of('MEDIUM', ...ten), of('HIGH', ...ten)]).toEqual([3n, 5n, 9n]);
    expect([of('LOW', 8n), of('MEDIUM', 8n), of('HIGH', 8n)]).toEqual([8n, 8n, 8n]);
    expect([of('LOW', 1n, 2n), of('HIGH', 2n, 1n)]).toEqual([1n, 2n]);
  });

  it('is zero when nobody competes, and never above the cap', () => {
    expect(of('HIGH')).toBe(0n);
    expect(of('HIGH', 10n ** 15n)).toBe(10_000_000n);
  });

  it('counts the accounts that are written, each once, up to what an RPC takes', () => {
    const parts = input({ feePayer: SPONSOR });
    const accounts = pricedAccounts(parts.instructions);
    expect(accounts).toContain(SPONSOR);
    expect(accounts).not.toContain(COMPUTE_BUDGET_PROGRAM);
    expect(new Set(accounts).size).toBe(accounts.length);
    const many = Array.from({ length: 200 }, (_, i) => ({
      programAddress: SYSTEM_PROGRAM,
      accounts: [{ address: addressNumber(i), role: AccountRole.WRITABLE }],
      data: new Uint8Array(0),
    }));
    expect(pricedAccounts(many)).toHaveLength(128);
  });
});

import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import {
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  FEE,
  FundedChain,
  memo,
  other,
  payer,
  SOL,
  someAddress,
  transfer,
  WALLET_RENT,
} from '../support/runtime/funded-chain.ts';
import { rawInstruction, signing } from '../support/runtime/signed-wire.ts';

let chain: FundedChain;

beforeEach(() => {
  chain = new FundedChain();
});

const refused = (failure: unknown) => ({ kind: 'refused', failure });

describe('a transfer signed with kit', () => {
  test.each(['legacy', 0] as const)('moves lamports and is recorded (version %s)', async (version) => {
    const transaction = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version }),
        (draft) => setTransactionMessageFeePayerSigner(payer, draft),
        (draft) =>
          setTransactionMessageLifetimeUsingBlockhash(
            { blockhash: chain.blockhash as Blockhash, lastValidBlockHeight: 0n },
            draft,
          ),
        (draft) => appendTransactionMessageInstruction(transfer(WALLET_RENT), draft),
      ),
    );
    const outcome = chain.send(Uint8Array.from(getTransactionEncoder().encode(transaction)));
    expect(outcome).toMatchObject({
      kind: 'processed',
      failure: null,
      record: {
        addresses: [payer.address, other.address, SYSTEM_PROGRAM],
        feeLamports: FEE,
        computeUnits: 150,
        preBalances: [SOL, 0n, chain.lamportsOf(SYSTEM_PROGRAM)],
        postBalances: [SOL - WALLET_RENT - FEE, WALLET_RENT, chain.lamportsOf(SYSTEM_PROGRAM)],
        logs: [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`],
      },
    });
    expect(chain.lamportsOf(other.address)).toBe(WALLET_RENT);
    expect(chain.lamportsOf(payer.address)).toBe(SOL - WALLET_RENT - FEE);
  });
});

describe('a transaction is refused', () => {
  test('above 1,232 bytes', async () => {
    expect(await chain.outcomeOf(memo('x'.repeat(1_100)))).toEqual(refused('SanitizeFailure'));
  });

  test('when it is no transaction', () => {
    for (const wire of [[], [0], [1], [1, 2, 3], new Array(200).fill(255)]) {
      expect(chain.send(Uint8Array.from(wire))).toEqual(refused('SanitizeFailure'));
    }
  });

  test('when the payer is read-only', async () => {
    const wire = await chain.wireOf([memo('x')], {
      edit: (compiled) => ({
        ...compiled,
        header: { ...compiled.header, numReadonlySignerAccounts: 1 },
      }),
    });
    expect(chain.send(wire)).toEqual(refused('SanitizeFailure'));
  });

  test('when it names an account that it does not list', async () => {
    const wire = await chain.wireOf([transfer(1n)], {
      edit: (compiled) => ({
        ...compiled,
        instructions: [{ programAddressIndex: 2, accountIndices: [0, 9] }],
      }),
    });
    expect(chain.send(wire)).toEqual(refused('SanitizeFailure'));
  });

  test('when its payer is its program', async () => {
    const wire = await chain.wireOf([memo('x')], {
      edit: (compiled) => ({
        ...compiled,
        instructions: [{ programAddressIndex: 0 }],
      }),
    });
    expect(chain.send(wire)).toEqual(refused('SanitizeFailure'));
  });

  test('with an account twice', async () => {
    const wire = await chain.wireOf([transfer(1n)], {
      edit: (compiled) => ({
        ...compiled,
        staticAccounts: compiled.staticAccounts.map((address, i) => (i === 1 ? payer.address : address)),
      }),
    });
    expect(chain.send(wire)).toEqual(refused('AccountLoadedTwice'));
  });

  test('with 65 accounts, but not with 64', async () => {
    const table = someAddress(200);
    const entries = Array.from({ length: 63 }, (_, i) => someAddress(i + 10));
    chain.set(table, tableAccount(entries));
    const wireWith = (count: number) =>
      // The payer, the program, and the rest from the table.
      chain.wireOf([rawInstruction(MEMO_PROGRAM, '78', [signing(payer.address)])], {
        edit: (compiled) => {
          const readonlyIndexes = Array.from({ length: count - 2 }, (_, i) => i);
          return {
            ...compiled,
            addressTableLookups: [{ lookupTableAddress: table, readonlyIndexes, writableIndexes: [] }],
          };
        },
      });
    expect(chain.send(await wireWith(65))).toEqual(refused('TooManyAccountLocks'));
    expect(chain.send(await wireWith(64))).toMatchObject({ kind: 'processed', failure: null });
  });

  test('with a wrong or missing signature', async () => {
    const wire = await chain.wireOf([transfer(WALLET_RENT)]);
    const tampered = Uint8Array.from(wire);
    tampered.set([(wire[10] ?? 0) ^ 1], 10);
    expect(chain.send(tampered)).toEqual(refused('SignatureFailure'));
    const unsigned = Uint8Array.from(wire).fill(0, 1, 65);
    expect(chain.send(unsigned)).toEqual(refused('SignatureFailure'));
    expect(chain.simulate(unsigned, { verifySignatures: false })).toMatchObject({ failure: null });
  });

  test('the second time', async () => {
    const wire = await chain.wireOf([transfer(WALLET_RENT)]);
    chain.mustSend(wire);
    expect(chain.send(wire)).toEqual(refused('AlreadyProcessed'));
  });

  test('151 slots after its blockhash', async () => {
    const wire = await chain.wireOf([transfer(WALLET_RENT)]);
    chain.advance(151n);
    expect(chain.send(wire)).toEqual(refused('BlockhashNotFound'));
    const replaced = chain.simulate(wire, { verifySignatures: false, replaceBlockhash: chain.blockhash });
    expect(replaced).toMatchObject({ kind: 'processed', failure: null });
  });

  test('when the payer does not exist', async () => {
    const wire = await chain.wireOf([memo('x')], { signers: [other] });
    expect(chain.send(wire)).toEqual(refused('AccountNotFound'));
  });

  test('when the payer cannot pay the fee', async () => {
    chain.set(payer.address, { lamports: FEE - 1n });
    expect(await chain.outcomeOf(memo('x'))).toEqual(refused('InsufficientFundsForFee'));
  });

  test('when the fee leaves the payer less than the rent, but not when it leaves nothing', async () => {
    chain.set(payer.address, { lamports: WALLET_RENT + FEE - 1n });
    expect(await chain.outcomeOf(memo('x'))).toEqual(
      refused({ InsufficientFundsForRent: { account_index: 0 } }),
    );
    chain.set(payer.address, { lamports: FEE });
    expect(await chain.outcomeOf(memo('x'))).toMatchObject({ kind: 'processed', failure: null });
    expect(chain.accounts.get(payer.address)).toBeUndefined();
  });

  test('when the payer is an account of a program', async () => {
    chain.set(payer.address, { lamports: SOL, owner: TOKEN_PROGRAM });
    expect(await chain.outcomeOf(memo('x'))).toEqual(refused('InvalidAccountForFee'));
    chain.set(payer.address, { lamports: SOL, data: new Uint8Array(7) });
    expect(await chain.outcomeOf(memo('x'))).toEqual(refused('InvalidAccountForFee'));
  });
});

describe('lookup tables', () => {
  const table = someAddress(200);
  const target = someAddress(201);

  const lookUp = () =>
    chain.wireOf([transfer(WALLET_RENT, target)], { tables: { [table]: [someAddress(50), target] } });

  test('supply addresses', async () => {
    chain.set(table, tableAccount([someAddress(50), target]));
    const outcome = chain.mustSend(await lookUp());
    expect(outcome.record).toMatchObject({
      addresses: [payer.address, SYSTEM_PROGRAM, target],
      loadedWritable: [target],
      loadedReadonly: [],
    });
    expect(chain.lamportsOf(target)).toBe(WALLET_RENT);
    // Three accounts of 64 bytes and their data, and a table counted as 8,248 bytes; the target is new.
    expect(outcome.loadedAccountsDataSize).toBe(64 + 64 + 'builtin_program'.length + 8_248);
  });

  test.each([
    ['AddressLookupTableNotFound', null],
    ['InvalidAddressLookupTableOwner', { lamports: SOL, data: new Uint8Array(56) }],
    ['InvalidAddressLookupTableData', { ...tableAccount([]), data: new Uint8Array(55) }],
    ['InvalidAddressLookupTableIndex', tableAccount([someAddress(50)])],
    ['AddressLookupTableNotFound', tableAccount([someAddress(50), target], 299_999_487n)],
  ])('that cannot be used: %s', async (failure, account) => {
    if (account !== null) chain.set(table, account);
    expect(chain.send(await lookUp())).toEqual(refused(failure));
  });

  test('work for 512 slots after they were deactivated', async () => {
    chain.set(table, tableAccount([someAddress(50), target], 299_999_488n));
    expect(chain.send(await lookUp())).toMatchObject({ kind: 'processed', failure: null });
  });
});

function tableAccount(addresses: readonly Address[], deactivationSlot: bigint | null = null) {
  const data = encodeLookupTable({
    deactivationSlot,
    lastExtendedSlot: 1n,
    lastExtendedStartIndex: 0,
    authority: null,
    addresses,
  });
  return { owner: LOOKUP_TABLE_PROGRAM, lamports: SOL, data };
}

import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  CLOCK_SYSVAR,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
} from '@sluice/protocol/program-ids';
import { setComputeUnitLimit, setComputeUnitPrice } from '@sluice/protocol/system/instructions';
import { beforeEach, describe, expect, test } from 'vitest';
import { InstructionError } from '../../src/runtime/instruction-error.ts';
import type { Program } from '../../src/runtime/program.ts';
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
import { paying, rawInstruction, readonly } from '../support/runtime/signed-wire.ts';

let chain: FundedChain;

beforeEach(() => {
  chain = new FundedChain();
});

const limit = (units: number) => setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units });
const price = (microLamports: bigint) =>
  setComputeUnitPrice.encode(COMPUTE_BUDGET_PROGRAM, {}, { microLamports });
const refused = (failure: unknown) => ({ kind: 'refused', failure });

describe('compute budget', () => {
  test('the priority fee is the price times the limit, rounded up', async () => {
    const outcome = await chain.outcomeOf(limit(100_001), price(3n), memo('x'));
    // 100,001 units at 3 millionths of a lamport are 0.300003 lamports.
    expect(outcome).toMatchObject({ failure: null, record: { feeLamports: FEE + 1n } });
  });

  test('without a limit, an instruction gets 200,000 units, a built-in one 3,000', async () => {
    const outcome = await chain.outcomeOf(price(1_000_000n), transfer(WALLET_RENT), memo('x'));
    expect(outcome).toMatchObject({ failure: null, record: { feeLamports: FEE + 206_000n } });
  });

  test('the limit is at most 1,400,000 units', async () => {
    const outcome = await chain.outcomeOf(limit(2_000_000), price(1_000_000n));
    expect(outcome).toMatchObject({ failure: null, record: { feeLamports: FEE + 1_400_000n } });
  });

  test('a transaction that uses up its limit fails', async () => {
    const outcome = await chain.outcomeOf(limit(500), memo('x'));
    expect(outcome).toMatchObject({
      failure: { InstructionError: [1, 'ComputationalBudgetExceeded'] },
      record: { computeUnits: 500 },
    });
  });

  test.each([
    ['a second limit', [limit(1), limit(2)], { DuplicateInstruction: 1 }],
    ['data that is cut off', [budget('0200')], { InstructionError: [0, 'InvalidInstructionData'] }],
    ['an unknown tag', [budget('0900000000')], { InstructionError: [0, 'InvalidInstructionData'] }],
    ['no data', [budget('')], { InstructionError: [0, 'InvalidInstructionData'] }],
    ['an odd heap size', [budget('0101800000')], { InstructionError: [0, 'InvalidInstructionData'] }],
    ['no accounts at all', [budget('0400000000')], 'InvalidLoadedAccountsDataSizeLimit'],
  ])('refuses %s', async (_name, instructions, failure) => {
    expect(await chain.outcomeOf(...instructions)).toEqual(refused(failure));
  });

  test('accounts above the requested size are not loaded, and the fee is charged', async () => {
    // The payer (64 bytes), two programs and what they contain take more than 100 bytes.
    const outcome = await chain.outcomeOf(budget('0464000000'), memo('x'));
    expect(outcome).toMatchObject({ kind: 'processed', failure: 'MaxLoadedAccountsDataSizeExceeded' });
    expect(chain.lamportsOf(payer.address)).toBe(SOL - FEE);
  });
});

describe('programs', () => {
  test('must exist', async () => {
    const outcome = await chain.outcomeOf(rawInstruction(someAddress(99), ''));
    expect(outcome).toMatchObject({ kind: 'processed', failure: 'ProgramAccountNotFound' });
    expect(chain.lamportsOf(payer.address)).toBe(SOL - FEE);
  });

  test('must be executable', async () => {
    chain.set(someAddress(99), { lamports: SOL });
    const outcome = await chain.outcomeOf(rawInstruction(someAddress(99), ''));
    expect(outcome).toMatchObject({ kind: 'processed', failure: 'InvalidProgramForExecution' });
  });

  test('must be known to the chain', async () => {
    chain.set(someAddress(99), { lamports: SOL, executable: true });
    const outcome = await chain.outcomeOf(rawInstruction(someAddress(99), ''));
    expect(outcome).toMatchObject({ failure: { InstructionError: [0, 'UnsupportedProgramId'] } });
  });

  test('cannot be written to, nor can sysvars', async () => {
    const instruction = rawInstruction(SYSTEM_PROGRAM, '020000000100000000000000', [
      paying(payer.address),
      readonly(CLOCK_SYSVAR),
    ]);
    for (const target of [SYSTEM_PROGRAM, MEMO_PROGRAM, CLOCK_SYSVAR]) {
      // The library refuses to build such a message.
      const wire = await chain.wireOf([instruction, memo('x')], {
        edit: (compiled) => ({
          ...compiled,
          header: { ...compiled.header, numReadonlyNonSignerAccounts: 0 },
          instructions: compiled.instructions.map((each, i) =>
            i === 0 ? { ...each, accountIndices: [0, compiled.staticAccounts.indexOf(target)] } : each,
          ),
        }),
      });
      expect(chain.send(wire)).toMatchObject({
        failure: { InstructionError: [0, 'ReadonlyLamportChange'] },
      });
    }
  });

  test('that create or destroy lamports fail', async () => {
    const address = someAddress(99);
    chain = new FundedChain(
      new Map([
        [
          address,
          {
            address,
            run({ accounts }) {
              accounts[0]?.addLamports(1n);
            },
          },
        ],
      ]),
    );
    chain.set(address, { lamports: SOL, executable: true });
    const outcome = await chain.outcomeOf(rawInstruction(address, '', [paying(payer.address)]));
    expect(outcome).toMatchObject({ failure: { InstructionError: [0, 'UnbalancedInstruction'] } });
  });

  test('can return data', async () => {
    const address = someAddress(99);
    const program: Program = { address, run: ({ setReturnData }) => setReturnData(Uint8Array.of(1, 2)) };
    chain = new FundedChain(new Map([[address, program]]));
    chain.set(address, { lamports: SOL, executable: true });
    const outcome = chain.mustSend(await chain.wireOf([rawInstruction(address, '')]));
    expect(outcome.returnData).toEqual({ program: address, data: Uint8Array.of(1, 2) });
    expect(outcome.record.logs).toContain(`Program return: ${address} AQI=`);
  });

  test('that log more than 10,000 bytes are cut off', async () => {
    const address = someAddress(99);
    const run = ({ log }: { log: (text: string) => void }) => {
      for (let i = 0; i < 100; i += 1) log('x'.repeat(487));
    };
    chain = new FundedChain(new Map([[address, { address, run }]]));
    chain.set(address, { lamports: SOL, executable: true });
    const { record } = chain.mustSend(await chain.wireOf([rawInstruction(address, '')]));
    // 500 bytes each with the prefix: 19 fit below the limit, with the line that announces the program.
    expect(record.logs.filter((line) => line.startsWith('Program log: '))).toHaveLength(19);
    expect(record.logs[20]).toBe('Log truncated');
  });
});

describe('a failed transaction', () => {
  test('changes nothing but the balance of its payer', async () => {
    const outcome = await chain.outcomeOf(transfer(WALLET_RENT), transfer(SOL));
    expect(outcome).toMatchObject({
      kind: 'processed',
      failure: { InstructionError: [1, { Custom: 1 }] },
      record: { preTokenBalances: [], postBalances: [SOL - FEE, 0n, expect.any(BigInt)] },
    });
    expect(outcome.kind === 'processed' && [...outcome.changes.keys()]).toEqual([payer.address]);
    expect(chain.lamportsOf(other.address)).toBe(0n);
    expect(chain.lamportsOf(payer.address)).toBe(SOL - FEE);
  });

  test('says why in its logs', async () => {
    const outcome = await chain.outcomeOf(transfer(2n * SOL));
    expect(outcome).toMatchObject({
      record: {
        logs: [
          `Program ${SYSTEM_PROGRAM} invoke [1]`,
          'Transfer: insufficient lamports 999995000, need 2000000000',
          `Program ${SYSTEM_PROGRAM} failed: custom program error: 0x1`,
        ],
      },
    });
  });

  test('leaves no account below the rent', async () => {
    const outcome = await chain.outcomeOf(transfer(WALLET_RENT - 1n));
    expect(outcome).toMatchObject({
      kind: 'processed',
      failure: { InsufficientFundsForRent: { account_index: 1 } },
    });
    expect(chain.lamportsOf(other.address)).toBe(0n);
  });

  test('words its failure as a node does', () => {
    expect(new InstructionError('MissingRequiredSignature').message).toBe(
      'missing required signature for instruction',
    );
  });
});

function budget(data: string): EncodedInstruction {
  return rawInstruction(COMPUTE_BUDGET_PROGRAM, data);
}

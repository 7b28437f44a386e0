import { addressFromBytes } from '@sluice/protocol/layout/base58';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import type { Invocation, Program } from '../../src/runtime/program.ts';
import { ProgramBench } from '../support/runtime/program-bench.ts';
import { rawInstruction, readonly, signing, writable } from '../support/runtime/signed-wire.ts';

const addressOf = (number: number) => addressFromBytes(new Uint8Array(32).fill(number));
const [caller, callee, account] = [addressOf(1), addressOf(2), addressOf(3)];

/** Runs `caller` with the accounts; the other programs follow their script. */
function bench(run: (invocation: Invocation) => void, ...others: Program[]) {
  const programs: Program[] = [{ address: caller, run }, ...others];
  const chain = new ProgramBench(programs, { slot: 1n, unixTimestamp: 1n });
  return (...accounts: ReturnType<typeof readonly>[]) => chain.run([rawInstruction(caller, '', accounts)]);
}

const idle = (address: Address): Program => ({ address, run: () => undefined });
const reasonOf = (result: ReturnType<ReturnType<typeof bench>>) => result.failure?.reason;

describe('a call from program to program', () => {
  test('needs the called program in the transaction', () => {
    const run = bench(({ invoke }) => invoke(rawInstruction(callee, '')), idle(callee));
    const result = run();
    expect(reasonOf(result)).toBe('MissingAccount');
    expect(result.logs).toContain(`Unknown program ${callee}`);
    expect(reasonOf(run(readonly(callee)))).toBeUndefined();
  });

  test('cannot add privileges', () => {
    const run = bench(
      ({ invoke }) =>
        invoke(rawInstruction(callee, '', [{ address: account, role: AccountRole.WRITABLE_SIGNER }])),
      idle(callee),
    );
    expect(run(readonly(callee), signing(account)).logs).toContain(
      `${account}'s writable privilege escalated`,
    );
    expect(run(readonly(callee), writable(account)).logs).toContain(
      `${account}'s signer privilege escalated`,
    );
    expect(reasonOf(run(readonly(callee), writable(account)))).toBe('PrivilegeEscalation');
    expect(reasonOf(run(readonly(callee)))).toBe('MissingAccount');
  });

  test('may sign for derived addresses', () => {
    const run = bench(
      ({ invoke }) => invoke(rawInstruction(callee, '', [signing(account)]), [account]),
      idle(callee),
    );
    expect(reasonOf(run(readonly(callee), readonly(account)))).toBeUndefined();
  });

  test('may not come back to a program that waits for it', () => {
    const back: Program = { address: callee, run: ({ invoke }) => invoke(rawInstruction(caller, '')) };
    const accounts = [readonly(callee), readonly(caller)];
    const run = bench(({ invoke }) => invoke(rawInstruction(callee, '', accounts)), back);
    expect(reasonOf(run(...accounts))).toBe('ReentrancyNotAllowed');
  });

  test('may go from a program to itself, five levels deep', () => {
    const recursive = (depth: number) =>
      bench(({ invoke, stackHeight }) => {
        if (stackHeight < depth) invoke(rawInstruction(caller, '', [readonly(caller)]));
      });
    expect(reasonOf(recursive(5)(readonly(caller)))).toBeUndefined();
    expect(reasonOf(recursive(6)(readonly(caller)))).toBe('CallDepth');
  });

  test('happens at most 63 times', () => {
    const calling = (times: number) =>
      bench(({ invoke }) => {
        for (let i = 0; i < times; i += 1) invoke(rawInstruction(callee, ''));
      }, idle(callee));
    const within = calling(63)(readonly(callee));
    expect(within.failure).toBeNull();
    expect(within.inner[0]).toHaveLength(63);
    expect(within.unitsConsumed).toBe(63_000);
    expect(reasonOf(calling(64)(readonly(callee)))).toBe('MaxInstructionTraceLengthExceeded');
  });
});

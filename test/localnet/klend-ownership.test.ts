import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { memo } from '@sluice/protocol/memo/instructions';
import {
  COMPUTE_BUDGET_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  RECENT_BLOCKHASHES_SYSVAR,
  SYSTEM_PROGRAM,
} from '@sluice/protocol/program-ids';
import { setComputeUnitLimit } from '@sluice/protocol/system/instructions';
import { advanceNonceAccount } from '@sluice/protocol/system/nonce-instructions';
import type { Address } from '@solana/kit';
import { getAddressEncoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressNumber, reserveAddress, WALLET } from '../support/builders/lending-accounts.ts';
import { ADMIN, NEW_OWNER, OwnershipBench } from '../support/localnet/ownership-bench.ts';

const OTHER = addressNumber(972);
const budget = setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units: 50_000 });

/** After the given steps. */
function bench(...steps: readonly ('initiate' | 'approve')[]): OwnershipBench {
  const made = new OwnershipBench();
  for (const step of steps) {
    const instruction = step === 'initiate' ? made.initiating() : made.approving();
    expect(made.failureOf([instruction])).toBeNull();
  }
  return made;
}

const stateOf = (made: OwnershipBench) => {
  const { owner, pendingOwner, ownershipTransferState } = made.obligation();
  return [owner, pendingOwner, ownershipTransferState];
};

const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');
const IDLE = [WALLET, NO_ADDRESS, 0];

describe('the steps of a transfer', () => {
  it('have the bytes and accounts of the program', () => {
    const made = new OwnershipBench();
    const accountsOf = ({ accounts }: EncodedInstruction) =>
      accounts.map(({ address, role }) => [address, role]);
    const [obligation, sysvar] = [
      [made.obligationAddress, 1],
      [INSTRUCTIONS_SYSVAR, 0],
    ];
    expect(hex(made.initiating().data)).toBe(
      `7f2a51da93ab4c99${hex(new Uint8Array(getAddressEncoder().encode(NEW_OWNER)))}`,
    );
    expect(accountsOf(made.initiating())).toEqual([[WALLET, 2], obligation, sysvar]);
    expect(hex(made.aborting().data)).toBe('67d95341a405c3e3');
    expect(accountsOf(made.aborting())).toEqual([[WALLET, 2], obligation, sysvar]);
    expect(hex(made.accepting().data)).toBe('f98246b097bbef06');
    expect(accountsOf(made.accepting())).toEqual([[NEW_OWNER, 2], obligation, sysvar]);
    expect(hex(made.approving().data)).toBe('3de3e72ec47c3ca1');
    expect(accountsOf(made.approving()).map(([, role]) => role)).toEqual([2, 0, 1, 0, 0]);
  });

  it('change owner, new owner and state, and nothing else', () => {
    const made = new OwnershipBench();
    const before = made.account(made.obligationAddress).data;
    const changedBytes = () =>
      [...made.account(made.obligationAddress).data.entries()].flatMap(([at, byte]) =>
        byte === before[at] ? [] : [at],
      );
    expect(made.failureOf([budget, made.initiating()])).toBeNull();
    expect(stateOf(made)).toEqual([WALLET, NEW_OWNER, 1]);
    expect(changedBytes().filter((at) => at !== 2324 && (at < 2760 || at >= 2792))).toEqual([]);
    expect(made.failureOf([made.approving()])).toBeNull();
    expect(stateOf(made)).toEqual([WALLET, NEW_OWNER, 2]);
    expect(made.failureOf([made.accepting(), budget])).toBeNull();
    expect(stateOf(made)).toEqual([NEW_OWNER, NO_ADDRESS, 0]);
    expect(changedBytes().filter((at) => at < 64 || at >= 96)).toEqual([]);
  });

  it('end with an abort before the approval', () => {
    const made = bench('initiate');
    expect(made.failureOf([made.aborting()])).toBeNull();
    expect(stateOf(made)).toEqual(IDLE);
    expect(made.failureOf([made.initiating(OTHER)])).toBeNull();
  });
});

describe('a step is refused', () => {
  it('out of order', () => {
    for (const made of [bench('initiate'), bench('initiate', 'approve')]) {
      expect(made.failureOf([made.initiating()])).toBe(6176);
    }
    expect(bench().failureOf([bench().aborting()])).toBe(6177);
    expect(bench('initiate', 'approve').failureOf([bench().aborting()])).toBe(6177);
    expect(bench('initiate', 'approve').failureOf([bench().approving()])).toBe(6177);
    expect(bench('initiate').failureOf([bench().accepting()])).toBe(6180);
    // Without a transfer there is no pending owner either.
    expect(bench().failureOf([bench().accepting()])).toBe(6179);
    expect(bench().failureOf([bench().approving()])).toBe(6179);
  });

  it('for a new owner that is none', () => {
    for (const newOwner of [NO_ADDRESS, WALLET]) {
      expect(bench().failureOf([bench().initiating(newOwner)])).toBe(6179);
    }
  });

  it('by somebody else', () => {
    expect(bench().failureOf([bench().initiating(NEW_OWNER, OTHER)])).toBe(2001);
    expect(bench('initiate').failureOf([bench().aborting(NEW_OWNER)])).toBe(2001);
    expect(bench('initiate').failureOf([bench().approving(WALLET)])).toBe(2001);
    expect(bench('initiate').failureOf([bench().approving(ADMIN, OTHER)])).toBe(6179);
    expect(bench('initiate', 'approve').failureOf([bench().accepting(WALLET)])).toBe(6179);
  });

  it('without its signature, on another account, and with another sysvar', () => {
    const made = bench();
    const { accounts, ...rest } = made.initiating();
    const changed = (position: number, change: { address?: Address; role?: number }) => ({
      ...rest,
      accounts: accounts.map((each, i) => (i === position ? { ...each, ...change } : each)),
    });
    expect(made.failureOf([changed(0, { role: 0 })])).toBe(3010);
    expect(made.failureOf([changed(1, { role: 0 })])).toBe(2000);
    expect(made.failureOf([changed(1, { address: reserveAddress(0) })])).toBe(3002);
    expect(made.failureOf([changed(2, { address: OTHER })])).toBe(2012);
  });

  it('beside another instruction, but for the approval', () => {
    const note = memo('hello');
    const advance = advanceNonceAccount.encode(
      SYSTEM_PROGRAM,
      { nonceAccount: OTHER, recentBlockhashes: RECENT_BLOCKHASHES_SYSVAR, authority: WALLET },
      {},
    );
    expect(bench().failureOf([bench().initiating(), note])).toBe(6182);
    expect(bench().failureOf([note, bench().initiating()])).toBe(6182);
    expect(bench().failureOf([bench().initiating(), bench().aborting()])).toBe(6182);
    expect(bench('initiate').failureOf([bench().aborting(), note])).toBe(6182);
    expect(bench('initiate', 'approve').failureOf([bench().accepting(), note])).toBe(6182);
    expect(bench('initiate').failureOf([bench().approving(), note])).toBeNull();
    expect(bench('initiate').failureOf([bench().approving(), advance])).toBe(6185);
    // The state comes first.
    expect(bench('initiate').failureOf([bench().initiating(), note])).toBe(6176);
    expect(bench().failureOf([bench().aborting(), note])).toBe(6182);
  });

  it('while a borrow order is open, but not once its time is over', () => {
    for (const index of [0, 1, 2]) {
      const open = bench();
      open.placeBorrowOrder(index, 0n);
      expect(open.failureOf([open.initiating()]), String(index)).toBe(6181);
      const filled = bench();
      filled.placeBorrowOrder(index, 100n, 0n);
      expect(filled.failureOf([filled.initiating()]), String(index)).toBeNull();
      const expired = bench();
      const empty = hex(expired.account(expired.obligationAddress).data.slice(2792, 3112));
      expired.placeBorrowOrder(index, -1n);
      expect(expired.failureOf([expired.initiating()]), String(index)).toBeNull();
      const { data } = expired.account(expired.obligationAddress);
      expect(hex(data.slice(2792, 3112))).toBe(empty);
      expect(hex(data.slice(2600, 2760))).toBe('00'.repeat(160));
    }
    const later = bench('initiate');
    later.placeBorrowOrder(1, 100n);
    expect(later.failureOf([later.approving()])).toBe(6181);
    const last = bench('initiate', 'approve');
    last.placeBorrowOrder(1, 100n);
    expect(last.failureOf([last.accepting()])).toBe(6181);
    // An abort leaves it alone.
    const aborted = bench('initiate');
    aborted.placeBorrowOrder(1, -1n);
    expect(aborted.failureOf([aborted.aborting()])).toBeNull();
    expect(aborted.obligation().tailBorrowOrders[0]?.remainingDebtAmount).toBe(5n);
  });

  it('by a panic when the stored state is none', () => {
    const made = bench();
    made.changeObligation({ ownershipTransferState: 3 });
    expect(made.failureOf([made.initiating()])).toBe('ProgramFailedToComplete');
  });

  it('with the settings of another program', () => {
    const made = bench('initiate');
    const { accounts, ...rest } = made.approving();
    const elsewhere = { ...accounts[1], address: made.obligationAddress, role: 0 };
    expect(
      made.failureOf([{ ...rest, accounts: accounts.map((each, i) => (i === 1 ? elsewhere : each)) }]),
    ).toBe(3002);
    expect(rest.programAddress).toBe(MAINNET_PROGRAMS.klend);
  });
});

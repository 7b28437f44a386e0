import { addressFromBytes } from '@sluice/protocol/layout/base58';
import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import {
  COMPUTE_BUDGET_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
} from '@sluice/protocol/program-ids';
import { createAccount } from '@sluice/protocol/system/account-instructions';
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
  transferLamports,
} from '@sluice/protocol/system/instructions';
import { describe, expect, test } from 'vitest';
import { cases } from '../../../protocol/test/support/cases.ts';
import { Random } from '../../src/world/prng.ts';
import { paying, rawInstruction, signedWire, signerOf, signing } from '../support/runtime/signed-wire.ts';
import { TestChain } from '../support/runtime/test-chain.ts';

const MUTATIONS = cases(1_000, 10_000);
const TIMEOUT_MS = 60_000;
const SOL = 1_000_000_000n;
const table = addressFromBytes(new Uint8Array(32).fill(200));
const entries = [1, 2, 3].map((number) => addressFromBytes(new Uint8Array(32).fill(number)));

async function validWires(chain: TestChain): Promise<Uint8Array[]> {
  const [payer, other] = [await signerOf(1), await signerOf(2)];
  chain.set(payer.address, { lamports: 1_000n * SOL });
  const data = encodeLookupTable({
    deactivationSlot: null,
    lastExtendedSlot: 1n,
    lastExtendedStartIndex: 0,
    authority: null,
    addresses: entries,
  });
  chain.set(table, { owner: LOOKUP_TABLE_PROGRAM, lamports: SOL, data });
  const send = (destination = other.address) =>
    transferLamports.encode(SYSTEM_PROGRAM, { source: payer.address, destination }, { lamports: SOL });
  const { blockhash } = chain;
  return Promise.all([
    signedWire({
      blockhash,
      signers: [payer],
      instructions: [
        setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units: 50_000 }),
        setComputeUnitPrice.encode(COMPUTE_BUDGET_PROGRAM, {}, { microLamports: 1_000n }),
        send(),
        rawInstruction(MEMO_PROGRAM, '68656c6c6f', [signing(payer.address)]),
      ],
    }),
    signedWire({
      blockhash,
      signers: [payer],
      instructions: entries.map(send),
      tables: { [table]: entries },
    }),
    signedWire({
      blockhash,
      signers: [payer, other],
      instructions: [
        createAccount.encode(
          SYSTEM_PROGRAM,
          { payer: payer.address, newAccount: other.address },
          { lamports: SOL, space: 100n, owner: MEMO_PROGRAM },
        ),
        rawInstruction(SYSTEM_PROGRAM, '04000000', [paying(other.address)]),
      ],
    }),
  ]);
}

/** Changes, cuts, repeats or inserts bytes at random. */
function mutate(wire: Uint8Array, random: Random): Uint8Array {
  let bytes = Buffer.from(wire);
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    const at = random.below(bytes.length);
    const kind = random.below(10);
    if (kind < 6) bytes[at] = random.below(256);
    else if (kind === 6) bytes = bytes.subarray(0, at + 1);
    else if (kind === 7)
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.of(random.below(256)), bytes.subarray(at)]);
    else if (kind === 8) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - random.below(40)))]);
  }
  return Uint8Array.from(bytes);
}

describe('mutated transactions', () => {
  test('with their signatures checked, are refused unless the signed bytes are intact', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const chain = new TestChain();
    const wires = await validWires(chain);
    const before = chain.snapshot();
    const random = new Random('mutated wires');
    for (let i = 0; i < MUTATIONS; i += 1) {
      const original = random.pick(wires);
      const wire = mutate(original, random);
      const outcome = chain.simulate(wire);
      // Bytes after the message are no part of the transaction.
      if (Buffer.from(wire.subarray(0, original.length)).equals(Buffer.from(original))) continue;
      expect(outcome.kind).toBe('refused');
    }
    expect(chain.snapshot()).toEqual(before);
  });

  test('without that check, run without an unexpected error and conserve lamports', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const chain = new TestChain();
    const wires = await validWires(chain);
    const random = new Random('mutated and unchecked');
    const kinds = { refused: 0, failed: 0, succeeded: 0 };
    for (let i = 0; i < MUTATIONS; i += 1) {
      const outcome = chain.simulate(mutate(random.pick(wires), random), { verifySignatures: false });
      if (outcome.kind === 'refused') {
        kinds.refused += 1;
        continue;
      }
      kinds[outcome.failure === null ? 'succeeded' : 'failed'] += 1;
      let difference = outcome.record.feeLamports;
      for (const [address, account] of outcome.changes) {
        difference += account.lamports - chain.lamportsOf(address);
      }
      expect(difference).toBe(0n);
      if (outcome.failure !== null) expect(outcome.changes.size).toBe(1);
    }
    // The mutations reach all parts of the runtime.
    for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(50);
  });
});

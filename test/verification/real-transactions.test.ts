import { decodeInstruction, findInstruction, knownInstructions } from '@sluice/protocol/instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  ABSENT,
  haveRealTransactions,
  type RealTransaction,
  realTransactions,
} from '../support/vectors/shared-fixtures.ts';

const { lookupTables, vectors } = haveRealTransactions
  ? realTransactions()
  : { lookupTables: {}, vectors: [] };
const known = knownInstructions(MAINNET_PROGRAMS);

const EXPECTED_NAMES: Readonly<Record<string, readonly string[]>> = {
  usdcDeposit: ['createAssociatedTokenIdempotent', 'deposit', 'initializeUser', 'stake'],
  solDeposit: [
    'createAssociatedTokenIdempotent',
    'transferLamports',
    'syncNative',
    'createAssociatedTokenIdempotent',
    'deposit',
    'initializeUser',
    'stake',
  ],
  stakedWithdraw: [
    'createAssociatedTokenIdempotent',
    'unstake',
    'withdrawUnstakedDeposits',
    'createAssociatedTokenIdempotent',
    'withdraw',
  ],
};

function open(vector: RealTransaction) {
  const bytes = Uint8Array.from(Buffer.from(vector.transaction_base64, 'base64'));
  const compiled = getCompiledTransactionMessageDecoder().decode(
    getTransactionDecoder().decode(bytes).messageBytes,
  );
  const addressesByLookupTableAddress = {
    [vector.lookupTable]: [...(lookupTables[vector.lookupTable] ?? [])],
  };
  const message = decompileTransactionMessage(compiled, { addressesByLookupTableAddress });
  const decompiled: readonly Instruction[] = message.instructions;
  const instructions = decompiled.map(
    (each): EncodedInstruction => ({
      programAddress: each.programAddress,
      accounts: each.accounts?.map(({ address, role }) => ({ address, role })) ?? [],
      data: Uint8Array.from(each.data ?? []),
    }),
  );
  return { bytes, message, instructions, addressesByLookupTableAddress };
}

describe.skipIf(!haveRealTransactions)(`real vault transactions${ABSENT}`, () => {
  it.each(vectors.map((vector) => [vector.id, vector] as const))(
    '%s: named instructions with named accounts',
    (id, vector) => {
      const { instructions } = open(vector);
      const decoded = instructions.map((each) => decodeInstruction(known, each));
      expect(decoded.map(({ name }) => name)).toEqual(EXPECTED_NAMES[id]);
      for (const { name, accounts } of decoded) {
        const who = accounts.owner ?? accounts.user ?? accounts.payer ?? accounts.source;
        if (name !== 'syncNative') expect(who).toBe(vector.wallet);
      }
      const vaultAction = decoded.find(({ programAddress }) => programAddress === MAINNET_PROGRAMS.kvault);
      expect(vaultAction?.accounts.klendProgram).toBe(MAINNET_PROGRAMS.klend);
      // After the named accounts come the vault's reserves, then as many markets.
      expect((vaultAction?.remaining.length ?? 1) % 2).toBe(0);
    },
  );

  it.each(vectors.map((vector) => [vector.id, vector] as const))(
    '%s: encodes back to the same bytes',
    (_, vector) => {
      const { bytes, message, instructions, addressesByLookupTableAddress } = open(vector);
      const rebuilt = instructions.map((each) => {
        const layout = findInstruction(known, each);
        const { accounts, args, remaining } = layout.decode(each);
        const built = layout.encode(each.programAddress, accounts, args, remaining);
        expect(built.data).toEqual(each.data);
        expect(built.accounts.map(({ address }) => address)).toEqual(
          each.accounts.map(({ address }) => address),
        );
        return built;
      });
      const { lifetimeConstraint: lifetime } = message;
      if (!('blockhash' in lifetime)) throw new Error('the transaction lives by a nonce');
      const transaction = pipe(
        createTransactionMessage({ version: 0 }),
        (m) => setTransactionMessageFeePayer(vector.wallet as Address, m),
        (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
        (m) => appendTransactionMessageInstructions(rebuilt, m),
        (m) => compressTransactionMessageUsingAddressLookupTables(m, addressesByLookupTableAddress),
        (m) => compileTransaction(m),
      );
      const encoded = getTransactionEncoder().encode(transaction);
      expect(encoded.length).toBe(vector.decoded.bytes);
      expect(Buffer.from(encoded).toString('base64')).toBe(Buffer.from(bytes).toString('base64'));
    },
  );
});

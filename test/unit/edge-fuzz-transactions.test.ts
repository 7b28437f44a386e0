import { createPrivateKey, sign } from 'node:crypto';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { type Address, isAddress } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type MessageAccount, namedInstructions } from '../../src/builders/signing/named-instructions.ts';
import { signingWarnings } from '../../src/builders/signing/signing-warnings.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { signedTransaction } from '../../src/services/sending/signed-transaction.ts';
import { type WireTransaction, wireTransaction } from '../../src/services/sending/wire-transaction.ts';
import { corpusOf, FUZZ_TIMEOUT_MS, fuzz } from '../support/fuzz/edge-fuzz.ts';
import { Wallet } from '../support/sending/signed-transactions.ts';

const SEED = 9;
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY = createPrivateKey({
  key: Buffer.concat([PKCS8, Buffer.alloc(32, SEED)]),
  format: 'der',
  type: 'pkcs8',
});
const { address: WALLET } = (await Wallet.create(SEED)).signer;

/** The transaction if it can be decoded. */
function decoded(bytes: Buffer): WireTransaction | null {
  try {
    return wireTransaction(bytes.toString('base64'));
  } catch (error) {
    if (!isCodedError(error)) throw error;
    expect(['TRANSACTION_MALFORMED', 'TRANSACTION_TOO_LARGE']).toContain(error.code);
    return null;
  }
}

describe('mutated transactions', () => {
  it('of the corpus are decoded unchanged', () => {
    for (const bytes of corpusOf('transactions')) {
      const wire = decoded(bytes);
      if (wire !== null) expect(wire.bytes).toEqual(bytes);
    }
    expect(corpusOf('transactions').filter((bytes) => decoded(bytes) !== null).length).toBeGreaterThan(7);
  });

  it(
    'are decoded, or refused with a code',
    () =>
      fuzz('transactions', (bytes) => {
        const wire = decoded(bytes);
        if (wire === null) return;
        expect(bytes.subarray(-wire.messageBytes.length).equals(wire.messageBytes)).toBe(true);
        // A signer that is listed twice counts once.
        expect(wire.signatures.length).toBeLessThanOrEqual(wire.message.header.numSignerAccounts);
      }),
    FUZZ_TIMEOUT_MS,
  );

  it(
    'that their wallet has signed are relayed under it, with a nonce of it or of another signer, or refused with a code',
    () =>
      fuzz('transactions', (bytes) => {
        const wire = decoded(bytes);
        if (wire === null || wire.signatures[0]?.[0] !== WALLET) return;
        const signature = sign(null, wire.messageBytes, KEY);
        const at = bytes.length - wire.messageBytes.length - 64 * wire.message.header.numSignerAccounts;
        const signed = Buffer.concat([bytes.subarray(0, at), signature, bytes.subarray(at + 64)]);
        const signers = wire.signatures.map(([signer]) => signer);
        try {
          const { feePayer, nonce, programs } = signedTransaction(signed.toString('base64'));
          expect(feePayer).toBe(WALLET);
          expect(programs.every(isAddress)).toBe(true);
          if (nonce !== null) expect(signers).toContain(nonce.authority);
        } catch (error) {
          if (!isCodedError(error)) throw error;
          const codes = ['TRANSACTION_MALFORMED', 'TRANSACTION_UNSIGNED', 'TRANSACTION_SIGNATURE_INVALID'];
          expect(codes).toContain(error.code);
          // With one signer, whose signature is valid, only the contents can be refused.
          if (signers.length === 1) expect(error.code).toBe('TRANSACTION_MALFORMED');
        }
      }),
    FUZZ_TIMEOUT_MS,
  );

  it(
    'have named instructions and warnings that affect addresses',
    () =>
      fuzz('transactions', (bytes) => {
        const wire = decoded(bytes);
        const feePayer = wire?.signatures[0]?.[0];
        if (wire === null || feePayer === undefined) return;
        const { staticAccounts, header, instructions } = wire.message;
        const account = (i: number): MessageAccount => ({
          address: staticAccounts[i] ?? null,
          isSigner: i < header.numSignerAccounts,
          isWritable: i % 2 === 0,
          lookupTable: null,
        });
        const named = namedInstructions(
          MAINNET_PROGRAMS,
          instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
            programAddress: staticAccounts[programAddressIndex] ?? WALLET,
            accounts: accountIndices.map(account),
            data: Uint8Array.from(data ?? []),
          })),
        );
        expect(named).toHaveLength(instructions.length);
        const facts = new Map(
          staticAccounts.map((each, i) => [
            each,
            { name: null, isKnown: i % 3 === 0, owner: i % 2 === 0 ? feePayer : each },
          ]),
        );
        const all = new Set<Address>(wire.signatures.map(([signer]) => signer));
        const warnings = signingWarnings(named, facts, { wallet: feePayer, feePayer, all }, () => true, []);
        for (const { message, affects } of warnings) {
          expect(message).not.toMatch(/undefined|NaN|\[object/);
          expect(affects.every((each) => each === null || isAddress(each))).toBe(true);
        }
      }),
    FUZZ_TIMEOUT_MS,
  );
});

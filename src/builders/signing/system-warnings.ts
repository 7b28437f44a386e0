import { addressFromBytes } from '@sluice/protocol/layout/base58';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { NamedInstruction } from './named-instructions.ts';
import { type Found, nameOf, type OwnershipByAddress, ownerOf, type Signers } from './signing-warning.ts';

/** Warnings about an instruction of the system program that benefits others. @param all those of the transaction */
export function systemWarnings(
  { name, args, role }: NamedInstruction,
  all: readonly NamedInstruction[],
  facts: OwnershipByAddress,
  { wallet, feePayer }: Signers,
): Found[] {
  const account = role('account');
  switch (name) {
    case 'assign': {
      const message = `${nameOf(facts, account)} is handed to program ${String(args?.owner)}.`;
      return [{ code: 'AUTHORITY_CHANGED', message, affects: [account] }];
    }
    case 'allocate': {
      // Others allocate a new account, which signs, too.
      if (account !== wallet && account !== feePayer) return [];
      const message = `${nameOf(facts, account)} is given data, and can then neither pay fees nor transfer its SOL.`;
      return [{ code: 'AUTHORITY_CHANGED', message, affects: [account] }];
    }
    case 'transferLamports': {
      const [source, destination] = [role('source'), role('destination')];
      if (ownerOf(facts, destination) === source) return [];
      const message = `SOL goes to ${destination}, which belongs to somebody else.`;
      return [{ code: 'SOL_TO_OTHER', message, affects: [source] }];
    }
    case 'createAccount': {
      const [payer, created] = [role('payer'), role('newAccount')];
      if (payer === created || all.some((each) => givesTo(each, created, payer))) return [];
      const message = `SOL goes to the new account ${created} of program ${String(args?.owner)}, which belongs to somebody else.`;
      return [{ code: 'SOL_TO_OTHER', message, affects: [payer] }];
    }
    default:
      return [];
  }
}

/** Index of InitializeNonceAccount among the instructions of the system program, and the bytes before its authority. */
const INITIALIZE_NONCE = 6;
const INDEX_BYTES = 4;

/** Whether an instruction makes a new account a token account or a nonce account of the wallet that pays for it. */
function givesTo(
  { programAddress, name, args, accounts, data, role }: NamedInstruction,
  created: Address | null,
  payer: Address | null,
): boolean {
  if (programAddress === SYSTEM_PROGRAM) {
    const isNonce = name === null && data.length === INDEX_BYTES + 32 && data[0] === INITIALIZE_NONCE;
    return (
      isNonce && accounts[0]?.address === created && addressFromBytes(data.subarray(INDEX_BYTES)) === payer
    );
  }
  if (!name?.startsWith('initializeAccount') || role('account') !== created) return false;
  return (role('owner') ?? args?.owner) === payer;
}

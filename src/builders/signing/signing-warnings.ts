import { initiateObligationOwnershipTransfer } from '@sluice/protocol/klend/obligation-instructions';
import { fillBorrowOrderV1, fillBorrowOrderV2 } from '@sluice/protocol/klend/order-instructions';
import {
  recoverInvalidTicketCollateral,
  withdrawQueuedLiquidity,
} from '@sluice/protocol/klend/withdraw-queue-instructions';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { NamedInstruction } from './named-instructions.ts';
import {
  type Found,
  nameOf,
  type OwnershipByAddress,
  ownerOf,
  type Signers,
  type SigningWarning,
} from './signing-warning.ts';
import { systemWarnings } from './system-warnings.ts';
import { tokenWarnings } from './token-warnings.ts';

/**
 * Warnings for a signer before signing, for explanations of transactions and for builds with instructions of a caller.
 */
export function signingWarnings(
  instructions: readonly NamedInstruction[],
  facts: OwnershipByAddress,
  signers: Signers,
  isKnownProgram: (program: Address) => boolean,
  unreadableTables: readonly Address[],
): SigningWarning[] {
  const tables = unreadableTables.map((table): SigningWarning => {
    const message = `Lookup table ${table} cannot be read or lacks an entry, so some accounts of the transaction are not known.`;
    return { code: 'LOOKUP_TABLE_UNREADABLE', message, instructionIndex: null, affects: [] };
  });
  const found = instructions.flatMap((instruction, instructionIndex) =>
    [
      ...unknownWrites(instruction, facts, signers, isKnownProgram(instruction.programAddress)),
      ...walletWarnings(instruction, instructions, facts, signers),
    ].map((each) => ({ ...each, instructionIndex })),
  );
  return [...tables, ...found];
}

function unknownWrites(
  { programAddress, name, accounts }: NamedInstruction,
  facts: OwnershipByAddress,
  signers: Signers,
  isKnown: boolean,
): Found[] {
  if (isKnown && name !== null) return [];
  const own = accounts.flatMap(({ address, isWritable }) => {
    const fact = address === null ? undefined : facts.get(address);
    return isWritable && fact !== undefined && fact.owner !== null && signers.all.has(fact.owner)
      ? [{ name: fact.name ?? String(address), owner: fact.owner }]
      : [];
  });
  if (own.length === 0) return [];
  const what = `may change ${[...new Set(own.map((each) => each.name))].join(', ')}.`;
  const affects = own.map(({ owner }) => owner);
  return isKnown
    ? [
        {
          code: 'UNKNOWN_INSTRUCTION_WRITES',
          message: `An unknown instruction of program ${programAddress} ${what}`,
          affects,
        },
      ]
    : [
        {
          code: 'UNKNOWN_PROGRAM_WRITES',
          message: `Program ${programAddress} is not known and ${what}`,
          affects,
        },
      ];
}

function walletWarnings(
  instruction: NamedInstruction,
  all: readonly NamedInstruction[],
  facts: OwnershipByAddress,
  signers: Signers,
): Found[] {
  const { programAddress, name, args, role } = instruction;
  if (name === null) return [];
  if (name === initiateObligationOwnershipTransfer.name) {
    const message = `The ownership of ${nameOf(facts, role('obligation'))}, with its deposits and debts, is offered to ${String(args?.newOwner)}.`;
    return [{ code: 'AUTHORITY_CHANGED', message, affects: [ownerOf(facts, role('obligation'))] }];
  }
  if (programAddress === TOKEN_PROGRAM || programAddress === TOKEN_2022_PROGRAM) {
    return tokenWarnings(instruction, facts);
  }
  return programAddress === SYSTEM_PROGRAM
    ? systemWarnings(instruction, all, facts, signers)
    : foreignReceivers(instruction, facts);
}

/** Roles of token accounts that the programs take from the caller. */
const OF_USER = /^(withdraw)?user/i;

/** Anyone may call these for a wallet, and the program checks that the tokens go to it. */
const FOR_ANY_WALLET: readonly string[] = [
  fillBorrowOrderV1,
  fillBorrowOrderV2,
  withdrawQueuedLiquidity,
  recoverInvalidTicketCollateral,
].map(({ name }) => name);

/** A program pays to whatever token account its caller names. */
function foreignReceivers({ name, accounts }: NamedInstruction, facts: OwnershipByAddress): Found[] {
  if (name !== null && FOR_ANY_WALLET.includes(name)) return [];
  const signers = new Set(accounts.flatMap(({ address, isSigner }) => (isSigner ? [address] : [])));
  return accounts.flatMap(({ role, address, isWritable, isAbsent }): Found[] => {
    if (role === null || !OF_USER.test(role) || !isWritable || isAbsent) return [];
    const fact = address === null ? undefined : facts.get(address);
    const isOwn = fact !== undefined && fact.owner !== null && signers.has(fact.owner);
    if (isOwn || (fact?.isKnown && fact.owner === null)) return [];
    const message = `${nameOf(facts, address)}, given as ${role}, belongs to somebody else.`;
    return [{ code: 'TOKENS_TO_OTHER', message, affects: [...signers] }];
  });
}

import { initiateObligationOwnershipTransfer } from '@sluice/protocol/klend/obligation-instructions';
import { fillBorrowOrderV1, fillBorrowOrderV2 } from '@sluice/protocol/klend/order-instructions';
import {
  recoverInvalidTicketCollateral,
  withdrawQueuedLiquidity,
} from '@sluice/protocol/klend/withdraw-queue-instructions';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { shortened } from '../tokens/tokens.ts';
import type { FactsByAddress, Signers } from './account-facts.ts';
import type { NamedInstruction } from './named-instructions.ts';

export type ExplanationWarningCode =
  | 'UNKNOWN_PROGRAM_WRITES'
  | 'UNKNOWN_INSTRUCTION_WRITES'
  | 'TOKENS_TO_OTHER'
  | 'SOL_TO_OTHER'
  | 'SPENDING_ALLOWED'
  | 'AUTHORITY_CHANGED'
  | 'ACCOUNT_CLOSED_TO_OTHER'
  | 'LOOKUP_TABLE_UNREADABLE';

export interface ExplanationWarning {
  readonly code: ExplanationWarningCode;
  readonly message: string;
  /** Null when it is about the transaction as a whole. */
  readonly instructionIndex: number | null;
}

type Found = Omit<ExplanationWarning, 'instructionIndex'>;

/** Points that a signer should check before signing. */
export function warningsOf(
  instructions: readonly NamedInstruction[],
  facts: FactsByAddress,
  signers: Signers,
  isKnownProgram: (program: Address) => boolean,
  unreadableTables: readonly Address[],
): ExplanationWarning[] {
  const tables = unreadableTables.map((table): ExplanationWarning => {
    const message = `Lookup table ${table} cannot be read or lacks an entry, so some accounts of the transaction are not known.`;
    return { code: 'LOOKUP_TABLE_UNREADABLE', message, instructionIndex: null };
  });
  const found = instructions.flatMap((instruction, instructionIndex) =>
    [
      ...unknownWrites(instruction, facts, signers, isKnownProgram(instruction.programAddress)),
      ...walletWarnings(instruction, facts),
    ].map((each) => ({ ...each, instructionIndex })),
  );
  return [...tables, ...found];
}

function unknownWrites(
  { programAddress, name, accounts }: NamedInstruction,
  facts: FactsByAddress,
  signers: Signers,
  isKnown: boolean,
): Found[] {
  if (isKnown && name !== null) return [];
  const own = accounts.flatMap(({ address, isWritable }) => {
    const fact = address === null ? undefined : facts.get(address);
    return isWritable && fact !== undefined && fact.owner !== null && signers.all.has(fact.owner)
      ? [fact.name ?? String(address)]
      : [];
  });
  if (own.length === 0) return [];
  const what = `may change ${[...new Set(own)].join(', ')}.`;
  return isKnown
    ? [
        {
          code: 'UNKNOWN_INSTRUCTION_WRITES',
          message: `An unknown instruction of program ${programAddress} ${what}`,
        },
      ]
    : [{ code: 'UNKNOWN_PROGRAM_WRITES', message: `Program ${programAddress} is not known and ${what}` }];
}

function walletWarnings(instruction: NamedInstruction, facts: FactsByAddress): Found[] {
  const { programAddress, name, args, role } = instruction;
  if (name === null) return [];
  if (name === initiateObligationOwnershipTransfer.name) {
    const message = `The ownership of ${nameOf(facts, role('obligation'))}, with its deposits and debts, is offered to ${String(args?.newOwner)}.`;
    return [{ code: 'AUTHORITY_CHANGED', message }];
  }
  if (programAddress === TOKEN_PROGRAM || programAddress === TOKEN_2022_PROGRAM) {
    return tokenWarnings(instruction, facts);
  }
  return programAddress === SYSTEM_PROGRAM
    ? systemWarnings(instruction, facts)
    : foreignReceivers(instruction, facts);
}

const nameOf = (facts: FactsByAddress, address: Address | null) =>
  address === null ? 'an unknown account' : (facts.get(address)?.name ?? shortened(address));

/** The owner of a token account; null when it is not known. */
const ownerOf = (facts: FactsByAddress, address: Address | null) =>
  address === null ? null : (facts.get(address)?.owner ?? null);

function tokenWarnings({ name, args, role }: NamedInstruction, facts: FactsByAddress): Found[] {
  const owner = role('owner');
  switch (name) {
    case 'transfer':
    case 'transferChecked':
    case 'transferCheckedWithFee': {
      const from = ownerOf(facts, role('source')) ?? owner;
      if (ownerOf(facts, role('destination')) === from) return [];
      const message = `Tokens of ${nameOf(facts, role('source'))} go to ${nameOf(facts, role('destination'))}, which belongs to somebody else.`;
      return [{ code: 'TOKENS_TO_OTHER', message }];
    }
    case 'approve':
    case 'approveChecked': {
      if (role('delegate') === owner) return [];
      const message = `${role('delegate')} may spend tokens of ${nameOf(facts, role('source'))} until that is revoked.`;
      return [{ code: 'SPENDING_ALLOWED', message }];
    }
    case 'setAuthority': {
      const to = args?.newAuthorityTag === 1 ? String(args.newAuthority) : null;
      if (to !== null && to === role('authority')) return [];
      const message = `An authority of ${nameOf(facts, role('account'))} is ${to === null ? 'removed' : `given to ${to}`}.`;
      return [{ code: 'AUTHORITY_CHANGED', message }];
    }
    case 'closeAccount': {
      if (role('destination') === owner) return [];
      const message = `The SOL of ${nameOf(facts, role('account'))}, which is closed, goes to ${role('destination')}.`;
      return [{ code: 'ACCOUNT_CLOSED_TO_OTHER', message }];
    }
    default:
      return [];
  }
}

function systemWarnings({ name, args, role }: NamedInstruction, facts: FactsByAddress): Found[] {
  if (name === 'assign') {
    const message = `${nameOf(facts, role('account'))} is handed to program ${String(args?.owner)}.`;
    return [{ code: 'AUTHORITY_CHANGED', message }];
  }
  const [source, destination] = [role('source'), role('destination')];
  if (name !== 'transferLamports' || ownerOf(facts, destination) === source) return [];
  return [{ code: 'SOL_TO_OTHER', message: `SOL goes to ${destination}, which belongs to somebody else.` }];
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
function foreignReceivers({ name, accounts }: NamedInstruction, facts: FactsByAddress): Found[] {
  if (name !== null && FOR_ANY_WALLET.includes(name)) return [];
  const signers = new Set(accounts.flatMap(({ address, isSigner }) => (isSigner ? [address] : [])));
  return accounts.flatMap(({ role, address, isWritable, isAbsent }): Found[] => {
    if (role === null || !OF_USER.test(role) || !isWritable || isAbsent) return [];
    const fact = address === null ? undefined : facts.get(address);
    const isOwn = fact !== undefined && fact.owner !== null && signers.has(fact.owner);
    if (isOwn || (fact?.isKnown && fact.owner === null)) return [];
    const message = `${nameOf(facts, address)}, given as ${role}, belongs to somebody else.`;
    return [{ code: 'TOKENS_TO_OTHER', message }];
  });
}

import { MEMO_PROGRAM, MEMO_V1_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import {
  type MessageAccount,
  type NamedAccount,
  type NamedInstruction,
  namedInstructions,
} from '../../builders/signing/named-instructions.ts';
import { programNames } from '../../builders/signing/program-names.ts';
import type { Signers, SigningWarning } from '../../builders/signing/signing-warning.ts';
import { signingWarnings } from '../../builders/signing/signing-warnings.ts';
import type { Session } from '../request/session.ts';
import { isAdvanceNonce, malformed, wireTransaction } from '../sending/wire-transaction.ts';
import { accountFacts, type FactsByAddress } from './account-facts.ts';
import { feesOf, type TransactionFees } from './fees.ts';
import { readAhead } from './read-ahead.ts';
import { readTransaction } from './read-transaction.ts';
import { sentenceOf } from './sentences.ts';

export interface ExplainedAccount extends NamedAccount {
  /** Name of the account; null when unknown. */
  readonly name: string | null;
}

export interface ExplainedInstruction {
  readonly programAddress: Address;
  /** Null for an unknown program. */
  readonly programName: string | null;
  /** The program's name for it; null when unknown. */
  readonly name: string | null;
  readonly summary: string;
  readonly accounts: readonly ExplainedAccount[];
  readonly args: readonly { readonly name: string; readonly value: string }[];
}

export interface TransactionLifetime {
  readonly kind: 'BLOCKHASH' | 'DURABLE_NONCE';
  /** The blockhash, or the value of the nonce. */
  readonly value: string;
  readonly nonceAccount: Address | null;
}

/** Something to look at before signing. */
export type TransactionWarning = SigningWarning;

/** A transaction in words. */
export interface TransactionExplanation extends TransactionFees {
  readonly base64: string;
  readonly sizeBytes: number;
  readonly version: 'legacy' | 0;
  readonly feePayer: Address;
  readonly wallet: Address;
  readonly signers: readonly { readonly address: Address; readonly hasSigned: boolean }[];
  /** Every account of the message, each once. */
  readonly accounts: readonly MessageAccount[];
  readonly lifetime: TransactionLifetime;
  readonly instructions: readonly ExplainedInstruction[];
  readonly unknownPrograms: readonly Address[];
  /** Writable accounts that belong neither to the platform nor to a signer. */
  readonly unknownWritableAccounts: readonly Address[];
  readonly warnings: readonly TransactionWarning[];
  readonly facts: FactsByAddress;
}

/**
 * Explains a transaction, signed or not.
 *
 * @param you the wallet that is asked to sign; null for the fee payer
 * @throws SluiceError TRANSACTION_TOO_LARGE or TRANSACTION_MALFORMED
 */
export async function explainTransaction(
  session: Session,
  text: string,
  you: Address | null,
): Promise<TransactionExplanation> {
  const wire = wireTransaction(text);
  const { signers, accounts, instructions: raw, unreadableTables } = await readTransaction(session, wire);
  const feePayer = signers[0]?.address;
  if (feePayer === undefined) throw malformed('it has no fee payer');
  const all = new Set(signers.map(({ address }) => address));
  const who: Signers = { wallet: you ?? feePayer, feePayer, all };
  const named = namedInstructions(session.programs, raw);
  const [facts] = await Promise.all([
    accountFacts(session, named, who),
    readAhead(session, accounts, signers),
  ]);
  const programs = programNames(session.programs);
  return {
    base64: wire.bytes.toString('base64'),
    sizeBytes: wire.bytes.length,
    version: wire.message.version,
    feePayer,
    wallet: who.wallet,
    signers,
    accounts,
    lifetime: lifetimeOf(wire.message.lifetimeToken, named[0]),
    ...feesOf(named, signers.length),
    instructions: named.map((each) =>
      explained(session, facts, each, programs.get(each.programAddress) ?? null),
    ),
    ...unknownParts(named, facts, programs),
    warnings: signingWarnings(named, facts, who, (program) => programs.has(program), unreadableTables),
    facts,
  };
}

function lifetimeOf(value: string, first: NamedInstruction | undefined): TransactionLifetime {
  return isAdvanceNonce(first?.programAddress, first?.data)
    ? { kind: 'DURABLE_NONCE', value, nonceAccount: first?.accounts[0]?.address ?? null }
    : { kind: 'BLOCKHASH', value, nonceAccount: null };
}

function explained(
  session: Session,
  facts: FactsByAddress,
  instruction: NamedInstruction,
  programName: string | null,
): ExplainedInstruction {
  const { programAddress, accounts, args, name } = instruction;
  const isMemo = programAddress === MEMO_PROGRAM || programAddress === MEMO_V1_PROGRAM;
  return {
    programAddress,
    programName,
    name: isMemo ? 'memo' : name,
    summary: sentenceOf(session, facts, instruction, programName),
    accounts: accounts.map((account) => ({ ...account, name: accountName(account, facts) })),
    args: Object.entries(args ?? {}).map(([key, value]) => ({ name: key, value: textOf(value) })),
  };
}

function accountName({ address, isAbsent }: NamedAccount, facts: FactsByAddress): string | null {
  if (isAbsent) return 'not given';
  return address === null ? null : (facts.get(address)?.name ?? null);
}

/** Bytes in hex. */
const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);

function unknownParts(
  instructions: readonly NamedInstruction[],
  facts: FactsByAddress,
  programs: ReadonlyMap<Address, string>,
) {
  const writable = instructions
    .flatMap(({ accounts }) => accounts)
    .flatMap(({ address, isWritable }) => (isWritable && address !== null ? [address] : []))
    .filter((address) => !facts.get(address)?.isKnown);
  const called = instructions.map(({ programAddress }) => programAddress);
  return {
    unknownPrograms: [...new Set(called.filter((program) => !programs.has(program)))],
    unknownWritableAccounts: [...new Set(writable)],
  };
}

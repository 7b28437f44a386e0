import type { Address } from '@solana/kit';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../program-ids.ts';
import { isProtocolError } from '../protocol-error.ts';
import { transferCheckedWithFee } from '../token/fee-instructions.ts';
import { transfer, transferChecked } from '../token/instructions.ts';
import { burn, burnChecked, mintTo, mintToChecked } from '../token/supply-instructions.ts';
import { allOf, type Call } from './calls.ts';
import type { ConfirmedInstruction } from './confirmed-transaction.ts';
import { findReader, type InstructionReader, instructionReader } from './instruction-reader.ts';

/** A movement of tokens in base units: a transfer has both accounts, a mint no source, a burn no destination. */
export interface TokenMovement {
  readonly source: Address | null;
  readonly destination: Address | null;
  /** Null where the instruction does not name it (plain transfer). */
  readonly mint: Address | null;
  /** Amount that left the source. */
  readonly sent: bigint;
  /** Amount that the destination can spend: `sent` minus the withheld fee, if the instruction states one. */
  readonly received: bigint;
}

const MOVEMENTS: readonly InstructionReader<void, TokenMovement>[] = [
  instructionReader(transfer, ({ accounts: { source, destination }, args }) =>
    moved(source, destination, null, args.amount),
  ),
  instructionReader(transferChecked, ({ accounts: { source, destination, mint }, args }) =>
    moved(source, destination, mint, args.amount),
  ),
  instructionReader(transferCheckedWithFee, ({ accounts: { source, destination, mint }, args }) =>
    moved(source, destination, mint, args.amount, args.fee),
  ),
  instructionReader(mintTo, ({ accounts: { account, mint }, args }) =>
    moved(null, account, mint, args.amount),
  ),
  instructionReader(mintToChecked, ({ accounts: { account, mint }, args }) =>
    moved(null, account, mint, args.amount),
  ),
  instructionReader(burn, ({ accounts: { account, mint }, args }) => moved(account, null, mint, args.amount)),
  instructionReader(burnChecked, ({ accounts: { account, mint }, args }) =>
    moved(account, null, mint, args.amount),
  ),
];

function moved(
  source: Address | null,
  destination: Address | null,
  mint: Address | null,
  sent: bigint,
  fee = 0n,
): TokenMovement {
  return { source, destination, mint, sent, received: fee < sent ? sent - fee : 0n };
}

/** The movement of a token instruction; null for other and for malformed instructions. */
export function movementOf(instruction: ConfirmedInstruction): TokenMovement | null {
  const { programAddress, data } = instruction;
  if (programAddress !== TOKEN_PROGRAM && programAddress !== TOKEN_2022_PROGRAM) return null;
  const found = findReader(MOVEMENTS, data);
  if (found === undefined) return null;
  try {
    return found.read(instruction);
  } catch (error) {
    // Cannot happen in a confirmed transaction; a corrupt record must not fail the whole transaction.
    if (isProtocolError(error)) return null;
    throw error;
  }
}

/** All token movements of one call and its descendants. */
export class Flows {
  readonly #movements: readonly TokenMovement[];

  constructor(call: Call) {
    this.#movements = [...allOf(call)].flatMap(({ instruction }) => movementOf(instruction) ?? []);
  }

  /** Total sent from one account to another; null stands for the mint. */
  sent(source: Address | null, destination: Address | null): bigint {
    return this.#total(source, destination, ({ sent }) => sent);
  }

  /** Total received by one account from another; null stands for the mint. */
  received(source: Address | null, destination: Address | null): bigint {
    return this.#total(source, destination, ({ received }) => received);
  }

  #total(
    source: Address | null,
    destination: Address | null,
    amountOf: (movement: TokenMovement) => bigint,
  ): bigint {
    return this.#movements
      .filter((movement) => movement.source === source && movement.destination === destination)
      .reduce((total, movement) => total + amountOf(movement), 0n);
  }
}

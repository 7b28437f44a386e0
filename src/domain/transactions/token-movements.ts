import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/program-ids.ts';
import { transferCheckedWithFee } from '../../programs/token/fee-instructions.ts';
import { transfer, transferChecked } from '../../programs/token/instructions.ts';
import { burn, burnChecked, mintTo, mintToChecked } from '../../programs/token/supply-instructions.ts';
import { allOf, type Call } from './calls.ts';
import type { ConfirmedInstruction } from './confirmed-transaction.ts';
import { findReading, type Reading, reading } from './readings.ts';

/** Tokens that moved: a transfer has both accounts, a mint no source, a burn no destination. Base units. */
export interface TokenMovement {
  readonly source: Address | null;
  readonly destination: Address | null;
  /** Null where the instruction does not name it, as a plain transfer does not. */
  readonly mint: Address | null;
  /** What left the source. */
  readonly sent: bigint;
  /** What the destination can spend: less than what was sent when a fee that the instruction tells was withheld. */
  readonly received: bigint;
}

const MOVEMENTS: readonly Reading<void, TokenMovement>[] = [
  reading(transfer, ({ accounts: { source, destination }, args }) =>
    moved(source, destination, null, args.amount),
  ),
  reading(transferChecked, ({ accounts: { source, destination, mint }, args }) =>
    moved(source, destination, mint, args.amount),
  ),
  reading(transferCheckedWithFee, ({ accounts: { source, destination, mint }, args }) =>
    moved(source, destination, mint, args.amount, args.fee),
  ),
  reading(mintTo, ({ accounts: { account, mint }, args }) => moved(null, account, mint, args.amount)),
  reading(mintToChecked, ({ accounts: { account, mint }, args }) => moved(null, account, mint, args.amount)),
  reading(burn, ({ accounts: { account, mint }, args }) => moved(account, null, mint, args.amount)),
  reading(burnChecked, ({ accounts: { account, mint }, args }) => moved(account, null, mint, args.amount)),
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

/** What a token instruction moved; null for any other instruction, and for one that is malformed. */
export function movementOf(instruction: ConfirmedInstruction): TokenMovement | null {
  const { programAddress, data } = instruction;
  if (programAddress !== TOKEN_PROGRAM && programAddress !== TOKEN_2022_PROGRAM) return null;
  const found = findReading(MOVEMENTS, data);
  if (found === undefined) return null;
  try {
    return found.read(instruction);
  } catch (error) {
    // A confirmed transaction has none such; a damaged record must not take the rest with it.
    if (error instanceof SluiceError) return null;
    throw error;
  }
}

/** The token movements that one call made, itself and through others. */
export class Flows {
  readonly #movements: readonly TokenMovement[];

  constructor(call: Call) {
    this.#movements = [...allOf(call)].flatMap(({ instruction }) => movementOf(instruction) ?? []);
  }

  /** What left one account for another; null stands for minting and burning. */
  sent(source: Address | null, destination: Address | null): bigint {
    return this.#total(source, destination, ({ sent }) => sent);
  }

  /** What arrived in one account from another; null stands for minting and burning. */
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

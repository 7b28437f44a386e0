import { addressBytes, addressFromBytes } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import type { Address } from '@solana/kit';
import type { TransactionOutcome } from '../../../src/runtime/outcome.ts';
import type { Program } from '../../../src/runtime/program.ts';
import { PROGRAMS } from '../../../src/runtime/programs.ts';
import { rawInstruction, signedWire, signerOf, type WireOptions } from './signed-wire.ts';
import { TestChain } from './test-chain.ts';

export const SOL = 1_000_000_000n;
/** The rent-exempt minimum of an account without data: 128 bytes at 6,960 lamports. */
export const WALLET_RENT = 890_880n;
/** Lamports for one signature. */
export const FEE = 5_000n;

/** Pays for all transactions. */
export const payer = await signerOf(1);
/** Has nothing until a test funds it. */
export const other = await signerOf(2);

/** A chain on which the payer has one SOL. */
export class FundedChain extends TestChain {
  constructor(programs: ReadonlyMap<Address, Program> = PROGRAMS) {
    super(programs);
    this.set(payer.address, { lamports: SOL });
  }

  /** Signed by the payer, and by the other where an instruction wants it. */
  wireOf(
    instructions: readonly EncodedInstruction[],
    options: Partial<Omit<WireOptions, 'instructions'>> = {},
  ): Promise<Uint8Array> {
    return signedWire({ blockhash: this.blockhash, signers: [payer, other], instructions, ...options });
  }

  async outcomeOf(...instructions: EncodedInstruction[]): Promise<TransactionOutcome> {
    return this.send(await this.wireOf(instructions));
  }
}

export const someAddress = (number: number): Address => addressFromBytes(new Uint8Array(32).fill(number));

export const hexOf = (address: Address): string => Buffer.from(addressBytes(address)).toString('hex');

export function transfer(lamports: bigint, destination: Address = other.address): EncodedInstruction {
  return transferLamports.encode(SYSTEM_PROGRAM, { source: payer.address, destination }, { lamports });
}

export const memo = (text: string): EncodedInstruction =>
  rawInstruction(MEMO_PROGRAM, Buffer.from(text).toString('hex'));

import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import {
  COMPUTE_BUDGET_PROGRAM,
  type ProgramIds,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { type Address, isSignerRole, isWritableRole } from '@solana/kit';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { distinct } from '../read-accounts.ts';

/** Instructions that swap one token of the wallet for another, between the two ends of a flash loan. */
export interface SwapLeg {
  readonly instructions: readonly EncodedInstruction[];
  /** Lookup tables of the swap's accounts. */
  readonly lookupTables: readonly Address[];
  /** Base units that the swap spends; null for what the action hands to it. */
  readonly inAmount: bigint | null;
  /** Minimum base units that the swap pays into the wallet; it must fail otherwise. */
  readonly minOut: bigint;
  /** Signers of the swap besides the wallet and the fee payer. */
  readonly signers: readonly Address[];
  /** Null for a swap of the caller. */
  readonly quote: SwapQuote | null;
}

/** Where a swap that the caller did not supply comes from. */
export interface SwapQuote {
  /** Program that swaps; its instruction was checked against the quote. */
  readonly router: Address;
  /** Base units that the swap pays at the price of the quote. */
  readonly expectedOut: bigint;
  readonly slippageBps: number;
  /** Part of the value that the swap loses at the price of the quote and the prices of the oracle; negative for a gain. */
  readonly priceImpact: Rational;
}

/** Stands for the swap of an action while that is unknown. */
export const NO_SWAP: SwapLeg = {
  instructions: [],
  lookupTables: [],
  inAmount: null,
  minOut: 0n,
  signers: [],
  quote: null,
};

export const MAX_SWAP_INSTRUCTIONS = 16;
/** A transaction locks at most 64 accounts; an instruction may list some of them twice. */
export const MAX_SWAP_ACCOUNTS = 64;
/** No more fits into a transaction. */
export const MAX_SWAP_BYTES = 1_100;
export const MAX_SWAP_SIGNERS = 4;

export function swapRefused(reason: string, instruction: number | null = null): CodedError {
  return new SluiceError('SWAP_REFUSED', { reason, instruction });
}

/** Checks size, amounts and programs, before anything is read. */
export function checkSwapForm({ instructions, signers, inAmount, minOut }: SwapLeg, ids: ProgramIds): void {
  if (instructions.length === 0) throw swapRefused('it has no instructions; pass those of the swap');
  if (instructions.length > MAX_SWAP_INSTRUCTIONS) {
    throw swapRefused(`it has ${instructions.length} instructions; the limit is ${MAX_SWAP_INSTRUCTIONS}`);
  }
  if (signers.length > MAX_SWAP_SIGNERS) {
    throw swapRefused(`it has ${signers.length} signers; the limit is ${MAX_SWAP_SIGNERS}`);
  }
  if (minOut <= 0n || minOut >= U64_MAX) throw swapRefused('minOut must be positive and fit into 64 bits');
  if (inAmount !== null && (inAmount <= 0n || inAmount >= U64_MAX)) {
    throw swapRefused('inAmount must be positive and fit into 64 bits');
  }
  let bytes = 0;
  instructions.forEach((each, index) => {
    const { programAddress, accounts, data } = each;
    const what = forbiddenProgram(programAddress, ids);
    if (what !== null) throw swapRefused(`it calls ${what}; omit that instruction`, index);
    if (accounts.length > MAX_SWAP_ACCOUNTS) {
      throw swapRefused(`it lists ${accounts.length} accounts; the limit is ${MAX_SWAP_ACCOUNTS}`, index);
    }
    bytes += accounts.length + data.length;
    if (bytes > MAX_SWAP_BYTES) {
      throw swapRefused(`its instructions take more than ${MAX_SWAP_BYTES} bytes of the transaction`, index);
    }
  });
}

/** The platform's programs are called by the action alone; the compute budget is an option of the build. */
function forbiddenProgram(program: Address, { klend, kvault, farms }: ProgramIds): string | null {
  switch (program) {
    case klend:
      return 'the lending program';
    case kvault:
      return 'the vault program';
    case farms:
      return 'the farms program';
    case COMPUTE_BUDGET_PROGRAM:
      return 'the compute budget program, for which the build has options';
    default:
      return null;
  }
}

const TRANSFERRING: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/**
 * The accounts that the swap may change, which are read to know what they are. Of token instructions all: an account that one
 * instruction gives as read-only can be written if another one of the transaction makes it writable.
 */
export function changeableAccounts({ instructions }: SwapLeg): Address[] {
  return distinct(
    instructions.flatMap(({ programAddress, accounts }) =>
      accounts
        .filter(({ role }) => isWritableRole(role) || TRANSFERRING.includes(programAddress))
        .map(({ address }) => address),
    ),
  );
}

/** The accounts that must sign for an instruction. */
export function signersOf({ accounts }: EncodedInstruction): Address[] {
  return accounts.filter(({ role }) => isSignerRole(role)).map(({ address }) => address);
}

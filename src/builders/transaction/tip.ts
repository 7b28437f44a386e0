import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import type { Address } from '@solana/kit';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import { SOL_DECIMALS } from '../token-instructions.ts';
import { type BuildWarning, warning } from '../warnings.ts';

/** A payment to whoever helps the transaction to land. */
export interface Tip {
  readonly account: Address;
  readonly lamports: bigint;
}

/** Pays the tip. */
export function tipInstruction({ account, lamports }: Tip, feePayer: Address): BuiltInstruction {
  if (lamports <= 0n || lamports > U64_MAX) throw invalid('it must be from 1 lamport to 64 bits of lamports');
  if (account === feePayer) throw invalid('its account is the fee payer itself; pass another account');
  return instruction(
    transferLamports,
    SYSTEM_PROGRAM,
    { source: feePayer, destination: account },
    { lamports },
    { summary: `Pay a tip of ${inSol(lamports)} SOL` },
  );
}

/** @param balance lamports of the fee payer before the transaction; the fee and rent come off it, too */
export function tipWarnings({ lamports }: Tip, balance: bigint): BuildWarning[] {
  if (lamports <= balance) return [];
  const message = `The fee payer has ${inSol(balance)} SOL, but the tip alone is ${inSol(lamports)} SOL. Add SOL to it, or lower the tip.`;
  return [warning('TIP_ABOVE_BALANCE', message)];
}

const inSol = (lamports: bigint) => placePoint(lamports, SOL_DECIMALS);

function invalid(reason: string): CodedError {
  return new SluiceError('TIP_INVALID', { reason });
}

import { EVENT_INSTRUCTIONS } from '@sluice/protocol/transactions/read-transaction';
import { SluiceError } from '../../errors/sluice-error.ts';

/** @throws BAD_REQUEST for an instruction that causes no event of this kind */
export function requireInstruction(kind: keyof typeof EVENT_INSTRUCTIONS, instruction: string): void {
  const known = EVENT_INSTRUCTIONS[kind];
  if (known.includes(instruction)) return;
  const reason = `"${instruction.slice(0, 80)}" is not among these instructions: pass one of ${known.join(', ')}`;
  throw new SluiceError('BAD_REQUEST', { reason });
}

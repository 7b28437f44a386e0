import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { FARM } from './farm-errors.ts';

/** No instruction of the program takes accounts beyond its named ones. */
export function refuseRemaining(remaining: readonly InstructionAccount[]): void {
  ensure(remaining.length === 0, FARM.unexpectedAccount);
}

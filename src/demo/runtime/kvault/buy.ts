import { vaultBuy } from '../../../programs/kvault/instructions.ts';
import { anchorInstruction } from '../anchor.ts';
import { DEPOSIT_UNITS, runDeposit } from './deposit.ts';

/** A deposit under another name. */
export const buy = anchorInstruction(vaultBuy, DEPOSIT_UNITS, runDeposit);

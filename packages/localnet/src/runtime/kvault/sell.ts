import { vaultSell } from '@sluice/protocol/kvault/instructions';
import { anchorInstruction } from '../anchor.ts';
import { runWithdraw, WITHDRAW_UNITS } from './withdraw.ts';

/** A withdrawal under another name. */
export const sell = anchorInstruction(vaultSell, WITHDRAW_UNITS, runWithdraw);

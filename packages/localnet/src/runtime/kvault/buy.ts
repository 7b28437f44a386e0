import { vaultBuy, vaultBuyWithMinSharesOut } from '@sluice/protocol/kvault/instructions';
import { anchorInstruction } from '../anchor.ts';
import { DEPOSIT_UNITS, runDeposit } from './deposit.ts';

/** Deposits under other names. */
export const buy = anchorInstruction(vaultBuy, DEPOSIT_UNITS, (call) => runDeposit(call, 0n));

export const buyWithMinSharesOut = anchorInstruction(vaultBuyWithMinSharesOut, DEPOSIT_UNITS, (call) =>
  runDeposit(call, call.args.minSharesOut),
);

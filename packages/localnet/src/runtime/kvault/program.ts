import { VAULT_ERRORS } from '@sluice/protocol/error-names';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { anchorProgram } from '../anchor.ts';
import { buy, buyWithMinSharesOut } from './buy.ts';
import { deposit, depositWithMinSharesOut } from './deposit.ts';
import { withEvents } from './events.ts';
import { invest, investWithMaxAmount } from './invest.ts';
import { redeemInKind } from './redeem-in-kind.ts';
import { sell } from './sell.ts';
import { withdraw } from './withdraw.ts';
import { withdrawFromAvailable } from './withdraw-from-available.ts';

export const vaultProgram = withEvents(
  anchorProgram(MAINNET_PROGRAMS.kvault, VAULT_ERRORS, [
    deposit,
    depositWithMinSharesOut,
    buy,
    buyWithMinSharesOut,
    withdraw,
    sell,
    withdrawFromAvailable,
    invest,
    investWithMaxAmount,
    redeemInKind,
  ]),
);

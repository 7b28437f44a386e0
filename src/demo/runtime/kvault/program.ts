import { VAULT_ERRORS } from '../../../programs/error-names.ts';
import { MAINNET_PROGRAMS } from '../../../programs/program-ids.ts';
import { anchorProgram } from '../anchor.ts';
import { buy } from './buy.ts';
import { deposit } from './deposit.ts';
import { withEvents } from './events.ts';
import { invest } from './invest.ts';
import { redeemInKind } from './redeem-in-kind.ts';
import { sell } from './sell.ts';
import { withdraw } from './withdraw.ts';
import { withdrawFromAvailable } from './withdraw-from-available.ts';

export const vaultProgram = withEvents(
  anchorProgram(MAINNET_PROGRAMS.kvault, VAULT_ERRORS, [
    deposit,
    buy,
    withdraw,
    sell,
    withdrawFromAvailable,
    invest,
    redeemInKind,
  ]),
);

import { VAULT_ERRORS } from '@sluice/protocol/error-names';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { anchorProgram } from '../anchor.ts';
import { withEvents } from '../events.ts';
import { buy, buyWithMinSharesOut } from './buy.ts';
import { deposit, depositWithMinSharesOut } from './deposit.ts';
import { giveUpPendingFees } from './give-up-pending-fees.ts';
import { initVault } from './init-vault.ts';
import { invest, investWithMaxAmount } from './invest.ts';
import { redeemInKind } from './redeem-in-kind.ts';
import { removeAllocation } from './remove-allocation.ts';
import { sell } from './sell.ts';
import { updateAdmin } from './update-admin.ts';
import { updateReserveAllocationV2 } from './update-reserve-allocation.ts';
import { updateVaultConfig } from './update-vault-config.ts';
import { topupRewards, withdrawRewards } from './vault-rewards.ts';
import { withdraw } from './withdraw.ts';
import { withdrawFromAvailable } from './withdraw-from-available.ts';
import { withdrawPendingFees } from './withdraw-pending-fees.ts';

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
    initVault,
    updateReserveAllocationV2,
    removeAllocation,
    updateVaultConfig,
    updateAdmin,
    withdrawPendingFees,
    giveUpPendingFees,
    topupRewards,
    withdrawRewards,
  ]),
);

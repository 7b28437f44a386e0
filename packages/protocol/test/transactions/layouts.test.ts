import { createHash } from 'node:crypto';
import * as farmClosing from '@sluice/protocol/farms/closing-instructions';
import * as farmManagement from '@sluice/protocol/farms/management-instructions';
import * as rewards from '@sluice/protocol/farms/reward-instructions';
import * as flashLoans from '@sluice/protocol/klend/flash-instructions';
import * as liquidations from '@sluice/protocol/klend/liquidation-instructions';
import * as obligations from '@sluice/protocol/klend/obligation-instructions';
import * as orders from '@sluice/protocol/klend/order-instructions';
import * as positions from '@sluice/protocol/klend/position-instructions';
import * as referrers from '@sluice/protocol/klend/referrer-instructions';
import * as reserves from '@sluice/protocol/klend/reserve-instructions';
import * as reserveUpkeep from '@sluice/protocol/klend/reserve-upkeep-instructions';
import * as setup from '@sluice/protocol/klend/setup-instructions';
import * as withdrawQueue from '@sluice/protocol/klend/withdraw-queue-instructions';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import * as allocations from '@sluice/protocol/kvault/allocation-instructions';
import * as curators from '@sluice/protocol/kvault/curator-instructions';
import * as vaults from '@sluice/protocol/kvault/instructions';
import type { AccountUse, InstructionLayout } from '@sluice/protocol/layout/instruction';
import { IGNORED } from '@sluice/protocol/transactions/ignored-instructions';
import { describe, expect, it } from 'vitest';

/** Instruction data starts with the hash of the instruction's name. */
function discriminatorOf(snakeName: string): string {
  return createHash('sha256').update(`global:${snakeName}`).digest('hex').slice(0, 16);
}

const MARKS: Readonly<Record<AccountUse, string>> = {
  readonly: '-',
  writable: 'W',
  signer: 'S',
  'writable signer': 'WS',
  'readonly?': '?',
  'writable?': 'W?',
};
const markOf = (use: AccountUse) => MARKS[use];

const snake = (name: string) =>
  name.replace(/V(\d)$/, '_v$1').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Named = Pick<InstructionLayout, 'name' | 'discriminator' | 'accounts'> & {
  readonly args: { readonly size: number };
};

describe('instructions besides the plain actions', () => {
  const groups: readonly Readonly<Record<string, Named>>[] = [
    rewards,
    liquidations,
    positions,
    allocations,
    vaults,
    flashLoans,
    setup,
    reserves,
    reserveUpkeep,
    orders,
    obligations,
    withdrawQueue,
    referrers,
    curators,
    farmClosing,
    farmManagement,
  ];
  const layouts = groups.flatMap((group) => Object.values(group));

  it.each(layouts.map((layout) => [layout.name, layout] as const))(
    '%s starts with the hash of its name',
    (name, layout) => {
      expect(Buffer.from(layout.discriminator).toString('hex')).toBe(discriminatorOf(snake(name)));
    },
  );

  it.each(Object.values(IGNORED).flatMap((group) => Object.entries(group)))(
    '%s has the hash of its name as discriminator',
    (name, start) => {
      expect(start).toBe(discriminatorOf(name));
    },
  );

  /** The interface of klend 1.25 and kvault 2.3: bytes of arguments, and each account with W(ritable), S(igner), ? (optional). */
  it.each<[Named, number, string]>([
    [withdrawQueue.enqueueToWithdraw, 9, 'WS - - W W - - - - W W - ? ? -'],
    [withdrawQueue.withdrawQueuedLiquidity, 0, 'WS - - W - W W W W - - W W - - ? ? ? -'],
    [withdrawQueue.cancelWithdrawTicket, 16, 'S - - W - W W - W'],
    [withdrawQueue.recoverInvalidTicketCollateral, 8, 'S - - - - W W - W W -'],
    [orders.setBorrowOrderV1, 29 + 8, 'S W - - - - - - -'],
    [orders.setBorrowOrderV2, 1 + 29 + 8, 'S W - - - - - - -'],
    [orders.fillBorrowOrderV1, 0, 'S W - - W - W W W W? - - W? W? - - -'],
    [orders.fillBorrowOrderV2, 1, 'S W - - W - W W W W? - - W? W? - - -'],
    [orders.setObligationOrder, 1 + 128, 'S W -'],
    [orders.executeObligationOrder, 18, 'S W W - - W - W W W - W W W W W W W - - - - W? W? W? W? W? -'],
    [obligations.updateObligationConfig, 1 + 4, 'S W ? ? -'],
    [obligations.rolloverFixedTermBorrow, 0, 'S W - - W W - W W - W? W? W? W? -'],
    [obligations.initiateObligationOwnershipTransfer, 32, 'S W -'],
    [obligations.approveObligationOwnershipTransfer, 0, 'S - W - -'],
    [obligations.acceptObligationOwnership, 0, 'S W -'],
    [obligations.abortObligationOwnershipTransfer, 0, 'S W -'],
    [reserveUpkeep.topupReserveRewards, 8, 'S - W - W W -'],
    [reserveUpkeep.calculateCtokenExchangeRate, 0, '-'],
    [reserveUpkeep.cloneReserveConfig, 1 + 4 + 1 + 8 + 1, 'S - - W -'],
    [referrers.withdrawReferrerFees, 0, 'WS W W - W W - - -'],
    [referrers.initReferrerStateAndShortUrl, 4, 'WS W W - - -'],
    [referrers.deleteReferrerStateAndShortUrl, 0, 'WS W W - -'],
    [setup.initReferrerTokenState, 0, 'WS - - - W - -'],
    [setup.initUserMetadata, 32, 'S WS W ? - -'],
    [flashLoans.flashBorrow, 8, 'S - - W - W W W W? W? - -'],
    [flashLoans.flashRepay, 9, 'S - - W - W W W W? W? - -'],
    [positions.repayAndWithdraw, 16, 'S W - W - W W - - WS W - - W - W W W W ? - - - W? W? W? W? -'],
    [
      positions.depositAndWithdraw,
      16,
      'WS W - - W - W W W W ? - - - WS W - - W - W W W W ? - - - W? W? W? W? -',
    ],
    [vaults.vaultDepositWithMinSharesOut, 16, 'WS W W - - W W W - - - - -'],
    [vaults.vaultBuyWithMinSharesOut, 16, 'WS W W - - W W W - - - - -'],
    [allocations.vaultInvestWithMaxAmount, 8, 'WS W W W W W W W - - W W ? - - - -'],
    [allocations.vaultRedeemInKind, 8, 'S W - - W W W W W W - - - - -'],
    [curators.initVault, 0, 'WS W - W - W W - - - -'],
    [curators.updateReserveAllocationV1, 16, 'WS W - W - W ? - - -'],
    [curators.updateReserveAllocationV2, 24, 'WS W - W - W ? - - -'],
    [curators.removeAllocation, 0, 'WS W -'],
    [curators.updateVaultConfig, 5, 'S - W -'],
    [curators.withdrawPendingFees, 0, 'WS W W W W W W W - - W W - - - -'],
    [curators.giveUpPendingFees, 8, 'WS W -'],
    [curators.updateAdmin, 0, 'WS W'],
    [curators.topupRewards, 8, 'S W - W W -'],
    [curators.withdrawRewards, 8, 'WS W - W - W -'],
    [curators.addUpdateWhitelistedReserve, 2, 'WS - - W -'],
    [curators.updateGlobalConfig, 1, 'S W'],
    [farmClosing.closeEmptyUserState, 0, 'S W - W -'],
    [farmManagement.initializeFarm, 0, 'WS W - W - - - - -'],
    [farmManagement.initializeFarmDelegated, 0, 'WS S W - - - -'],
    [farmManagement.initializeReward, 0, 'WS W - - W W - - - - -'],
    [farmManagement.addRewards, 16, 'WS W - W - W ? -'],
    [farmManagement.withdrawReward, 16, 'WS W - W - W ? -'],
    [farmManagement.rewardUserOnce, 24, 'WS W W'],
    [farmManagement.updateFarmConfig, 6, 'WS W ?'],
    [farmManagement.updateFarmAdmin, 0, 'WS W'],
    [farmManagement.updateSecondDelegatedAuthority, 0, 'WS W - -'],
    [farmManagement.depositToFarmVault, 8, 'S W W W -'],
    [farmManagement.withdrawFromFarmVault, 8, 'WS W W W - -'],
    [farmManagement.withdrawSlashedAmount, 0, 'WS W W W - -'],
  ])('$name has the arguments and accounts of the published interface', (layout, size, uses) => {
    expect(layout.args.size).toBe(size);
    expect(Object.values(layout.accounts).map(markOf).join(' ')).toBe(uses);
  });

  it('knows the discriminator of withdraw tickets', () => {
    const hash = createHash('sha256').update('account:WithdrawTicket').digest('hex');
    expect(Buffer.from(withdrawTicket.discriminator).toString('hex')).toBe(hash.slice(0, 16));
    expect(withdrawTicket.size).toBe(520);
  });

  it('knows the discriminator of Anchor events', () => {
    const tag = createHash('sha256').update('anchor:event').digest().subarray(0, 8);
    expect(Buffer.from(tag).reverse().toString('hex')).toBe('e445a52e51cb9a1d');
  });
});

import type { ObligationKey } from '@sluice/protocol/klend/addresses';
import {
  borrowOrder,
  obligation as layout,
  MAX_BORROWS,
  MAX_DEPOSITS,
  obligationCollateral,
  obligationLiquidity,
} from '@sluice/protocol/klend/obligation';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { derive } from '@sluice/protocol/layout/pda';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import { TRANSFER } from '../runtime/klend/ownership-checks.ts';
import { putAddresses } from './address-bytes.ts';
import type { Market, Obligation, ObligationBorrowOrder, PendingTransfer, Wallet } from './model.ts';
import { timeOf } from './time.ts';
import type { World } from './world.ts';

const { klend } = MAINNET_PROGRAMS;

export function createObligation(
  owner: Wallet,
  market: Market,
  key: ObligationKey,
  transfer: PendingTransfer | null = null,
): Obligation {
  const { address } = derive(
    klend,
    key.tag,
    key.id,
    addressBytes(owner.address),
    addressBytes(market.address),
    addressBytes(key.seed1),
    addressBytes(key.seed2),
  );
  const obligation: Obligation = {
    address,
    owner,
    market,
    key,
    deposits: new Array<null>(MAX_DEPOSITS).fill(null),
    borrows: new Array<null>(MAX_BORROWS).fill(null),
    stakes: new Map(),
    transfer,
    group: 0,
    exists: false,
    lastSlot: 0n,
    depositedValueSf: 0n,
    adjustedDebtSf: 0n,
    debtValueSf: 0n,
    allowedSf: 0n,
    unhealthySf: 0n,
    lowestLtv: 0,
    lowestLiquidationLtv: 0,
    highestBorrowFactor: 0,
    borrowingDisabled: false,
    borrowOrder: null,
  };
  owner.obligations.push(obligation);
  return obligation;
}

export function addObligation(store: AccountStore, obligation: Obligation): void {
  obligation.exists = true;
  store.add({
    address: obligation.address,
    owner: klend,
    encode() {
      const data = layout.encode(fieldsOf(obligation));
      putAddresses(data, addressesOf(obligation));
      return data;
    },
  });
}

/** Closes the account of an empty obligation. False when it is not empty. */
export function closeIfEmpty(world: World, obligation: Obligation): boolean {
  if (obligation.deposits.some((each) => each !== null) || obligation.borrows.some((each) => each !== null))
    return false;
  obligation.exists = false;
  obligation.group = 0;
  world.store.remove(obligation.address);
  world.obligations.splice(world.obligations.indexOf(obligation), 1);
  return true;
}

function fieldsOf(obligation: Obligation): Parameters<typeof layout.encode>[0] {
  const { deposits, borrows, transfer } = obligation;
  return {
    tag: BigInt(obligation.key.tag),
    lastUpdate: {
      slot: obligation.lastSlot,
      stale: 0,
      priceStatus: 0b111111,
      timestamp: timeOf(obligation.lastSlot),
    },
    deposits: deposits.map((deposit) =>
      deposit === null
        ? {}
        : {
            depositedAmount: deposit.ctokens,
            marketValueSf: deposit.valueSf,
            borrowedAmountAgainstThisCollateralInElevationGroup: deposit.borrowedInGroup,
          },
    ),
    lowestReserveDepositLiquidationLtv: BigInt(obligation.lowestLiquidationLtv),
    depositedValueSf: obligation.depositedValueSf,
    borrows: borrows.map((borrow) =>
      borrow === null
        ? {}
        : {
            cumulativeBorrowRateBsf: {
              value: [borrow.cumulativeRateSf & U64_MAX, borrow.cumulativeRateSf >> 64n],
            },
            lastBorrowedAtTimestamp: BigInt(borrow.lastBorrowedTime),
            borrowedAmountSf: borrow.amountSf,
            marketValueSf: borrow.valueSf,
            borrowFactorAdjustedMarketValueSf: borrow.adjustedValueSf,
            borrowedAmountOutsideElevationGroups: borrow.outsideGroups,
            borrowedAmountAtExpiration: borrow.atExpiration,
          },
    ),
    borrowFactorAdjustedDebtValueSf: obligation.adjustedDebtSf,
    borrowedAssetsMarketValueSf: obligation.debtValueSf,
    allowedBorrowValueSf: obligation.allowedSf,
    unhealthyBorrowValueSf: obligation.unhealthySf,
    elevationGroup: obligation.group,
    numOfObsoleteDepositReserves: deposits.filter((deposit) => deposit?.reserve.spec.status === 1).length,
    hasDebt: borrows.some((borrow) => borrow !== null) ? 1 : 0,
    lowestReserveDepositMaxLtvPct: obligation.lowestLtv,
    numOfObsoleteBorrowReserves: borrows.filter((borrow) => borrow?.reserve.spec.status === 1).length,
    highestBorrowFactorPct: BigInt(obligation.highestBorrowFactor),
    borrowingDisabled: obligation.borrowingDisabled ? 1 : 0,
    ownershipTransferState:
      transfer === null ? TRANSFER.none : transfer.isApproved ? TRANSFER.approved : TRANSFER.initiated,
    headBorrowOrder: obligation.borrowOrder === null ? {} : orderFieldsOf(obligation.borrowOrder),
  };
}

/** An order for debts without a term. */
function orderFieldsOf({ amount, maxRateBps, placedAt, fillableUntil }: ObligationBorrowOrder) {
  return {
    remainingDebtAmount: amount,
    requestedDebtAmount: amount,
    maxBorrowRateBps: maxRateBps,
    fillableUntilTimestamp: fillableUntil,
    placedAtTimestamp: placedAt,
    lastUpdatedAtTimestamp: placedAt,
    active: 1,
  };
}

function* addressesOf(obligation: Obligation): Iterable<readonly [number, Address]> {
  yield [layout.offsetOf('lendingMarket'), obligation.market.address];
  yield [layout.offsetOf('owner'), obligation.owner.address];
  if (obligation.owner.referrer !== null)
    yield [layout.offsetOf('referrer'), obligation.owner.referrer.address];
  if (obligation.transfer !== null) yield [layout.offsetOf('pendingOwner'), obligation.transfer.newOwner];
  const deposits = layout.offsetOf('deposits') + obligationCollateral.offsets.depositReserve;
  for (const [i, deposit] of obligation.deposits.entries()) {
    if (deposit !== null) yield [deposits + i * obligationCollateral.size, deposit.reserve.address];
  }
  const borrows = layout.offsetOf('borrows') + obligationLiquidity.offsets.borrowReserve;
  for (const [i, borrow] of obligation.borrows.entries()) {
    if (borrow !== null) yield [borrows + i * obligationLiquidity.size, borrow.reserve.address];
  }
  if (obligation.borrowOrder === null) return;
  const order = layout.offsetOf('headBorrowOrder');
  yield [order + borrowOrder.offsets.debtLiquidityMint, obligation.borrowOrder.mint];
  yield [order + borrowOrder.offsets.filledDebtDestination, obligation.borrowOrder.destination];
}

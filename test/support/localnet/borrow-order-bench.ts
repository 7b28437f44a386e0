import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import {
  type BorrowOrder,
  borrowOrder,
  obligation as obligationLayout,
} from '@sluice/protocol/klend/obligation';
import {
  fillBorrowOrderV1,
  fillBorrowOrderV2,
  setBorrowOrderV1,
  setBorrowOrderV2,
} from '@sluice/protocol/klend/order-instructions';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import type { StructInput } from '@sluice/protocol/layout/struct';
import {
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import type { BuiltStep } from '../../../src/builders/action.ts';
import {
  cancelBorrowOrderAction,
  type SetBorrowOrderRequest,
  setBorrowOrderAction,
} from '../../../src/builders/borrow-orders/action.ts';
import { fillBorrowOrderAction } from '../../../src/builders/borrow-orders/fill.ts';
import type { KnownAccounts } from '../../../src/builders/known-accounts.ts';
import { lendingRefresh } from '../../../src/builders/lending/refresh.ts';
import {
  addressNumber,
  type LendingSetting,
  lendingRequest,
  MARKET,
  NOW,
  reserveAddress,
  WALLET,
} from '../builders/lending-accounts.ts';
import { NOTHING_KNOWN, stepOn } from './built-steps.ts';
import { LendingBench } from './lending-bench.ts';

const { klend } = MAINNET_PROGRAMS;

export const ORDERS_ON = {
  borrowOrderCreationEnabled: 1,
  borrowOrderExecutionEnabled: 1,
  obligationBorrowRolloverConfigurationEnabled: 1,
  minBorrowOrderFillValue: 2n,
};

/** Somebody who owns nothing of the obligation. */
export const FILLER = addressNumber(950);
/** The reserve of the token that is borrowed. */
export const DEBT = 1;
export const UNTIL = NOW.timestamp + 1_000n;

/** 1,000 dollars of collateral without a debt; a dollar is 1,000,000 base units. */
export const COLLATERAL: LendingSetting = { reserves: [{}, {}], deposits: [[0, 1_000_000_000n]] };

export interface OrderArgs {
  readonly remainingDebtAmount: bigint;
  readonly maxBorrowRateBps: number;
  readonly minDebtTermSeconds: bigint;
  readonly fillableUntilTimestamp: bigint;
  readonly enableAutoRolloverOnFilledBorrows: boolean;
}

/** 100 dollars at the highest rate of the reserve. */
export const TERMS: OrderArgs = {
  remainingDebtAmount: 100_000_000n,
  maxBorrowRateBps: 5_000,
  minDebtTermSeconds: 0n,
  fillableUntilTimestamp: UNTIL,
  enableAutoRolloverOnFilledBorrows: false,
};

export const NO_TERMS: OrderArgs = {
  remainingDebtAmount: 0n,
  maxBorrowRateBps: 0,
  minDebtTermSeconds: 0n,
  fillableUntilTimestamp: 0n,
  enableAutoRolloverOnFilledBorrows: false,
};

/** A market with borrow orders, an obligation with collateral, and its owner's account for the token to borrow. */
export class BorrowOrderBench extends LendingBench {
  constructor(setting: LendingSetting = COLLATERAL, debt = DEBT) {
    super(
      { ...setting, market: { ...ORDERS_ON, ...setting.market } },
      lendingRequest('borrow', { reserve: reserveAddress(debt) }),
    );
    const data = new Uint8Array();
    this.set(FILLER, { owner: SYSTEM_PROGRAM, lamports: 10n ** 10n, data, executable: false });
    this.openTokens(debt);
  }

  /** The owner's account for the token of a reserve. */
  tokensOf(index: number, owner = WALLET): Address {
    const { mintPubkey } = this.reserve(index).liquidity;
    return associatedTokenAddress(owner, TOKEN_PROGRAM, mintPubkey).address;
  }

  openTokens(index: number, owner = WALLET): Address {
    const address = this.tokensOf(index, owner);
    this.setBalance(address, this.reserve(index).liquidity.mintPubkey, owner, 0n);
    return address;
  }

  changeMarket(fields: StructInput<typeof lendingMarket.body.fields>): void {
    this.change(lendingMarket, MARKET, fields);
  }

  changeReserve(index: number, fields: StructInput<typeof reserveLayout.body.fields>): void {
    this.change(reserveLayout, reserveAddress(index), fields);
  }

  order(index = 0): BorrowOrder {
    const { headBorrowOrder, tailBorrowOrders } = this.obligation();
    const order = [headBorrowOrder, ...tailBorrowOrders][index];
    if (order === undefined) throw new RangeError(`no order ${index}`);
    return order;
  }

  /** Hex of the 160 bytes. */
  orderBytes(index = 0): string {
    const start =
      index === 0
        ? obligationLayout.offsetOf('headBorrowOrder')
        : obligationLayout.offsetOf('tailBorrowOrders') + (index - 1) * borrowOrder.size;
    const { data } = this.account(this.obligationAddress);
    return Buffer.from(data.slice(start, start + borrowOrder.size)).toString('hex');
  }

  /** @param change accounts in place of the right ones */
  setting(
    terms: Partial<OrderArgs> = {},
    index: number | null = 0,
    minExpected = 0n,
    change: Readonly<Record<string, Address>> = {},
    debt = DEBT,
  ): EncodedInstruction {
    const accounts = {
      owner: WALLET,
      obligation: this.obligationAddress,
      lendingMarket: MARKET,
      reserve: reserveAddress(debt),
      filledDebtDestination: this.tokensOf(debt),
      debtLiquidityMint: this.reserve(debt).liquidity.mintPubkey,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      eventAuthority: eventAuthority(klend).address,
      program: klend,
      ...change,
    };
    const args = { ...TERMS, ...terms, minExpectedCurrentRemainingDebtAmount: minExpected };
    return index === null
      ? setBorrowOrderV1.encode(klend, accounts, args)
      : setBorrowOrderV2.encode(klend, accounts, { orderIdx: index, ...args });
  }

  /** With the refreshes before it. */
  filling(
    index: number | null = 0,
    change: Readonly<Record<string, Address>> = {},
    debt = DEBT,
  ): EncodedInstruction[] {
    const { liquidity } = this.reserve(debt);
    const accounts = {
      payer: FILLER,
      obligation: this.obligationAddress,
      lendingMarket: MARKET,
      lendingMarketAuthority: this.accounts.marketAuthority,
      borrowReserve: reserveAddress(debt),
      borrowReserveLiquidityMint: liquidity.mintPubkey,
      reserveSourceLiquidity: liquidity.supplyVault,
      borrowReserveLiquidityFeeReceiver: liquidity.feeVault,
      userDestinationLiquidity: this.tokensOf(debt),
      referrerTokenState: null,
      tokenProgram: TOKEN_PROGRAM,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      obligationFarmUserState: null,
      reserveFarmState: null,
      farmsProgram: MAINNET_PROGRAMS.farms,
      eventAuthority: eventAuthority(klend).address,
      program: klend,
      ...change,
    };
    const fill =
      index === null
        ? fillBorrowOrderV1.encode(klend, accounts, {})
        : fillBorrowOrderV2.encode(klend, accounts, { orderIdx: index });
    const obligation = this.obligation();
    const request = { ...this.accounts.request, reserve: reserveAddress(debt) };
    const refresh = lendingRefresh({ ...this.accounts, request, reserve: this.reserve(debt), obligation });
    return [...refresh, fill];
  }

  /** What the gateway knows of the market. */
  known(): KnownAccounts {
    const count = this.accounts.reserves.size;
    const addresses = Array.from({ length: count + 8 }, (_, i) => i).filter(
      (i) => this.get(reserveAddress(i)) !== undefined,
    );
    return {
      ...NOTHING_KNOWN,
      reservesOf: () => addresses.map((i) => ({ address: reserveAddress(i), value: this.reserve(i) })),
    };
  }

  place(terms: Partial<SetBorrowOrderRequest> = {}): BuiltStep {
    const request: SetBorrowOrderRequest = {
      wallet: WALLET,
      market: MARKET,
      mint: this.reserve(DEBT).liquidity.mintPubkey,
      amount: { baseUnits: TERMS.remainingDebtAmount },
      maxBorrowRateBps: TERMS.maxBorrowRateBps,
      minTermSeconds: 0n,
      fillableUntil: UNTIL,
      autoRollover: false,
      ...terms,
    };
    return stepOn(this, setBorrowOrderAction(this.known(), request));
  }

  cancel(index = 0): BuiltStep {
    return stepOn(this, cancelBorrowOrderAction(this.known(), { wallet: WALLET, market: MARKET, index }));
  }

  fill(index = 0, debt = DEBT): BuiltStep {
    const request = {
      wallet: FILLER,
      obligation: this.obligationAddress,
      index,
      reserve: reserveAddress(debt),
    };
    return stepOn(this, fillBorrowOrderAction(this.known(), request));
  }
}

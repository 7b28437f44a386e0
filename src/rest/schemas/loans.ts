import { z } from '@hono/zod-openapi';
import { addressOut } from './address.ts';
import { decimalOut } from './decimal.ts';

const number = (description: string) => z.number().openapi({ description });
const integer = (description: string) => z.int().min(0).openapi({ description });

const PRICE = 'USD per whole token, as the reserve stores it; 0 when unknown.';
const tokenName = z.string().openapi({ description: 'Symbol of the token.' });

const LoanDeposit = z
  .strictObject({
    tokenMint: addressOut('Mint of the token.'),
    tokenName,
    tokenAmount: decimalOut('What the deposit is worth in the token, whole tokens.'),
    tokenValue: decimalOut('USD; `tokenAmount` x `tokenPrice`.'),
    maxLtv: number('Share of its value that may be borrowed, a fraction.'),
    liquidationLtv: number('Share of its value at which debt can be liquidated, a fraction.'),
    maxWithdrawableAmount: number('The most that could be withdrawn now, whole tokens.'),
    maxWithdrawableValue: decimalOut('The same in USD.'),
    tokenPrice: number(PRICE),
  })
  .openapi('LoanDeposit');

const LoanBorrow = z
  .strictObject({
    tokenMint: addressOut('Mint of the token.'),
    tokenName,
    tokenAmount: decimalOut('The debt with interest up to now, whole tokens.'),
    tokenValue: decimalOut('USD; `tokenAmount` x `tokenPrice`.'),
    maxBorrowableAmount: number('The most that could be borrowed besides, whole tokens, fee taken off.'),
    maxBorrowableValue: decimalOut('The same in USD.'),
    tokenPrice: number(PRICE),
    borrowFactor: number('What the debt is multiplied by before it is held against limits; 1 is as it is.'),
  })
  .openapi('LoanBorrow');

export const Loan = z
  .strictObject({
    loanId: addressOut('Address of the obligation.'),
    marketId: addressOut('Its lending market.'),
    user: addressOut('The wallet that owns it.'),
    timestamp: integer('Time at which it is valued, milliseconds since the epoch.'),
    solanaSlot: integer('Slot at which it is valued.'),
    elevationGroup: integer('Number of the elevation group that it is in; 0 for none.'),
    leverage: number('Deposits / net value.'),
    loanInfo: z.strictObject({
      collateral: z.strictObject({ deposits: z.array(LoanDeposit) }),
      debt: z.strictObject({
        borrows: z.array(LoanBorrow).openapi({ description: 'Empty when nothing is owed.' }),
      }),
      currentLtv: number('Debt times borrow factors / deposits that count for borrowing, a fraction.'),
      maxLtv: number('The greatest `currentLtv` at which it may borrow, a fraction.'),
      liquidationLtv: number('Liquidation limit / deposits that count for liquidation, a fraction.'),
      closeFactor: number('Share of a debt that one liquidation may close, a fraction.'),
    }),
  })
  .openapi('Loan');

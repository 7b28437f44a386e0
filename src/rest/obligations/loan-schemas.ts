import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { decimalOut } from '../values/decimal.ts';

const number = (description: string) => z.number().openapi({ description });
const integer = (description: string) => z.int().min(0).openapi({ description });

const PRICE = 'Price in USD per whole token, as stored in the reserve. 0 when unknown.';
const tokenName = z.string().openapi({ description: 'Ticker of the token.' });

const LoanDeposit = z
  .strictObject({
    tokenMint: addressOut('Mint of the token.'),
    tokenName,
    tokenAmount: decimalOut('The deposit with interest up to now, in whole tokens.'),
    tokenValue: decimalOut('Value in USD: `tokenAmount` x `tokenPrice`.'),
    maxLtv: number('Maximum loan-to-value of the deposit, as a fraction.'),
    liquidationLtv: number('Fraction of the value of the deposit at which debt can be liquidated.'),
    maxWithdrawableAmount: number('Maximum that can be withdrawn now, in whole tokens.'),
    maxWithdrawableValue: decimalOut('Maximum that can be withdrawn now, in USD.'),
    tokenPrice: number(PRICE),
  })
  .openapi('LoanDeposit');

const LoanBorrow = z
  .strictObject({
    tokenMint: addressOut('Mint of the token.'),
    tokenName,
    tokenAmount: decimalOut('The debt with interest up to now, in whole tokens.'),
    tokenValue: decimalOut('Value in USD: `tokenAmount` x `tokenPrice`.'),
    maxBorrowableAmount: number(
      'Maximum that can still be borrowed, after the origination fee, in whole tokens.',
    ),
    maxBorrowableValue: decimalOut('Maximum that can still be borrowed, in USD.'),
    tokenPrice: number(PRICE),
    borrowFactor: number('Factor by which the debt is multiplied before it is compared with the limits.'),
  })
  .openapi('LoanBorrow');

const LoanInfo = z
  .strictObject({
    collateral: z.strictObject({ deposits: z.array(LoanDeposit) }),
    debt: z.strictObject({
      borrows: z.array(LoanBorrow).openapi({ description: 'Debts. Empty when nothing is borrowed.' }),
    }),
    currentLtv: number(
      'Current loan-to-value: debts times borrow factors / deposits that count for borrowing, as a fraction.',
    ),
    maxLtv: number('Maximum `currentLtv` for borrowing, as a fraction.'),
    liquidationLtv: number('Liquidation limit / deposits that count for liquidation, as a fraction.'),
    closeFactor: number('Maximum part of a debt that one liquidation may repay, as a fraction.'),
  })
  .openapi('LoanInfo');

export const Loan = z
  .strictObject({
    loanId: addressOut('Address of the obligation.'),
    marketId: addressOut('Address of the lending market.'),
    user: addressOut('Wallet that owns the obligation.'),
    timestamp: integer('Time of the valuation, in milliseconds since the Unix epoch.'),
    solanaSlot: integer('Slot of the valuation.'),
    elevationGroup: integer('Number of the elevation group. 0 when there is none.'),
    leverage: number('Deposits / net value.'),
    loanInfo: LoanInfo,
  })
  .openapi('Loan');

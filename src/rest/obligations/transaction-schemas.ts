import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { env } from '../values/env.ts';
import { onceOf, onceSwitch } from '../values/query-values.ts';
import { HUMAN_TAGS } from './schemas.ts';

export const LendingUserParams = z.object({ userPubkey: address('Address of the wallet.') });

export const MarketUserParams = z.object({
  marketPubkey: address('Address of the lending market.'),
  userPubkey: address('Address of the wallet.'),
});

/** Order of a list of transactions by time. */
export const sort = onceOf(
  ['asc', 'desc'],
  'Order by time: `asc` for oldest first, `desc` for newest first. Defaults to `desc`.',
);

export const LendingTransactionQuery = z.object({ env, sort });

export const ObligationTransactionQuery = LendingTransactionQuery.extend({
  useLogPrices: onceSwitch(
    'Accepted for clients of the live service, and without effect: values are always at the prices recorded at that time.',
  ),
});

const priceOut = (what: string) =>
  decimalOut(`${what} at that time. Absent when none was recorded.`).optional();

const moved = {
  transactionName: z.string().openapi({
    description:
      'Name of the instruction of the lending program, such as `depositReserveLiquidityAndObligationCollateralV2`.',
  }),
  transactionDisplayName: z
    .enum(['Deposit', 'Withdraw', 'Borrow', 'Repay', 'Liquidation'])
    .openapi({ description: 'Kind of the transaction, for display.' }),
  liquidityToken: z.string().openapi({
    description: 'Symbol of the reserve\u2019s token. Empty when the reserve no longer exists.',
  }),
  liquidityTokenMint: addressOut(
    'Mint of the reserve\u2019s token. 11111111111111111111111111111111 when the reserve no longer exists.',
  ),
  liquidityTokenAmount: decimalOut(
    'Amount in whole tokens of the reserve; for a borrow, the amount received. Collateral tokens that were moved without redemption count at their exchange rate at that time. "0" when it is unknown.',
  ),
  liquidityTokenPrice: priceOut('Price of one token in USD'),
  solPrice: priceOut('Price of SOL in USD'),
  liquidityUsdValue: priceOut('Value of the amount in USD'),
  isLiquidationWithdrawal: z.boolean().openapi({
    description:
      'Whether a liquidator took collateral. The debt that the liquidator repaid is a separate row.',
  }),
  isSecondPartOfCompositeIx: z.literal(true).optional().openapi({
    description:
      'True for the withdrawal of an instruction that repays or deposits first, which is a separate row. Absent otherwise.',
  }),
};

export const LendingInstruction = z
  .strictObject({ reserve: addressOut('Address of the reserve.'), ...moved })
  .openapi('LendingInstruction');

const fields = {
  createdOn: dateOut('Time of the block.'),
  timestamp: z.int().openapi({ description: 'The same time in milliseconds since the Unix epoch.' }),
  transactionSignature: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
  ...moved,
  obligationType: z.enum([...HUMAN_TAGS, 'Unknown']).openapi({
    description:
      'Purpose of the obligation. `Unknown` when the account is closed and its address does not reveal it.',
  }),
};

export const LendingTransaction = z.strictObject(fields).openapi('LendingTransaction');

export const LendingTransactionsByObligation = z
  .record(z.string(), z.array(LendingTransaction))
  .openapi('LendingTransactionsByObligation', {
    description: 'Transactions of each open or closed obligation, by its address.',
  });

export const MarketLendingTransactions = z
  .strictObject({
    market: addressOut('Address of the lending market.'),
    obligations: LendingTransactionsByObligation,
  })
  .openapi('MarketLendingTransactions');

const ObligationTransaction = z
  .strictObject({ ...fields, obligation: addressOut('Address of the obligation.') })
  .openapi('ObligationTransaction');

export const ObligationTransactions = z
  .strictObject({ transactions: z.array(ObligationTransaction) })
  .openapi('ObligationTransactions');

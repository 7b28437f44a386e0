import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { bodyRange, dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { nextToken, paginationToken } from '../values/pagination.ts';
import { onceOf } from '../values/query-values.ts';

export const VaultTransactionsBody = z
  .object({
    ...bodyRange,
    instruction: onceOf(
      ['deposit', 'withdraw', 'invest'],
      'Only this instruction. An `invest` moves tokens between the vault and a reserve. Defaults to all.',
    ),
    direction: onceOf(
      ['asc', 'desc'],
      'Order by time: `asc` for oldest first, `desc` for newest first. Defaults to `desc`.',
    ),
    paginationToken: paginationToken(),
  })
  .openapi('VaultTransactionsBody');

const priceOut = (what: string) => decimalOut(`${what} in USD at that time. "0" when none was recorded.`);

const VaultInstruction = z
  .strictObject({
    market: addressOut('Lending market of `reserve`. Absent without one.').optional(),
    reserve: addressOut(
      'Reserve that tokens were moved to or from. Absent for a deposit or withdrawal of idle tokens.',
    ).optional(),
    solPrice: priceOut('Price of SOL'),
    sharePrice: priceOut('Price of one share').openapi({
      description: 'Price of one share in USD at that time. "0" when none was recorded, and for an `invest`.',
    }),
    tokenPrice: priceOut('Price of one token'),
    tokenAmount: decimalOut('Tokens moved, in whole tokens.'),
    numberOfShares: decimalOut('Shares minted or burned, in whole shares. "0" for an `invest`.'),
  })
  .openapi('VaultInstruction');

/** One instruction of a vault. */
export const vaultTransactionFields = {
  ix: VaultInstruction,
  timestamp: dateOut('Time of the block.'),
  signature: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
  kvault: addressOut('Address of the vault.'),
  wallet: addressOut('The wallet whose shares changed. For an `invest`, the fee payer.'),
};

export const VaultTransaction = z.strictObject(vaultTransactionFields).openapi('VaultTransaction');

export const VaultTransactionsPage = z
  .strictObject({
    result: z.array(VaultTransaction).openapi({ description: 'At most 1,000.' }),
    paginationToken: nextToken(),
  })
  .openapi('VaultTransactionsPage');

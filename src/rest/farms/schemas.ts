import { z } from '@hono/zod-openapi';
import { sort } from '../obligations/transaction-schemas.ts';
import { address, addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { nextToken, paginationToken } from '../values/pagination.ts';
import { onceInteger, onceSwitch } from '../values/query-values.ts';

const MAX_LIMIT = 1_000;
const MANAGEMENT_LIMIT = 100;

export const FarmParams = z.object({ pubkey: address('Address of the farm.') });

export const FarmTransactionQuery = z.object({
  limit: onceInteger(1, MAX_LIMIT, MAX_LIMIT, 'Transactions per page.'),
  paginationToken: paginationToken(),
  sort,
});

/** The most transactions in an answer without pages. */
export const MAX_UNPAGED = 10_000;

export const UserFarmTransactionQuery = FarmTransactionQuery.extend({
  noPagination: onceSwitch(
    `Whether all transactions are in one answer, whatever \`limit\` is: at most ${MAX_UNPAGED}. Beyond them, \`paginationToken\` leads to the next as many. Defaults to false.`,
  ),
});

const fields = {
  createdOn: dateOut('Time of the block.'),
  transactionSignature: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
  instruction: z.enum(['deposit', 'pending-withdraw', 'withdraw', 'claim']).openapi({
    description:
      'Kind: tokens were staked, unstaked (they stay in the farm), withdrawn to the wallet, or a reward was harvested.',
  }),
  tokenAmount: decimalOut(
    'Tokens moved, in whole tokens. "0" for a pending withdrawal of everything, which does not name an amount, and when the token cannot be read.',
  ),
  usdAmount: decimalOut('Value in USD, at the price at that time. "0" when no price was recorded.'),
};

const FarmTransaction = z.strictObject(fields).openapi('FarmTransaction');

const UserFarmTransaction = z
  .strictObject({
    ...fields,
    farm: addressOut('Address of the farm.'),
    token: addressOut(
      'Mint of the token moved. 11111111111111111111111111111111 for a pending withdrawal from a farm that can no longer be read.',
    ),
  })
  .openapi('UserFarmTransaction');

export const FarmTransactions = z
  .strictObject({ result: z.array(FarmTransaction), paginationToken: nextToken() })
  .openapi('FarmTransactions');

export const UserFarmTransactions = z
  .strictObject({ result: z.array(UserFarmTransaction), paginationToken: nextToken() })
  .openapi('UserFarmTransactions');

export const FarmManagementParams = z.object({ farmPubkey: address('Address of the farm.') });

export const FarmManagementQuery = z.object({
  limit: onceInteger(1, MAX_LIMIT, MANAGEMENT_LIMIT, 'Entries per page.'),
  paginationToken: paginationToken(),
  sort,
});

const FarmManagementEntry = z
  .strictObject({
    createdOn: dateOut('Time of the block.'),
    transactionSignature: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
    instruction: z.string().openapi({
      description:
        'Name of the instruction of the farms program, such as `updateFarmConfig` or `addRewards`.',
    }),
    farm: addressOut('Address of the farm.'),
    signer: addressOut('Wallet that signed the instruction.'),
    tokenAmount: decimalOut(
      'Tokens added or withdrawn, in whole tokens. Null for an instruction that moves none, and when the token cannot be read.',
    ).nullable(),
    usdAmount: decimalOut(
      'Value in USD, at the price at that time. Null without `tokenAmount`, and when no price was recorded.',
    ).nullable(),
    token: addressOut(
      'Mint of the token that was added or withdrawn, or of the reward that was changed. Null for an instruction about neither.',
    ).nullable(),
    rewardIndex: z
      .int()
      .min(0)
      .nullable()
      .openapi({ description: 'Place of the reward in the farm. Null for an instruction about none.' }),
    configMode: z.string().nullable().openapi({
      description:
        'Setting that was changed, by its name in the farms program, such as `UpdateRewardRps`. Null for another instruction, and for a setting that this version of the gateway does not know.',
    }),
    details: z.record(z.string(), z.unknown()).openapi({
      description:
        'Arguments of the instruction by name. Integers of 64 bits are strings, amounts are in base units. The new `value` of a setting is decoded; of an unknown setting it is in hex.',
    }),
  })
  .openapi('FarmManagementEntry');

export const FarmManagementHistory = z
  .strictObject({ result: z.array(FarmManagementEntry), paginationToken: nextToken() })
  .openapi('FarmManagementHistory');

import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { decimalOut } from '../values/decimal.ts';
import { orNull } from '../values/or-null.ts';
import { u64 } from '../values/u64.ts';
import { amount, NOT_AN_OBJECT, options, wallet } from './body-parts.ts';

const NO_CAP = 'U64::MAX (18446744073709551615) means no cap.';
const MOST_TARGETS = 25;

const VaultTarget = z
  .object(
    {
      reserve: address('Address of the reserve.'),
      weight: u64(
        'Weight of the reserve, relative to those of the others and of the idle tokens. 0 in a new allocation unless given.',
      ).optional(),
      cap: amount(
        `The most that the vault invests in the reserve, in whole tokens. ${NO_CAP} None in a new allocation unless given.`,
      ).optional(),
      collateralCap: amount(
        `That in collateral tokens (cTokens) of the reserve, in whole ones. ${NO_CAP}`,
      ).optional(),
      remove: z.boolean({ error: 'must be true or false' }).optional().openapi({
        description: 'Whether the vault leaves the reserve for good. Its weight is 0 then.',
      }),
    },
    { error: 'must be an object with the documented fields' },
  )
  .openapi('VaultTarget', {
    description: 'Terms that a reserve of a vault is to have. What is omitted stays as it is.',
  });

export const RebalanceBody = z
  .object(
    {
      wallet,
      kvault: address('Address of the vault.'),
      targets: z
        .array(VaultTarget, { error: 'must be a list of targets' })
        .max(MOST_TARGETS, `has more than ${MOST_TARGETS} targets`)
        .openapi({
          description:
            'Terms of reserves, at most 25. Reserves that are not named keep theirs. With an empty list the vault only invests towards its present weights.',
        }),
      unallocatedWeight: u64(
        'Weight of the tokens that stay idle, relative to those of the reserves.',
      ).optional(),
      unallocatedCap: amount(
        `The most tokens that stay idle by that weight, in whole tokens. ${NO_CAP}`,
      ).optional(),
      options,
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('VaultRebalanceBody');

const UNKNOWN = 'Null when it does not apply or is unknown.';

const Change = z
  .strictObject({
    before: decimalOut(`Value before. ${UNKNOWN}`).nullable(),
    after: decimalOut(`Value after. ${UNKNOWN}`).nullable(),
  })
  .openapi('Change', { description: 'A value before and after moves of a vault.' });

const AllocationChange = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    weight: Change,
    cap: Change,
    collateralCap: Change,
    tokens: Change,
    targetTokens: Change,
  })
  .openapi('VaultAllocationChange', {
    description:
      'A reserve of a vault before and after moves. Caps are null for no cap; all values are null while the vault does not use the reserve.',
  });

const VaultMove = z
  .strictObject({
    kind: z.string().openapi({ description: 'The action.' }),
    summary: z.string().openapi({ description: 'Effect of the move, in words.' }),
    reserve: addressOut('Address of the reserve. Null for a change of settings of the vault.').nullable(),
    allocation: orNull(
      AllocationChange,
      'The reserve before and after the move. Null for a change of settings of the vault.',
    ),
    idleTokens: Change,
  })
  .openapi('VaultMove');

const VaultObstacle = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    code: z.string().openapi({ description: 'Code of the reason, as in the warnings of builders.' }),
    message: z.string().openapi({ description: 'The reason in words, and what to do about it.' }),
    tokens: decimalOut('Tokens that are not moved for it, in whole tokens.'),
  })
  .openapi('VaultObstacle');

const VaultExposure = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    share: Change,
    allocation: AllocationChange,
  })
  .openapi('VaultExposure', {
    description:
      "A reserve of a vault before and after all moves. `share` is a fraction of the vault's tokens.",
  });

export const VaultRebalance = z
  .strictObject({
    wallet: addressOut('The wallet that would sign the moves.'),
    moves: z.array(VaultMove).openapi({
      description: 'The moves, in order. Empty when the vault is at its targets or nothing can be moved.',
    }),
    obstacles: z.array(VaultObstacle).openapi({ description: 'Reasons why targets are not reached.' }),
    exposures: z.array(VaultExposure).openapi({ description: 'The reserves before and after all moves.' }),
    idleTokens: Change,
    targetIdleTokens: Change,
    idleShare: Change,
    interestApy: Change,
    reserveRewardsApy: z
      .strictObject({
        before: decimalOut(`Yield before. ${UNKNOWN}`).nullable(),
        after: decimalOut(`Yield after. ${UNKNOWN}`).nullable(),
        reason: z
          .string()
          .nullable()
          .openapi({ description: 'Why a value is unknown. Null when both are known.' }),
      })
      .openapi('YieldChange'),
  })
  .openapi('VaultRebalance');

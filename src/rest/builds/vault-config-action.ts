import { z } from '@hono/zod-openapi';
import { setVaultConfigAction } from '../../services/builds/actions.ts';
import { address, text } from '../values/address.ts';
import { u64 } from '../values/u64.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { amount, NOT_AN_OBJECT, options, parseAmount, wallet } from './body-parts.ts';

const NO_CAP = 'U64::MAX (18446744073709551615) means no cap.';
const NO_ADDRESS = 'The address 11111111111111111111111111111111 takes it away.';

const bps = (most: number, description: string) =>
  z
    .number({ error: `must be a number from 0 to ${most}` })
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .max(most, `must be at most ${most}`)
    .optional()
    .openapi({ type: 'integer', description });

const flag = (description: string) =>
  z.boolean({ error: 'must be true or false' }).optional().openapi({ description });

const Body = z
  .object(
    {
      wallet,
      kvault: address('Address of the vault.'),
      options,
      performanceFeeBps: bps(10_000, 'Fee on what the vault earns, in basis points.'),
      managementFeeBps: bps(1_000, 'Yearly fee on the assets, in basis points.'),
      minDeposit: amount('Smallest deposit, in whole tokens.').optional(),
      minWithdraw: amount(
        'A withdrawal must pay more than this, in whole tokens; at most 1,000 base units.',
      ).optional(),
      minInvest: amount('An investment must move more than this, in whole tokens.').optional(),
      minInvestDelaySlots: u64('Slots between two investments in the same reserve.').optional(),
      crankFeePerReserve: amount(
        'What a deposit adds to the crank funds for each reserve with weight, in whole tokens.',
      ).optional(),
      pendingAdmin: address(`Wallet that may take the vault over. ${NO_ADDRESS}`).optional(),
      name: text('a text of at most 40 bytes in UTF-8')
        .optional()
        .openapi({ description: 'Name of the vault, at most 40 bytes in UTF-8.' }),
      lookupTable: address(`Lookup table of the vault. ${NO_ADDRESS}`).optional(),
      farm: address(`Farm in which deposits stake the shares. ${NO_ADDRESS}`).optional(),
      allocationAdmin: address(
        `Wallet that may change weights and caps of reserves that the vault uses. ${NO_ADDRESS}`,
      ).optional(),
      unallocatedWeight: u64(
        'Weight of the tokens that stay idle, relative to those of the reserves.',
      ).optional(),
      unallocatedCap: amount(
        `The most tokens that stay idle by that weight, in whole tokens. ${NO_CAP}`,
      ).optional(),
      withdrawalPenalty: amount(
        'Smallest penalty of a withdrawal, in whole tokens; at most 10,000 base units.',
      ).optional(),
      withdrawalPenaltyBps: bps(1_000, 'Penalty of a withdrawal, in basis points.'),
      firstLossFarm: address(`Farm with the capital that bears losses first. ${NO_ADDRESS}`).optional(),
      allocationsInWhitelistedReservesOnly: flag(
        'Whether weights and caps may grow only for reserves on the list of the vault program. The admin of the program alone can take it back.',
      ),
      investsInWhitelistedReservesOnly: flag(
        'Whether the vault may add tokens only to reserves on the list. The admin of the program alone can take it back.',
      ),
      rewardPerSecond: amount('Rewards that the vault releases each second, in whole tokens.').optional(),
      depositCap: amount(
        `Assets above which the vault takes no deposit, in whole tokens. ${NO_CAP}`,
      ).optional(),
      permissioningAuthority: address(
        `Address that must sign every deposit and withdrawal from then on. ${NO_ADDRESS}`,
      ).optional(),
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('SetVaultConfigBody');

/** Settings that are amounts of tokens. */
const AMOUNTS: readonly string[] = [
  'minDeposit',
  'minWithdraw',
  'minInvest',
  'crankFeePerReserve',
  'unallocatedCap',
  'withdrawalPenalty',
  'rewardPerSecond',
  'depositCap',
];

/** Several settings of a vault at once. */
export const VAULT_CONFIG_ACTION: KtxAction = ktxAction({
  name: 'setVaultConfig',
  id: 'setVaultConfig',
  mutation: 'buildSetVaultConfig',
  path: '/ktx/kvault/set-config',
  purpose: 'change settings of a vault',
  body: Body,
  example: (addresses) => ({
    wallet: addresses.vaultAdmin,
    kvault: addresses.vault,
    performanceFeeBps: 1_250,
    depositCap: '5000000',
  }),
  actionOf(source, { wallet: admin, kvault, options: _options, ...given }) {
    const settings = Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name,
        AMOUNTS.includes(name) && typeof value === 'string' ? parseAmount(value) : value,
      ]);
    return setVaultConfigAction(source, { wallet: admin, vault: kvault }, Object.fromEntries(settings));
  },
});

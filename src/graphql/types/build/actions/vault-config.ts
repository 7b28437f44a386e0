import { setVaultConfigAction, type VaultSettings } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { BuildOptionsRef } from './build-inputs.ts';
import { CapInputRef, capOf } from './cap-input.ts';

const NO_ADDRESS = 'The address 11111111111111111111111111111111 takes it away.';

const SetConfigInputRef = builder.inputType('SetVaultConfigInput', {
  description: 'Input of a change of settings of a vault. What is omitted stays as it is.',
  fields: (t) => {
    const tokens = (description: string) => t.field({ type: 'Decimal', description });
    const count = (description: string) => t.field({ type: 'U64', description });
    const address = (description: string) => t.field({ type: 'Address', description });
    const cap = (description: string) => t.field({ type: CapInputRef, description });
    return {
      wallet: t.field({
        type: 'Address',
        required: true,
        description:
          'Admin of the vault, who signs the transaction and pays its fee unless there is another fee payer. The admin of the vault program may change some settings too.',
      }),
      vault: t.field({ type: 'Address', required: true, description: 'Address of the vault.' }),
      options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
      performanceFeeBps: t.int({
        description: 'Fee on what the vault earns, in basis points, 0 to 10,000.',
      }),
      managementFeeBps: t.int({ description: 'Yearly fee on the assets, in basis points, 0 to 1,000.' }),
      minDeposit: tokens('Smallest deposit, in whole tokens.'),
      minWithdraw: tokens('A withdrawal must pay more than this, in whole tokens; at most 1,000 base units.'),
      minInvest: tokens('An investment must move more than this, in whole tokens.'),
      minInvestDelaySlots: count('Slots between two investments in the same reserve.'),
      crankFeePerReserve: tokens(
        'What a deposit adds to the crank funds for each reserve with weight, in whole tokens. They pay for rounding when the vault invests.',
      ),
      pendingAdmin: address(`Wallet that may take the vault over with buildAcceptVaultAdmin. ${NO_ADDRESS}`),
      name: t.string({ description: 'Name of the vault, at most 40 bytes in UTF-8.' }),
      lookupTable: address(`Lookup table of the vault. ${NO_ADDRESS}`),
      farm: address(`Farm in which deposits stake the shares. ${NO_ADDRESS}`),
      allocationAdmin: address(
        `Wallet that may change weights and caps of reserves that the vault uses. ${NO_ADDRESS}`,
      ),
      unallocatedWeight: count('Weight of the tokens that stay idle, relative to those of the reserves.'),
      unallocatedCap: cap('The most tokens that stay idle by that weight.'),
      withdrawalPenalty: tokens(
        'Smallest penalty of a withdrawal, which stays with the other shareholders, in whole tokens; at most 10,000 base units.',
      ),
      withdrawalPenaltyBps: t.int({
        description: 'Penalty of a withdrawal, in basis points, 0 to 1,000.',
      }),
      firstLossFarm: address(`Farm with the capital that bears losses first. ${NO_ADDRESS}`),
      allocationsInWhitelistedReservesOnly: t.boolean({
        description:
          'Whether weights and caps may grow only for reserves on the list of the vault program. The admin of the program alone can take it back.',
      }),
      investsInWhitelistedReservesOnly: t.boolean({
        description:
          'Whether the vault may add tokens only to reserves on the list. The admin of the program alone can take it back.',
      }),
      rewardPerSecond: tokens('Rewards that the vault releases each second, in whole tokens.'),
      depositCap: cap('Assets above which the vault takes no deposit.'),
      permissioningAuthority: address(
        `Address that must sign every deposit and withdrawal from then on. ${NO_ADDRESS}`,
      ),
    };
  },
});

type Given = typeof SetConfigInputRef.$inferInput;

/** The settings that are given. */
function settingsOf({ unallocatedCap, depositCap, ...given }: Given): VaultSettings {
  const caps = { unallocatedCap: capOf(unallocatedCap), depositCap: capOf(depositCap) };
  const { wallet: _wallet, vault: _vault, options: _options, ...settings } = given;
  return Object.fromEntries(
    Object.entries({ ...settings, ...caps }).filter(([, value]) => value !== null && value !== undefined),
  );
}

export const VAULT_CONFIG_FIELD: ActionField = actionField({
  name: 'setVaultConfig',
  mutation: 'buildSetVaultConfig',
  kind: 'SET_VAULT_CONFIG',
  builds:
    'Builds a change of settings of a vault, with one instruction for each. The program charges the fees up to then under the old settings.',
  input: SetConfigInputRef,
  actionOf: (source, input) =>
    setVaultConfigAction(source, { wallet: input.wallet, vault: input.vault }, settingsOf(input)),
});

import { actionOptions } from '../../../services/builds/action-options.ts';
import { BuildSource } from '../../../services/builds/build-source.ts';
import { preparePlan } from '../../../services/builds/builds.ts';
import { vaultExit } from '../../../services/builds/vault-exit.ts';
import { builder } from '../../builder.ts';
import { optionsOf, ShareAmountInputRef, sharesOf } from './actions/build-inputs.ts';
import { vaultFields } from './actions/vault-fields.ts';
import { BuildResultRef, planned } from './results/build-result.ts';

const VaultExitInputRef = builder.inputType('VaultExitInput', {
  description: 'Input of an exit from a vault.',
  fields: (t) => ({
    ...vaultFields(t),
    amount: t.field({
      type: ShareAmountInputRef,
      required: true,
      description: 'Shares to take out, a value in tokens before the penalty, or all.',
    }),
  }),
});

builder.mutationField('buildVaultExit', (t) =>
  t.field({
    type: BuildResultRef,
    description:
      'Builds an exit from a vault that takes what the vault can pay now and queues the rest, as one plan: a withdrawal, then an exchange of the other shares for collateral tokens of up to two reserves of the vault, and a ticket in the withdraw queue of each. The steps say how much waits, and where. A millionth of the collateral tokens stays in the wallet, because their number is only known at execution. The plan is strict by default: with `strict: false`, what the programs would refuse becomes a warning.',
    args: {
      input: t.arg({
        type: VaultExitInputRef,
        required: true,
        description: 'Wallet, vault and amount of the exit.',
      }),
    },
    resolve: (_root, { input }, { session, platform }) => {
      const source = new BuildSource(session, platform);
      const { wallet, vault, amount, options } = input;
      return planned(async () => {
        const request = { wallet, vault, amount: sharesOf(amount), ...actionOptions(options, false) };
        const { actions, warnings } = await vaultExit(source, request);
        return await preparePlan(source, actions, optionsOf(options), { notes: warnings });
      });
    },
  }),
);

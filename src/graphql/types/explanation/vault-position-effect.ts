import { unknownValue, type VaultEffect } from '../../../services/explain/vault-effects.ts';
import type { TokenAmount } from '../../../services/tokens/amounts.ts';
import { builder } from '../../builder.ts';
import { VaultRef, vaultLink } from '../../node-refs.ts';
import { UnknownValueRef } from '../risk/obligation-what-if.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { ChangeRef } from '../values/change.ts';

const AmountChangeRef = builder
  .objectRef<{ readonly before: TokenAmount | null; readonly after: TokenAmount | null }>('AmountChange')
  .implement({
    description: 'An amount of tokens before and after a transaction.',
    fields: (t) => ({
      before: t.expose('before', {
        type: TokenAmountRef,
        nullable: true,
        description: 'Amount before. Null when unknown.',
      }),
      after: t.expose('after', {
        type: TokenAmountRef,
        nullable: true,
        description: 'Amount after. Null when unknown.',
      }),
    }),
  });

export const VaultPositionEffectRef = builder.objectRef<VaultEffect>('VaultPositionEffect').implement({
  description:
    'Effect of a transaction on the shares that a wallet has of a vault: those in its associated token account, in other accounts that the transaction names, and in the vault\u2019s farm. Shares that are unstaked and wait for the farm\u2019s cooldown are not counted.',
  fields: (t) => {
    const shares = (name: 'totalShares' | 'stakedShares' | 'unstakedShares', description: string) =>
      t.field({
        type: ChangeRef,
        description: `${description} 0 where there are none.`,
        resolve: ({ before, after }) => ({ before: before[name], after: after[name] }),
      });
    return {
      vaultAddress: t.expose('vault', { type: 'Address', description: 'Address of the vault.' }),
      vault: t.field({
        type: VaultRef,
        nullable: true,
        description: 'The vault as it is now. Null, with an error, when it cannot be read.',
        resolve: ({ vault }, _args, { session }) => vaultLink(session, vault),
      }),
      ownerAddress: t.expose('wallet', { type: 'Address', description: 'Wallet that owns the shares.' }),
      isOpened: t.boolean({
        description: 'Whether the wallet has no shares before and some after.',
        resolve: ({ before }) => before.totalShares.isZero,
      }),
      isClosed: t.boolean({
        description: 'Whether the wallet has no shares left.',
        resolve: ({ after }) => after.totalShares.isZero,
      }),
      totalShares: shares('totalShares', 'All shares, in whole shares.'),
      stakedShares: shares('stakedShares', 'Shares staked in the vault\u2019s farm, in whole shares.'),
      unstakedShares: shares('unstakedShares', 'Shares that the wallet holds, in whole shares.'),
      value: t.field({
        type: AmountChangeRef,
        description:
          'Value of the shares in tokens of the vault. A side is null when a reserve of the vault cannot be read.',
        resolve: ({ before, after }) => ({ before: before.value, after: after.value }),
      }),
      unknown: t.field({
        type: UnknownValueRef,
        nullable: true,
        description: 'Why a value, or its value in USD, is null. Null when all values are known.',
        resolve: unknownValue,
      }),
    };
  },
});

import { scenarioOf } from '../../../services/risk/scenario.ts';
import {
  type VaultPositionWhatIf,
  type WalletTotals,
  type WalletWhatIf,
  walletWhatIf,
} from '../../../services/risk/wallet-what-if.ts';
import { builder } from '../../builder.ts';
import { VaultPositionRef, WalletRef } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { ObligationWhatIfRef } from './obligation-what-if.ts';
import { scenarioArgs } from './scenario.ts';

const WalletTotalsRef = builder.objectRef<WalletTotals>('WalletTotals').implement({
  description: 'Totals of a wallet on the platform, in USD. Token balances are not included.',
  fields: (t) => {
    const figure = (name: keyof WalletTotals, description: string) =>
      t.expose(name, {
        type: 'Decimal',
        nullable: true,
        description: `${description} Null when a part is unknown.`,
      });
    return {
      depositedUsd: figure('depositedUsd', 'Deposits of all obligations, in USD.'),
      borrowedUsd: figure('borrowedUsd', 'Debts of all obligations, in USD.'),
      vaultsUsd: figure('vaultsUsd', 'Vault shares, in USD.'),
      queuedUsd: figure('queuedUsd', 'Queued withdrawals, in USD.'),
      netValueUsd: figure('netValueUsd', 'Deposits, vault shares and queued withdrawals less debts, in USD.'),
    };
  },
});

const VaultPositionWhatIfRef = builder.objectRef<VaultPositionWhatIf>('VaultPositionWhatIf').implement({
  description: 'Shares of a vault under supposed prices.',
  fields: (t) => ({
    position: t.expose('position', { type: VaultPositionRef, description: 'The position as it is now.' }),
    value: t.expose('value', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Value of the shares at the supposed price of the vault\u2019s token, after the supposed days at the vault\u2019s current yield without rewards. Supposed rates of reserves do not change it. Null when a reserve of the vault cannot be read.',
    }),
  }),
});

const WalletWhatIfRef = builder.objectRef<WalletWhatIf>('WalletWhatIf').implement({
  description: 'All positions of a wallet under supposed prices and rates.',
  fields: (t) => ({
    before: t.expose('before', { type: WalletTotalsRef, description: 'Totals now.' }),
    after: t.expose('after', { type: WalletTotalsRef, description: 'Totals under the scenario.' }),
    badDebtUsd: t.expose('badDebtUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Debt that exceeds the deposits of its obligation, summed over all obligations, in USD. Null when a part is unknown.',
    }),
    obligations: t.field({
      type: [ObligationWhatIfRef],
      description:
        'Each obligation, by address. One that cannot be read is left out and named in `extensions.warnings`.',
      resolve: ({ obligations, unreadable }, _args, { warnings }, info) => {
        warnings.leftOut(info, unreadable);
        return [...obligations];
      },
    }),
    vaultPositions: t.expose('vaultPositions', {
      type: [VaultPositionWhatIfRef],
      description: 'Each position in a vault, by vault.',
    }),
  }),
});

builder.objectFields(WalletRef, (t) => ({
  whatIf: t.field({
    type: WalletWhatIfRef,
    nullable: true,
    description:
      'All obligations and vault shares of the wallet under supposed prices and rates: days of interest first, then the prices. Only the named tokens move. Null, with an error, when the positions cannot be read or the scenario makes no sense (SHOCK_INVALID, SHOCK_MINT_UNKNOWN, RATE_INVALID, NUMBER_OUT_OF_RANGE).',
    args: scenarioArgs(t.arg),
    resolve: ({ address }, args, { session }) =>
      walletWhatIf(session, address, scenarioOf(session.view, args)),
  }),
}));

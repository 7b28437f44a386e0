import { integer } from '@sluice/protocol/numeric/rational';
import type {
  BuildWarning,
  Change,
  Preview,
  PreviewFee,
  PreviewReward,
} from '../../../../services/builds/results.ts';
import { denominationOf, tokenAmount } from '../../../../services/tokens/amounts.ts';
import { builder } from '../../../builder.ts';
import { TokenAmountRef } from '../../values/amounts.ts';
import { ChangeRef } from '../../values/change.ts';
import { BorrowOrderPreviewRef } from './borrow-order-preview.ts';
import { DebtTermPreviewRef } from './debt-term-preview.ts';
import { LiquidationPreviewRef } from './liquidation-preview.ts';
import { OrderPreviewRef } from './order-preview.ts';
import { OwnershipPreviewRef } from './ownership-preview.ts';
import { PreviewPositionRef } from './preview-position.ts';
import { QueuePreviewRef } from './queue-preview.ts';
import { QuotePreviewRef } from './quote-preview.ts';
import { PreviewReferralFeeRef, ReferrerPreviewRef } from './referral-preview.ts';
import { RolloverPreviewRef } from './rollover-preview.ts';
import { VaultPreviewRef } from './vault-preview.ts';
import { WorstCaseRef } from './worst-case.ts';

const WarningLevelRef = builder.enumType('WarningLevel', {
  description: 'Severity of a warning.',
  values: {
    INFO: { description: 'Information only.' },
    WARNING: { description: 'The transaction would succeed, but may have an unwanted effect.' },
    ERROR: {
      description:
        'The program would currently reject the transaction, or a swap that the caller supplied takes assets of the wallet or the authority over them.',
    },
  } as const,
});

export const BuildWarningRef = builder.objectRef<BuildWarning>('BuildWarning').implement({
  description: 'A warning to show before signing. Warnings do not prevent a build, unless it is strict.',
  fields: (t) => ({
    level: t.expose('level', { type: WarningLevelRef, description: 'Severity.' }),
    code: t.exposeString('code', { description: 'Stable warning code.' }),
    message: t.exposeString('message', {
      description: 'Message that says what the problem is and what to do.',
    }),
  }),
});

const PreviewFeeKindRef = builder.enumType('PreviewFeeKind', {
  description: 'Kind of a fee.',
  values: {
    ORIGINATION: { description: 'Origination fee of a borrow.' },
    EARLY_REPAY_PENALTY: { description: 'Penalty of repaying a debt before the end of its term.' },
    FLASH_LOAN: { description: 'Fee of a flash loan.' },
    WITHDRAWAL_PENALTY: { description: 'Penalty on a vault withdrawal.' },
    CRANK: { description: 'Fee that funds the investment of a vault deposit.' },
  } as const,
});

const PreviewFeeRef = builder.objectRef<PreviewFee>('PreviewFee').implement({
  description: 'A fee that an action charges on top of its amount.',
  fields: (t) => ({
    kind: t.expose('kind', { type: PreviewFeeKindRef, description: 'Kind of the fee.' }),
    amount: t.field({
      type: TokenAmountRef,
      description: 'Amount of the fee.',
      resolve: ({ mint, decimals, amount }, _args, { session }) =>
        tokenAmount(session.view, denominationOf(session.view, mint, decimals), integer(amount)),
    }),
  }),
});

const PreviewRewardRef = builder.objectRef<PreviewReward>('PreviewReward').implement({
  description: 'A reward that an action pays to the wallet.',
  fields: (t) => ({
    farm: t.expose('farm', { type: 'Address', description: 'Farm that pays the reward.' }),
    mint: t.expose('mint', { type: 'Address', description: 'Mint of the reward.' }),
    amount: t.field({
      type: TokenAmountRef,
      description: 'Amount that the wallet receives, after the share that the farms program keeps.',
      resolve: ({ mint, decimals, amount }, _args, { session }) =>
        tokenAmount(session.view, denominationOf(session.view, mint, decimals), amount),
    }),
  }),
});

export const PreviewRef = builder.objectRef<Preview>('Preview').implement({
  description:
    'Effect of an action on the position, computed with the same formulas as the rest of the API. Values that do not apply to the action are null.',
  isTypeOf: (value) =>
    typeof value === 'object' && value !== null && 'fees' in value && 'healthFactor' in value,
  fields: (t) => {
    type Figure = { [K in keyof Preview]: Preview[K] extends Change | null ? K : never }[keyof Preview];
    const figure = (name: Figure, description: string) =>
      t.field({ type: ChangeRef, nullable: true, description, resolve: (preview) => preview[name] });
    return {
      healthFactor: figure('healthFactor', 'Health factor of the obligation.'),
      loanToValue: figure(
        'loanToValue',
        'Loan-to-value of the obligation as the lending program computes it: debt adjusted by borrow factors / all deposits, as a fraction.',
      ),
      borrowLimitUsd: figure('borrowLimitUsd', 'Borrow limit of the obligation, in USD.'),
      netValueUsd: figure('netValueUsd', 'Deposits less debts, in USD.'),
      supplyInterestApy: figure(
        'supplyApy',
        'Supply APY of the reserve, or APY of the vault after fees, as a fraction, without rewards.',
      ),
      borrowInterestApy: figure('borrowApy', 'Borrow APY of the reserve, as a fraction, without rewards.'),
      utilization: figure('utilization', 'Utilization of the reserve, as a fraction.'),
      shares: figure('shares', 'Shares of the vault, in whole shares.'),
      tokens: figure(
        'tokens',
        'Tokens of the position, in whole tokens: the deposit, the debt, or the value of the shares.',
      ),
      debtTokens: figure(
        'debtTokens',
        'Tokens of the debt, in whole tokens, for an action that changes a deposit and a debt.',
      ),
      maxBorrowUsd: figure('maxBorrowUsd', 'Amount that can still be borrowed, in USD.'),
      stakedShares: figure('stakedShares', 'Shares of the vault in its farm, in whole shares.'),
      unstakedShares: figure('unstakedShares', 'Shares of the vault in the wallet itself, in whole shares.'),
      elevationGroup: figure(
        'elevationGroup',
        'Number of the elevation group of the obligation; 0 for none.',
      ),
      maxLtv: figure('maxLtv', 'Highest loan-to-value up to which the obligation may borrow, as a fraction.'),
      liquidationLtv: figure(
        'liquidationLtv',
        'Loan-to-value at which the obligation can be liquidated, as a fraction.',
      ),
      rewards: t.expose('rewards', {
        type: [PreviewRewardRef],
        description: 'Rewards that the wallet receives. Empty for actions that claim none.',
      }),
      referralFees: t.expose('referralFees', {
        type: [PreviewReferralFeeRef],
        description: 'Referral fees that the wallet receives, by reserve. Empty for actions that claim none.',
      }),
      referrer: t.expose('referrer', {
        type: ReferrerPreviewRef,
        nullable: true,
        description:
          'Accounts that the action opens for a referrer, or for a wallet that names one. Null for other actions.',
      }),
      leverage: figure('leverage', 'Deposits / net value of the obligation.'),
      netApy: figure(
        'netApy',
        'Net yield per year on the net value of the obligation, as a fraction, as `Obligation.netApy`: with all rewards. Afterwards with the interest and the share of rewards that the action leaves.',
      ),
      liquidationPriceUsd: figure(
        'liquidationPriceUsd',
        'Price of the collateral at which the obligation can be liquidated, in USD, all other prices unchanged.',
      ),
      positions: t.expose('positions', {
        type: [PreviewPositionRef],
        description:
          'The two positions that an action changes: the old one, then the new one of a swap of debt or collateral; the debt, then the deposit of a repayment with a withdrawal; the debt in its reserve, then in the new one of a rollover, or only the first where they are one. Empty for other actions.',
      }),
      walletChanges: t.field({
        type: [TokenAmountRef],
        description:
          'Amounts that the wallet gains, or pays when negative, in a repayment with a withdrawal: the debt token, then the collateral token. Without rent and transaction fees. Empty for other actions.',
        resolve: ({ walletChanges }, _args, { session }) =>
          walletChanges.map(({ mint, decimals, amount }) =>
            tokenAmount(session.view, denominationOf(session.view, mint, decimals), integer(amount)),
          ),
      }),
      worstCase: t.expose('worstCase', {
        type: WorstCaseRef,
        nullable: true,
        description:
          'The position when a swap pays no more than its minimum out. Null for an action without a swap.',
      }),
      quote: t.expose('quote', {
        type: QuotePreviewRef,
        nullable: true,
        description:
          'The quote of the swap. Null when the caller supplied the swap, and for an action without one.',
      }),
      liquidation: t.expose('liquidation', {
        type: LiquidationPreviewRef,
        nullable: true,
        description:
          'Outcome of a liquidation. Null for other actions, and when the program would refuse it.',
      }),
      withdrawQueue: t.expose('queue', {
        type: QueuePreviewRef,
        nullable: true,
        description: 'The ticket of an action on a withdraw queue. Null for other actions.',
      }),
      order: t.expose('order', {
        type: OrderPreviewRef,
        nullable: true,
        description: 'The order of an action on an order of an obligation. Null for other actions.',
      }),
      borrowOrder: t.expose('borrowOrder', {
        type: BorrowOrderPreviewRef,
        nullable: true,
        description: 'The borrow order of an action on one. Null for other actions.',
      }),
      debtTerm: t.expose('debtTerm', {
        type: DebtTermPreviewRef,
        nullable: true,
        description:
          'Terms of the debt that the action opens, adds to or rolls over: rate, end and penalty of repaying it. Null for a borrow whose debt never ends, and for other actions.',
      }),
      rollover: t.expose('rollover', {
        type: RolloverPreviewRef,
        nullable: true,
        description:
          'Rollover settings of a debt, for an action that changes them or rolls the debt over, with which they move. Null for other actions.',
      }),
      ownership: t.expose('ownership', {
        type: OwnershipPreviewRef,
        nullable: true,
        description: 'Owner and transfer of an obligation. Null when the action is no step of a transfer.',
      }),
      vault: t.expose('vault', {
        type: VaultPreviewRef,
        nullable: true,
        description: 'The vault, for an action of the wallet that runs it. Null for other actions.',
      }),
      fees: t.expose('fees', { type: [PreviewFeeRef], description: 'Fees on top of the amount.' }),
      warnings: t.expose('warnings', {
        type: [BuildWarningRef],
        description: 'Warnings to show before signing.',
      }),
    };
  },
});

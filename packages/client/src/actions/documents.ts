import { graphql, type ResultOf, type VariablesOf } from '../graphql.ts';

const PREVIEW_FIELDS = graphql(`
  fragment PreviewFields on Preview @_unmask {
    tokens { before after }
    shares { before after }
    netValueUsd { before after }
    healthFactor { before after }
    loanToValue { before after }
    borrowLimitUsd { before after }
    maxBorrowUsd { before after }
    supplyInterestApy { before after }
    borrowInterestApy { before after }
    utilization { before after }
    leverage { before after }
    debtTokens { before after }
    stakedShares { before after }
    unstakedShares { before after }
    elevationGroup { before after }
    positions {
      reserve
      mint
      side
      tokens { before after }
      interestApy { before after }
      liquidationPriceUsd { before after }
    }
    walletChanges { amount usd token { mint symbol decimals } }
    quote {
      router
      sold { amount token { mint symbol decimals } }
      expected { amount token { mint symbol decimals } }
      guaranteed { amount token { mint symbol decimals } }
      slippage
      priceImpact
    }
    withdrawQueue {
      ticket
      sequenceNumber
      ticketsAhead
      state
      collateral { before after }
      tokens { before after }
      paid { amount usd token { mint symbol decimals } }
      returned { amount token { mint symbol decimals } }
      rent { amount usd token { mint symbol decimals } }
    }
    order {
      index
      before
      after
      trigger
      isTriggered
      triggerPrices { reserveAddress currentUsd triggerUsd side reason }
    }
    borrowOrder {
      index
      before
      after
      remaining { before after }
      received { amount usd token { mint symbol decimals } }
      reserves
    }
    vault {
      vault
      idleTokens { before after }
      targetIdleTokens { before after }
      pendingFees { before after }
      rewardsAvailable { before after }
      allocations {
        reserve
        weight { before after }
        cap { before after }
        collateralCap { before after }
        tokens { before after }
        targetTokens { before after }
      }
      settings { setting before after }
      paid { amount usd token { mint symbol decimals } }
      received { amount usd token { mint symbol decimals } }
      rent { amount usd token { mint symbol decimals } }
    }
    debtTerm {
      reserveAddress
      rate
      borrowApr
      cause
      endsAt
      endedAt
      daysLeft
      rolloverFrom
      liquidatableFrom
      wholeFrom
      earlyRepayPenalty { amount usd token { mint symbol decimals } }
      description
    }
    rollover {
      reserveAddress
      before { enabled maxBorrowRateBps minTermSeconds openTermAllowed migrationToFixedEnabled windowDays }
      after { enabled maxBorrowRateBps minTermSeconds openTermAllowed migrationToFixedEnabled windowDays }
      termEndsAt
      rolloverFrom
    }
    ownership { obligation ownerBefore ownerAfter before { newOwner state } after { newOwner state canAbort remainingSteps } }
    liquidation {
      bonus
      repaid { amount token { mint symbol decimals } }
      received { amount token { mint symbol decimals } }
      protocolFee { amount token { mint symbol decimals } }
      profitUsd
    }
    rewards { farm amount { amount usd token { mint symbol decimals } } }
    referralFees { reserve amount { amount usd token { mint symbol decimals } } unclaimed { before after } }
    referrer { referrer registers reserves rent { amount token { mint symbol decimals } } }
    fees { kind amount { amount usd token { mint symbol decimals } } }
    warnings { code level message }
  }
`);

const PLAN_FIELDS = graphql(
  `
    fragment PlanFields on TransactionPlan @_unmask {
      transactions { base64 blockhash lastValidBlockHeight sizeBytes sizeLimit steps setupOnly splitReason }
      preview { ...PreviewFields }
      warnings { code level message }
      simulation @include(if: $simulate) {
        success
        slot
        unitsConsumed
        suggestedUnitLimit
        error { programAddress code name message }
        logs
        balanceChanges { change { amount usd token { mint symbol decimals } } }
      }
    }
  `,
  [PREVIEW_FIELDS],
);

/** The query of `previewAction`. */
export const PREVIEW = graphql(
  `
    query PreviewAction($action: BuildAction!) {
      preview(action: $action) {
        __typename
        ...PreviewFields
        ... on BuildError { code message }
      }
    }
  `,
  [PREVIEW_FIELDS],
);

/** The mutation of each action, by its name in `Action`. Each has the same alias, and so the same type of result. */
export const BUILDERS = {
  acceptVaultAdmin: graphql(
    `
      mutation BuildAcceptVaultAdmin($input: AcceptVaultAdminInput!, $simulate: Boolean!) {
        built: buildAcceptVaultAdmin(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  giveUpVaultFees: graphql(
    `
      mutation BuildGiveUpVaultFees($input: GiveUpVaultFeesInput!, $simulate: Boolean!) {
        built: buildGiveUpVaultFees(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  investVault: graphql(
    `
      mutation BuildInvestVault($input: InvestVaultInput!, $simulate: Boolean!) {
        built: buildInvestVault(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  createVault: graphql(
    `
      mutation BuildCreateVault($input: CreateVaultInput!, $simulate: Boolean!) {
        built: buildCreateVault(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  removeVaultAllocation: graphql(
    `
      mutation BuildRemoveVaultAllocation($input: RemoveVaultAllocationInput!, $simulate: Boolean!) {
        built: buildRemoveVaultAllocation(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  setVaultAllocation: graphql(
    `
      mutation BuildSetVaultAllocation($input: SetVaultAllocationInput!, $simulate: Boolean!) {
        built: buildSetVaultAllocation(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  setVaultConfig: graphql(
    `
      mutation BuildSetVaultConfig($input: SetVaultConfigInput!, $simulate: Boolean!) {
        built: buildSetVaultConfig(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  topUpVaultRewards: graphql(
    `
      mutation BuildTopUpVaultRewards($input: TopUpVaultRewardsInput!, $simulate: Boolean!) {
        built: buildTopUpVaultRewards(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  withdrawVaultFees: graphql(
    `
      mutation BuildWithdrawVaultFees($input: WithdrawVaultFeesInput!, $simulate: Boolean!) {
        built: buildWithdrawVaultFees(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  withdrawVaultRewards: graphql(
    `
      mutation BuildWithdrawVaultRewards($input: WithdrawVaultRewardsInput!, $simulate: Boolean!) {
        built: buildWithdrawVaultRewards(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  cancelBorrowOrder: graphql(
    `
      mutation BuildCancelBorrowOrder($input: CancelBorrowOrderInput!, $simulate: Boolean!) {
        built: buildCancelBorrowOrder(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  abortObligationTransfer: graphql(
    `
      mutation BuildAbortObligationTransfer($input: AbortObligationTransferInput!, $simulate: Boolean!) {
        built: buildAbortObligationTransfer(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  acceptObligation: graphql(
    `
      mutation BuildAcceptObligation($input: AcceptObligationInput!, $simulate: Boolean!) {
        built: buildAcceptObligation(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  initiateObligationTransfer: graphql(
    `
      mutation BuildInitiateObligationTransfer($input: InitiateObligationTransferInput!, $simulate: Boolean!) {
        built: buildInitiateObligationTransfer(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  setRolloverSettings: graphql(
    `
      mutation BuildSetRolloverSettings($input: SetRolloverSettingsInput!, $simulate: Boolean!) {
        built: buildSetRolloverSettings(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  rollOverBorrow: graphql(
    `
      mutation BuildRollOverBorrow($input: RollOverBorrowInput!, $simulate: Boolean!) {
        built: buildRollOverBorrow(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  claimReferralFees: graphql(
    `
      mutation BuildClaimReferralFees($input: ClaimReferralFeesInput!, $simulate: Boolean!) {
        built: buildClaimReferralFees(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  nameReferrer: graphql(
    `
      mutation BuildNameReferrer($input: NameReferrerInput!, $simulate: Boolean!) {
        built: buildNameReferrer(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  setUpReferrer: graphql(
    `
      mutation BuildSetUpReferrer($input: SetUpReferrerInput!, $simulate: Boolean!) {
        built: buildSetUpReferrer(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  cancelObligationOrder: graphql(
    `
      mutation BuildCancelObligationOrder($input: CancelObligationOrderInput!, $simulate: Boolean!) {
        built: buildCancelObligationOrder(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  cancelWithdrawTicket: graphql(
    `
      mutation BuildCancelWithdrawTicket($input: CancelWithdrawTicketInput!, $simulate: Boolean!) {
        built: buildCancelWithdrawTicket(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  claimRewards: graphql(
    `
      mutation BuildClaimRewards($input: ClaimRewardsInput!, $simulate: Boolean!) {
        built: buildClaimRewards(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  deleverage: graphql(
    `
      mutation BuildDeleverage($input: DeleverageInput!, $simulate: Boolean!) {
        built: buildDeleverage(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  enqueueWithdraw: graphql(
    `
      mutation BuildEnqueueWithdraw($input: EnqueueWithdrawInput!, $simulate: Boolean!) {
        built: buildEnqueueWithdraw(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  lendingBorrow: graphql(
    `
      mutation BuildLendingBorrow($input: LendingActionInput!, $simulate: Boolean!) {
        built: buildLendingBorrow(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  lendingDeposit: graphql(
    `
      mutation BuildLendingDeposit($input: LendingActionInput!, $simulate: Boolean!) {
        built: buildLendingDeposit(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  lendingRepay: graphql(
    `
      mutation BuildLendingRepay($input: LendingActionInput!, $simulate: Boolean!) {
        built: buildLendingRepay(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  lendingWithdraw: graphql(
    `
      mutation BuildLendingWithdraw($input: LendingActionInput!, $simulate: Boolean!) {
        built: buildLendingWithdraw(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  fillBorrowOrder: graphql(
    `
      mutation BuildFillBorrowOrder($input: FillBorrowOrderInput!, $simulate: Boolean!) {
        built: buildFillBorrowOrder(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  liquidate: graphql(
    `
      mutation BuildLiquidate($input: LiquidateInput!, $simulate: Boolean!) {
        built: buildLiquidate(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  multiply: graphql(
    `
      mutation BuildMultiply($input: MultiplyInput!, $simulate: Boolean!) {
        built: buildMultiply(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  recoverWithdrawTicket: graphql(
    `
      mutation BuildRecoverWithdrawTicket($input: RecoverWithdrawTicketInput!, $simulate: Boolean!) {
        built: buildRecoverWithdrawTicket(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  repayAndWithdraw: graphql(
    `
      mutation BuildRepayAndWithdraw($input: RepayAndWithdrawInput!, $simulate: Boolean!) {
        built: buildRepayAndWithdraw(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  repayWithCollateral: graphql(
    `
      mutation BuildRepayWithCollateral($input: RepayWithCollateralInput!, $simulate: Boolean!) {
        built: buildRepayWithCollateral(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  requestElevationGroup: graphql(
    `
      mutation BuildRequestElevationGroup($input: RequestElevationGroupInput!, $simulate: Boolean!) {
        built: buildRequestElevationGroup(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  setBorrowOrder: graphql(
    `
      mutation BuildSetBorrowOrder($input: SetBorrowOrderInput!, $simulate: Boolean!) {
        built: buildSetBorrowOrder(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  setObligationOrder: graphql(
    `
      mutation BuildSetObligationOrder($input: SetObligationOrderInput!, $simulate: Boolean!) {
        built: buildSetObligationOrder(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  stakeShares: graphql(
    `
      mutation BuildStakeShares($input: ShareStakingInput!, $simulate: Boolean!) {
        built: buildStakeShares(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  swapCollateral: graphql(
    `
      mutation BuildSwapCollateral($input: SwapCollateralInput!, $simulate: Boolean!) {
        built: buildSwapCollateral(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  swapDebt: graphql(
    `
      mutation BuildSwapDebt($input: SwapDebtInput!, $simulate: Boolean!) {
        built: buildSwapDebt(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  unstakeShares: graphql(
    `
      mutation BuildUnstakeShares($input: ShareStakingInput!, $simulate: Boolean!) {
        built: buildUnstakeShares(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  vaultDeposit: graphql(
    `
      mutation BuildVaultDeposit($input: VaultDepositInput!, $simulate: Boolean!) {
        built: buildVaultDeposit(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  vaultRedeemInKind: graphql(
    `
      mutation BuildVaultRedeemInKind($input: VaultRedeemInKindInput!, $simulate: Boolean!) {
        built: buildVaultRedeemInKind(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  vaultWithdraw: graphql(
    `
      mutation BuildVaultWithdraw($input: VaultWithdrawInput!, $simulate: Boolean!) {
        built: buildVaultWithdraw(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
  withdrawQueued: graphql(
    `
      mutation BuildWithdrawQueued($input: WithdrawQueuedInput!, $simulate: Boolean!) {
        built: buildWithdrawQueued(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
      }
    `,
    [PLAN_FIELDS],
  ),
};

const STEP_FIELDS = graphql(
  `
    fragment StepFields on PlanStep @_unmask {
      kind
      summary
      transaction
      preview { ...PreviewFields }
      warnings { code level message }
    }
  `,
  [PREVIEW_FIELDS],
);

/** The request of `previewPlan`: it builds the plan and takes its effects, but no transactions. */
export const PREVIEW_PLAN = graphql(
  `
    mutation PreviewPlan($actions: [BuildAction!]!) {
      built: buildPlan(actions: $actions) {
        __typename
        ... on TransactionPlan {
          steps { ...StepFields }
          preview { ...PreviewFields }
          warnings { code level message }
        }
        ... on BuildError { code message step }
      }
    }
  `,
  [STEP_FIELDS, PREVIEW_FIELDS],
);

export const BUILD_PLAN = graphql(
  `
    mutation BuildPlan($actions: [BuildAction!]!, $simulate: Boolean!) {
      built: buildPlan(actions: $actions) { __typename ...PlanFields ... on BuildError { code message step } }
    }
  `,
  [PLAN_FIELDS],
);

/** The request of `previewVaultExit`: the steps of the exit and their effects, but no transactions. */
export const PREVIEW_VAULT_EXIT = graphql(
  `
    mutation PreviewVaultExit($input: VaultExitInput!) {
      built: buildVaultExit(input: $input) {
        __typename
        ... on TransactionPlan {
          steps { ...StepFields }
          preview { ...PreviewFields }
          warnings { code level message }
        }
        ... on BuildError { code message step }
      }
    }
  `,
  [STEP_FIELDS, PREVIEW_FIELDS],
);

export const BUILD_VAULT_EXIT = graphql(
  `
    mutation BuildVaultExit($input: VaultExitInput!, $simulate: Boolean!) {
      built: buildVaultExit(input: $input) { __typename ...PlanFields ... on BuildError { code message step } }
    }
  `,
  [PLAN_FIELDS],
);

export const BUILD_VAULT_REBALANCE = graphql(
  `
    mutation BuildVaultRebalance($input: VaultRebalanceInput!, $simulate: Boolean!) {
      built: buildVaultRebalance(input: $input) {
        __typename
        ...PlanFields
        ... on BuildError { code message step }
      }
    }
  `,
  [PLAN_FIELDS],
);

export const SEND = graphql(`
  mutation SendTransaction($input: SendTransactionInput!) {
    sendTransaction(input: $input) {
      __typename
      ... on SentTransaction {
        signature
        status
        slot
        error { programAddress code name message }
        logs
      }
      ... on InvalidTransaction { code message }
    }
  }
`);

/** An action of a wallet: exactly one of `vaultDeposit`, `vaultWithdraw`, `lendingDeposit` and so on, with its input. */
export type Action = VariablesOf<typeof PREVIEW>['action'];

/** Shares of a wallet that leave a vault. */
export type VaultExit = VariablesOf<typeof BUILD_VAULT_EXIT>['input'];

/** Weights and caps that a vault is to reach. */
export type VaultRebalance = VariablesOf<typeof BUILD_VAULT_REBALANCE>['input'];

/** Preview of an action. A value is null when it does not apply to the action or is unknown. */
export type ActionPreview = ResultOf<typeof PREVIEW_FIELDS>;

/** Unsigned transactions of an action, in the order in which they must be confirmed, with its preview and warnings. */
export type ActionPlan = ResultOf<typeof PLAN_FIELDS>;

/** Preview of a plan: each step on the state that the steps before it leave, and the whole. */
export type PlanPreview = Omit<
  Extract<ResultOf<typeof PREVIEW_PLAN>['built'], { readonly __typename: 'TransactionPlan' }>,
  '__typename'
>;

/** A transaction that was sent, and what has become of it. */
export type Sent = Extract<
  ResultOf<typeof SEND>['sendTransaction'],
  { readonly __typename: 'SentTransaction' }
>;

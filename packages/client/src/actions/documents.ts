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
  stakeShares: graphql(
    `
      mutation BuildStakeShares($input: ShareStakingInput!, $simulate: Boolean!) {
        built: buildStakeShares(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
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
  vaultWithdraw: graphql(
    `
      mutation BuildVaultWithdraw($input: VaultWithdrawInput!, $simulate: Boolean!) {
        built: buildVaultWithdraw(input: $input) { __typename ...PlanFields ... on BuildError { code message } }
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

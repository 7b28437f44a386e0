import { withdrawV1, withdrawV2 } from '@sluice/protocol/klend/action-instructions';
import type { CallOf } from '../anchor.ts';
import { bothVersions } from './both-versions.ts';
import { closeIfEmpty } from './close-obligation.ts';
import { checkPositionAccounts } from './position-accounts.ts';
import { checkNotVault, checkOpenForExit, watchVault } from './reserve-checks.ts';
import { redeemCollateral } from './reserve-liquidity.ts';
import { burnCollateral, moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';
import { type WithdrawalLimit, withdrawCollateral } from './withdraw-collateral.ts';

type Call = CallOf<typeof withdrawV1>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 54_000;

/** The framework's checks of the accounts. */
export const checkWithdrawal = ({ accounts }: Pick<Call, 'accounts'>) =>
  checkPositionAccounts({
    ...accounts,
    reserve: accounts.withdrawReserve,
    reserveCollateralSupply: accounts.reserveSourceCollateral,
    userLiquidity: accounts.userDestinationLiquidity,
  });

export const [
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
] = bothVersions({
  v1: withdrawV1,
  v2: withdrawV2,
  units: UNITS,
  kind: 'collateral',
  check: checkWithdrawal,
  run: (call, checked) => {
    runWithdrawal(call, checked);
  },
  farmed: (accounts) => ({ ...accounts, reserve: accounts.withdrawReserve }),
});

type Checked = ReturnType<typeof checkWithdrawal>;

/** Returns whether the obligation was closed. */
export function runWithdrawal(
  { invocation, accounts, args }: Call,
  { obligation, market, reserve, mint, userLiquidity, authority }: Checked,
  limit: WithdrawalLimit = 'maxLtv',
): boolean {
  const { collateralAmount: requested } = args;
  const { clock } = invocation;
  const { liquidity, collateral } = reserve.data;
  checkOpenForExit(reserve);
  checkNotVault(accounts.userDestinationLiquidity, liquidity.supplyVault);
  checkTokenExtensions(mint, userLiquidity);

  const checkVault = watchVault(accounts.reserveLiquiditySupply, reserve);
  const withdrawn = withdrawCollateral(market, reserve, obligation, clock, requested, limit);
  const redeemed = redeemCollateral(reserve, clock, withdrawn);
  reserve.save();
  obligation.save();
  invocation.log(
    `pnl: Withdraw obligation collateral ${withdrawn} and redeem reserve collateral ${redeemed}`,
  );
  burnCollateral(
    invocation,
    {
      tokenProgram: accounts.collateralTokenProgram.address,
      mint: collateral.mintPubkey,
      account: accounts.reserveSourceCollateral.address,
      authority,
      amount: withdrawn,
    },
    [authority],
  );
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.liquidityTokenProgram.address,
      source: accounts.reserveLiquiditySupply.address,
      destination: accounts.userDestinationLiquidity.address,
      owner: authority,
      amount: redeemed,
    },
    liquidity.mintPubkey,
    mint.decimals,
    [authority],
  );
  checkVault(-redeemed);
  return closeIfEmpty(invocation, obligation, accounts);
}

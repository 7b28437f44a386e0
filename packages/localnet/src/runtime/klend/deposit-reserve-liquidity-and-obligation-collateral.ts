import { depositV1, depositV2 } from '@sluice/protocol/klend/action-instructions';
import type { CallOf } from '../anchor.ts';
import { bothVersions } from './both-versions.ts';
import { depositCollateral, type GroupCount } from './deposit-collateral.ts';
import { checkPermission } from './permission.ts';
import { checkPositionAccounts } from './position-accounts.ts';
import { checkNotVault, checkOpenForEntry, watchVault } from './reserve-checks.ts';
import { depositLiquidity } from './reserve-liquidity.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { mintCollateral, moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

type Call = CallOf<typeof depositV1>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 52_000;

/** The framework's checks of the accounts. */
export const checkDeposit = ({ accounts }: Pick<Call, 'accounts'>) =>
  checkPositionAccounts({
    ...accounts,
    reserveCollateralSupply: accounts.reserveDestinationDepositCollateral,
    userLiquidity: accounts.userSourceLiquidity,
  });

export const [
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
] = bothVersions({
  v1: depositV1,
  v2: depositV2,
  units: UNITS,
  kind: 'collateral',
  check: checkDeposit,
  run: (call, checked) => runDeposit(call, checked),
  farmed: (accounts) => accounts,
});

type Checked = ReturnType<typeof checkDeposit>;

export function runDeposit(
  { invocation, accounts, args, remaining }: Call,
  { obligation, market, reserve, mint, userLiquidity, authority }: Checked,
  groupCount: GroupCount = 'now',
): void {
  const { liquidityAmount: amount } = args;
  const { clock } = invocation;
  const { liquidity, collateral } = reserve.data;
  invocation.log(
    `DepositReserveLiquidityAndObligationCollateral Reserve ${reserve.address} amount ${amount}`,
  );
  checkNotVault(accounts.userSourceLiquidity, liquidity.supplyVault);
  checkOpenForEntry(reserve);
  checkTokenExtensions(mint, userLiquidity);
  checkPermission(market, [reserve], 'deposit', remaining);

  const checkVault = watchVault(accounts.reserveLiquiditySupply, reserve);
  const deposited = depositLiquidity(reserve, clock, amount);
  refreshReserveState(reserve, clock, market);
  depositCollateral(market, reserve, obligation, clock, deposited.collateral, groupCount);
  reserve.save();
  obligation.save();
  invocation.log(
    `pnl: Deposit reserve liquidity ${deposited.liquidity} and obligation collateral ${deposited.collateral}`,
  );
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.liquidityTokenProgram.address,
      source: accounts.userSourceLiquidity.address,
      destination: accounts.reserveLiquiditySupply.address,
      owner: accounts.owner.address,
      amount: deposited.liquidity,
    },
    liquidity.mintPubkey,
    mint.decimals,
  );
  mintCollateral(invocation, {
    tokenProgram: accounts.collateralTokenProgram.address,
    mint: collateral.mintPubkey,
    account: accounts.reserveDestinationDepositCollateral.address,
    authority,
    amount: deposited.collateral,
  });
  checkVault(deposited.liquidity);
}

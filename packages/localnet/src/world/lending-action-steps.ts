import { borrowV2, depositV2, repayV2, withdrawV2 } from '@sluice/protocol/klend/action-instructions';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { type AccountMeta, AccountRole } from '@solana/kit';
import type { Reserve } from './model.ts';
import { referrerStateAddress } from './referrers.ts';
import { accountOf, burnTokens, mintTokens, moveTokens } from './token-instructions.ts';
import { type Step, withInner } from './transaction-steps.ts';
import type { LendAction } from './world-actions.ts';

const { klend, farms } = MAINNET_PROGRAMS;

/** The farm on the action's side of the reserve, and the obligation's user state in it; null for none. */
export function farmAccounts({ obligation, reserve, operation }: LendAction) {
  const collateral = operation === 'deposit' || operation === 'withdraw';
  const farm = collateral ? reserve.collateralFarm : reserve.debtFarm;
  const user = farm === null ? undefined : obligation.stakes.get(farm.address);
  return { obligationFarmUserState: user?.address ?? null, reserveFarmState: farm?.address ?? null };
}

/** The lending instruction, with the token movements it makes. */
export function actionStep(action: LendAction): Step {
  const { obligation, reserve, argument } = action;
  const { owner, market } = obligation;
  const { mint } = reserve.token;
  const wallet = accountOf(owner, mint);
  const vault = reserve.liquidityVault.address;
  const common = { owner: owner.address, obligation: obligation.address, lendingMarket: market.address };
  const farm = { ...farmAccounts(action), farmsProgram: farms };
  const grouped = action.group === 0 ? [] : reserveMetas(action.deposits);
  switch (action.operation) {
    case 'deposit':
      return withInner(
        'DepositReserveLiquidityAndObligationCollateralV2',
        depositV2.encode(
          klend,
          {
            ...common,
            ...farm,
            lendingMarketAuthority: market.authority,
            reserve: reserve.address,
            reserveLiquidityMint: mint.address,
            reserveLiquiditySupply: vault,
            reserveCollateralMint: reserve.collateralMint.address,
            reserveDestinationDepositCollateral: reserve.collateralVault.address,
            userSourceLiquidity: wallet,
            placeholderUserDestinationCollateral: null,
            collateralTokenProgram: TOKEN_PROGRAM,
            liquidityTokenProgram: mint.program,
            instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
          },
          { liquidityAmount: argument },
        ),
        [
          moveTokens(mint, wallet, vault, owner.address, action.liquidity),
          mintTokens(
            reserve.collateralMint,
            reserve.collateralVault.address,
            market.authority,
            action.ctokens,
          ),
        ],
      );
    case 'withdraw':
      return withInner(
        'WithdrawObligationCollateralAndRedeemReserveCollateralV2',
        withdrawV2.encode(
          klend,
          {
            ...common,
            ...farm,
            lendingMarketAuthority: market.authority,
            withdrawReserve: reserve.address,
            reserveLiquidityMint: mint.address,
            reserveSourceCollateral: reserve.collateralVault.address,
            reserveCollateralMint: reserve.collateralMint.address,
            reserveLiquiditySupply: vault,
            userDestinationLiquidity: wallet,
            placeholderUserDestinationCollateral: null,
            collateralTokenProgram: TOKEN_PROGRAM,
            liquidityTokenProgram: mint.program,
            instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
          },
          { collateralAmount: argument },
        ),
        [
          burnTokens(
            reserve.collateralMint,
            reserve.collateralVault.address,
            market.authority,
            action.ctokens,
          ),
          moveTokens(mint, vault, wallet, market.authority, action.liquidity),
        ],
      );
    case 'borrow':
      return withInner(
        'BorrowObligationLiquidityV2',
        borrowV2.encode(
          klend,
          {
            ...common,
            ...farm,
            lendingMarketAuthority: market.authority,
            borrowReserve: reserve.address,
            borrowReserveLiquidityMint: mint.address,
            reserveSourceLiquidity: vault,
            borrowReserveLiquidityFeeReceiver: reserve.feeVault.address,
            userDestinationLiquidity: wallet,
            referrerTokenState:
              owner.referrer === null ? null : referrerStateAddress(owner.referrer, reserve).address,
            tokenProgram: mint.program,
            instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
          },
          { liquidityAmount: argument },
          grouped,
        ),
        [
          ...(action.fee === 0n
            ? []
            : [moveTokens(mint, vault, reserve.feeVault.address, market.authority, action.fee)]),
          moveTokens(mint, vault, wallet, market.authority, action.liquidity),
        ],
      );
    case 'repay':
      return withInner(
        'RepayObligationLiquidityV2',
        repayV2.encode(
          klend,
          {
            ...common,
            ...farm,
            repayReserve: reserve.address,
            reserveLiquidityMint: mint.address,
            reserveDestinationLiquidity: vault,
            userSourceLiquidity: wallet,
            tokenProgram: mint.program,
            instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
            lendingMarketAuthority: market.authority,
          },
          { liquidityAmount: argument },
          grouped,
        ),
        [moveTokens(mint, wallet, vault, owner.address, action.liquidity)],
      );
  }
}

export function reserveMetas(reserves: readonly Reserve[]): AccountMeta[] {
  return reserves.map(({ address }) => ({ address, role: AccountRole.WRITABLE }));
}

import { vaultInvest } from '@sluice/protocol/kvault/allocation-instructions';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Wallet } from './model.ts';
import { accountOf, mintTokens, moveTokens } from './token-instructions.ts';
import { type Step, withInner } from './transaction-steps.ts';
import { reserveMetas } from './vault-instructions.ts';
import type { InvestAction } from './world-actions.ts';

const { klend, kvault } = MAINNET_PROGRAMS;

/** A keeper invests idle tokens of a vault in one reserve. */
export function investSteps(keeper: Wallet, action: InvestAction): Step[] {
  const { vault, allocation, liquidity, ctokens, roundingLoss } = action;
  const { reserve, holding } = allocation;
  const { mint } = vault.token;
  const invest = vaultInvest.encode(
    kvault,
    {
      payer: keeper.address,
      payerTokenAccount: accountOf(keeper, mint),
      vaultState: vault.address,
      tokenVault: vault.tokenVault.address,
      tokenMint: mint.address,
      baseVaultAuthority: vault.authority,
      ctokenVault: holding.address,
      reserve: reserve.address,
      lendingMarket: reserve.market.address,
      lendingMarketAuthority: reserve.market.authority,
      reserveLiquiditySupply: reserve.liquidityVault.address,
      reserveCollateralMint: reserve.collateralMint.address,
      reserveWhitelistEntry: null,
      klendProgram: klend,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      tokenProgram: mint.program,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
    {},
    reserveMetas(vault),
  );
  return [
    withInner('Invest', invest, [
      ...(roundingLoss === 0n
        ? []
        : [
            moveTokens(mint, accountOf(keeper, mint), vault.tokenVault.address, keeper.address, roundingLoss),
          ]),
      moveTokens(mint, vault.tokenVault.address, reserve.liquidityVault.address, vault.authority, liquidity),
      mintTokens(reserve.collateralMint, holding.address, reserve.market.authority, ctokens),
    ]),
  ];
}

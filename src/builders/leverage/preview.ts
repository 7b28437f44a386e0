import { ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { toTokens } from '../../domain/arithmetic.ts';
import { collateralLiquidationPrice } from '../../domain/health.ts';
import { borrowApy, supplyApy } from '../../domain/rates.ts';
import { change, type Preview } from '../preview.ts';
import { rateOf } from '../preview-position.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import type { LeverageBuild } from './build.ts';
import { obligationPreview, type PositionState, positionStates, worstCase } from './position.ts';

/** Figures of an action on a deposit and a debt, from the accounts before it, which its sequence then changes. */
export function leveragePreview(build: LeverageBuild, read: ReadAccounts): Preview {
  const { collateral, debt, at } = build.accounts;
  const states = positionStates(build, read);
  const { before, after } = states;
  const rate = (address: Address, of: typeof supplyApy) =>
    change(before, after, (state) => rateOf(state, address, of, at.moment));
  const depositOf = ({ positions }: PositionState) =>
    positions.deposits.find(({ reserve }) => reserve === collateral.address);
  const debtOf = ({ positions }: PositionState) =>
    positions.borrows.find(({ reserve }) => reserve === debt.address);
  const liquidationPriceUsd = change(before, after, (state) => {
    const deposit = depositOf(state);
    return state.stats && deposit ? collateralLiquidationPrice(state.stats, deposit) : null;
  });
  return {
    ...obligationPreview(build, states, read),
    supplyApy: rate(collateral.address, supplyApy),
    borrowApy: rate(debt.address, borrowApy),
    tokens: change(before, after, (state) =>
      toTokens(depositOf(state)?.amount ?? ZERO, BigInt(collateral.decimals)),
    ),
    debtTokens: change(before, after, (state) =>
      toTokens(debtOf(state)?.amount ?? ZERO, BigInt(debt.decimals)),
    ),
    liquidationPriceUsd,
    worstCase: worstCase(build, after, liquidationPriceUsd.after),
  };
}

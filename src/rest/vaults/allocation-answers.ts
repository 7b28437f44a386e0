import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { acceptedCollateral } from '../../services/markets/accepted-collateral.ts';
import { marketFacts } from '../../services/markets/markets.ts';
import type { VaultRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import { viewTime } from '../../services/request/time-range.ts';
import { supplyYield, utilization } from '../../services/reserves/reserves.ts';
import { tokenSymbol } from '../../services/tokens/tokens.ts';
import * as vaults from '../../services/vaults/vaults.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal, percent } from '../values/decimal.ts';
import type { VaultAllocationDetails, VaultAllocations } from './allocation-schemas.ts';

type View = Session['view'];

/** The allocations of a vault, with the field names of the REST contract. */
export function vaultAllocationsAnswer(view: View, vault: VaultRecord): AnswerOf<typeof VaultAllocations> {
  const idle = vaults.idle(view, vault);
  return {
    asOf: viewTime(view).toISOString(),
    capitalDeployedUsd: decimal(vaults.invested(view, vault)?.usd),
    utilizationRatio: decimal(vaults.vaultUtilization(view, vault)),
    allocations: vaults.vaultAllocations(view, vault).map((each) => allocationOf(view, vault, each)),
    unallocated: {
      tokenAmount: decimal(idle.amount),
      usd: decimal(idle.usd),
      pct: percent(vaults.unallocatedShare(view, vault)),
    },
  };
}

function allocationOf(
  view: View,
  { value }: VaultRecord,
  { holding, targetShare, actualShare, invested, cap }: vaults.VaultAllocation,
): AnswerOf<typeof VaultAllocationDetails> {
  const { reserve: address } = holding.allocation;
  const reserve = view.get('reserve', address);
  const market = reserve && view.get('market', reserve.value.lendingMarket);
  const apy = reserve && supplyYield(view, reserve);
  return {
    reserve: address,
    market: reserve?.value.lendingMarket ?? NO_ADDRESS,
    marketName: market === undefined ? '' : marketFacts(view, market).name,
    tokenMint: value.tokenMint,
    symbol: tokenSymbol(view, value.tokenMint),
    targetWeightPct: percent(targetShare),
    actualPct: percent(actualShare),
    suppliedTokenAmount: decimal(invested?.amount),
    suppliedUsd: decimal(invested?.usd),
    capTokenAmount: decimal(cap.amount),
    utilizationRatio: decimal(reserve && utilization(view, reserve)),
    supplyApy: decimal(apy?.base),
    rewardsApy: decimal(apy?.total.sub(apy.base)),
    collateral: reserve === undefined ? [] : symbolsOf(view, acceptedCollateral(view, reserve)),
  };
}

function symbolsOf(view: View, reserves: ReturnType<typeof acceptedCollateral>): string[] {
  return [...new Set(reserves.map((each) => tokenSymbol(view, each.value.liquidity.mintPubkey)))];
}

import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer } from '@sluice/protocol/numeric/rational';
import { exact } from '../../../packages/protocol/test/support/numbers.ts';
import type { Shape } from '../contract/field-shapes.ts';
import type { Amount } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import { decimals } from './shapes.ts';
import { vaultRow } from './vaults.ts';

const ALLOCATIONS: Shape = {
  fields: {
    asOf: 'date',
    ...decimals('capitalDeployedUsd', 'utilizationRatio'),
    allocations: {
      list: {
        fields: {
          reserve: 'address',
          market: 'address',
          marketName: 'string',
          tokenMint: 'address',
          symbol: 'label',
          ...decimals('targetWeightPct', 'actualPct', 'suppliedTokenAmount', 'suppliedUsd'),
          ...decimals('capTokenAmount', 'utilizationRatio', 'supplyApy', 'rewardsApy'),
          collateral: { list: 'label' },
        },
      },
    },
    unallocated: { fields: decimals('tokenAmount', 'usd', 'pct') },
  },
};

interface Allocation {
  readonly reserveAddress: string;
  readonly targetShare: string;
  readonly actualShare: string | null;
  readonly invested: Amount | null;
  readonly cap: Amount;
  readonly reserve: {
    readonly marketAddress: string;
    readonly market: { readonly name: string };
    readonly utilization: string;
    readonly supplyApy: Readonly<Record<'base' | 'farmRewards' | 'reserveRewards' | 'incentives', string>>;
    readonly acceptedCollateral: readonly { readonly token: { readonly symbol: string } }[];
  };
}

interface Answer {
  readonly chain: { readonly blockTime: string };
  readonly vault: {
    readonly token: { readonly mint: string; readonly symbol: string };
    readonly invested: Amount | null;
    readonly utilization: string | null;
    readonly idle: Amount;
    readonly unallocatedShare: string | null;
    readonly allocations: readonly Allocation[];
  };
}

const QUERY = `query ($address: Address!) {
  chain { blockTime }
  vault(address: $address) {
    token { mint symbol } invested { usd } utilization idle { amount usd } unallocatedShare
    allocations {
      reserveAddress targetShare actualShare invested { amount usd } cap { amount }
      reserve {
        marketAddress market { name } utilization supplyApy { base farmRewards reserveRewards incentives }
        acceptedCollateral { token { symbol } }
      }
    }
  }
}`;

const percent = (share: string | null, rule: NullRule) =>
  rule.decimal(share && toDecimalString(exact(share).mul(integer(100n))));

export const VAULT_ALLOCATION_ROW = vaultRow(
  '/kvaults/vaults/{pubkey}/allocations',
  ALLOCATIONS,
  async (graph, variables, rule) => {
    const { chain, vault } = await graph<Answer>(QUERY, variables);
    return {
      asOf: chain.blockTime,
      capitalDeployedUsd: rule.decimal(vault.invested?.usd),
      utilizationRatio: rule.decimal(vault.utilization),
      allocations: vault.allocations.map(({ reserve, ...each }) => ({
        reserve: each.reserveAddress,
        market: reserve.marketAddress,
        marketName: reserve.market.name,
        tokenMint: vault.token.mint,
        symbol: vault.token.symbol,
        targetWeightPct: percent(each.targetShare, rule),
        actualPct: percent(each.actualShare, rule),
        suppliedTokenAmount: rule.decimal(each.invested?.amount),
        suppliedUsd: rule.decimal(each.invested?.usd),
        capTokenAmount: each.cap.amount,
        utilizationRatio: reserve.utilization,
        supplyApy: reserve.supplyApy.base,
        rewardsApy: toDecimalString(
          exact(reserve.supplyApy.farmRewards)
            .add(exact(reserve.supplyApy.reserveRewards))
            .add(exact(reserve.supplyApy.incentives)),
        ),
        collateral: [...new Set(reserve.acceptedCollateral.map(({ token }) => token.symbol))],
      })),
      unallocated: {
        tokenAmount: vault.idle.amount,
        usd: rule.decimal(vault.idle.usd),
        pct: percent(vault.unallocatedShare, rule),
      },
    };
  },
);

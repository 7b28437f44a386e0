/** The answers that a portfolio page is made of. Both generated clients return them. */
export interface PageData {
  readonly positions: readonly { readonly vaultAddress: string; readonly totalShares: string }[];
  readonly metrics: readonly { readonly kvault: string; readonly sharePrice: string; readonly apy: string }[];
  readonly obligations: readonly {
    readonly obligationAddress: string;
    readonly humanTag: string;
    readonly refreshedStats: { readonly netAccountValue: string; readonly loanToValue: string };
  }[];
  readonly rewards: readonly {
    readonly kvault: string;
    readonly rewardToken: string;
    readonly apy: string;
  }[];
}

/** Decimals are strings: parse them with a decimal library, never with `Number`. */
export interface PortfolioPage {
  /** Price and yield are undefined for a vault without metrics. */
  readonly vaults: readonly {
    readonly vault: string;
    readonly shares: string;
    readonly sharePriceUsd: string | undefined;
    readonly apy: string | undefined;
  }[];
  readonly loans: readonly {
    readonly obligation: string;
    readonly purpose: string;
    readonly netValueUsd: string;
    readonly ltv: string;
  }[];
  /** Reward campaigns of the vaults that the wallet holds. */
  readonly rewards: readonly { readonly vault: string; readonly mint: string; readonly apy: string }[];
}

/** Joins the answers: prices and yields come from the metrics of all vaults. */
export function pageOf({ positions, metrics, obligations, rewards }: PageData): PortfolioPage {
  return {
    vaults: positions.map(({ vaultAddress, totalShares }) => {
      const known = metrics.find(({ kvault }) => kvault === vaultAddress);
      return { vault: vaultAddress, shares: totalShares, sharePriceUsd: known?.sharePrice, apy: known?.apy };
    }),
    loans: obligations.map(({ obligationAddress, humanTag, refreshedStats }) => ({
      obligation: obligationAddress,
      purpose: humanTag,
      netValueUsd: refreshedStats.netAccountValue,
      ltv: refreshedStats.loanToValue,
    })),
    rewards: rewards
      .filter(({ kvault }) => positions.some(({ vaultAddress }) => vaultAddress === kvault))
      .map(({ kvault, rewardToken, apy }) => ({ vault: kvault, mint: rewardToken, apy })),
  };
}

/** The answers that a portfolio page is made of. Both generated clients return them. */
export interface PageData {
  readonly portfolio: {
    readonly earn: readonly { readonly vault: string; readonly name: string; readonly netValue?: string }[];
    readonly lending: readonly LoanRow[];
    readonly multiply: readonly LoanRow[];
    readonly leverage: readonly LoanRow[];
  };
  readonly rewards: {
    readonly farms: readonly {
      readonly rewards: readonly { readonly mint: string; readonly amount: string }[];
    }[];
  };
  readonly metrics: readonly { readonly kvault: string; readonly apy: string }[];
  readonly obligations: readonly {
    readonly obligationAddress: string;
    readonly refreshedStats: { readonly borrowLimit: string };
  }[];
}

interface LoanRow {
  readonly obligation: string;
  readonly netValue: string | null;
  readonly ltv: string | null;
}

/** Decimals are strings: parse them with a decimal library, never with `Number`. */
export interface PortfolioPage {
  /** `netValueUsd` is undefined when the token has no price, `apy` when the vault is not listed. */
  readonly vaults: readonly { name: string; netValueUsd: string | undefined; apy: string | undefined }[];
  /** Values are null when a price is unknown. */
  readonly loans: readonly {
    obligation: string;
    netValueUsd: string | null;
    ltv: string | null;
    borrowLimitUsd: string | undefined;
  }[];
  readonly rewards: readonly { mint: string; amount: string }[];
}

/** The markets in which a portfolio has obligations. */
export function marketsOf(
  portfolio: Readonly<Record<'lending' | 'multiply' | 'leverage', readonly { readonly market: string }[]>>,
): string[] {
  const { lending, multiply, leverage } = portfolio;
  return [...new Set([...lending, ...multiply, ...leverage].map(({ market }) => market))];
}

export function pageOf({ portfolio, rewards, metrics, obligations }: PageData): PortfolioPage {
  const { earn, lending, multiply, leverage } = portfolio;
  return {
    vaults: earn.map(({ vault, name, netValue }) => ({
      name,
      netValueUsd: netValue,
      apy: metrics.find(({ kvault }) => kvault === vault)?.apy,
    })),
    loans: [...lending, ...multiply, ...leverage].map(({ obligation, netValue, ltv }) => ({
      obligation,
      netValueUsd: netValue,
      ltv,
      borrowLimitUsd: obligations.find(({ obligationAddress }) => obligationAddress === obligation)
        ?.refreshedStats.borrowLimit,
    })),
    rewards: rewards.farms.flatMap((farm) => farm.rewards),
  };
}

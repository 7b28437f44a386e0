import { dataOf, type Sluice } from './client.ts';

export interface HeldVault {
  readonly name: string;
  readonly symbol: string;
  readonly token: string | undefined;
  readonly image: string;
  /** Decimals: parse them with a decimal library, never with `Number`. */
  readonly shares: string;
  readonly sharePriceUsd: string;
  /** Interest alone. Farm rewards and incentives come on top of it. */
  readonly apy: string;
}

/** The vaults that a wallet holds, with the values for a list view. */
export async function heldVaults(client: Sluice, wallet: string): Promise<HeldVault[]> {
  const positions = await dataOf(
    client.GET('/kvaults/users/{pubkey}/positions', { params: { path: { pubkey: wallet } } }),
  );
  return await Promise.all(
    positions.map(async ({ vaultAddress, totalShares }) => {
      const path = { pubkey: vaultAddress };
      const [{ state }, metrics] = await Promise.all([
        dataOf(client.GET('/kvaults/vaults/{pubkey}', { params: { path } })),
        dataOf(client.GET('/kvaults/vaults/{pubkey}/metrics', { params: { path } })),
      ]);
      const [{ name, symbol, image }, tokens] = await Promise.all([
        dataOf(
          client.GET('/kvaults/mints/{pubkey}/metadata', { params: { path: { pubkey: state.sharesMint } } }),
        ),
        dataOf(client.GET('/tokens-api/tokens', { params: { query: { mint: state.tokenMint } } })),
      ]);
      return {
        name,
        symbol,
        token: tokens[0]?.symbol,
        image,
        shares: totalShares,
        sharePriceUsd: metrics.sharePrice,
        apy: metrics.apy,
      };
    }),
  );
}

export interface OpenLoan {
  readonly market: string;
  readonly tag: string;
  /** Mints of the deposits. */
  readonly collateral: readonly string[];
  readonly netValueUsd: string;
  readonly ltv: number;
  readonly liquidationLtv: number;
}

/** The loans of a wallet in all markets. */
export async function openLoans(client: Sluice, wallet: string): Promise<OpenLoan[]> {
  const markets = await dataOf(client.GET('/v2/svc-market'));
  const loans = await Promise.all(
    markets.map(async ({ lendingMarket, name }) => {
      const path = { marketPubkey: lendingMarket, userPubkey: wallet };
      const obligations = await dataOf(
        client.GET('/svc-market/{marketPubkey}/users/{userPubkey}/obligations', { params: { path } }),
      );
      return await Promise.all(
        obligations.map(async ({ obligationAddress, humanTag, positions, refreshedStats }) => {
          const { loanInfo } = await dataOf(
            client.GET('/klend/loans/{pubkey}', { params: { path: { pubkey: obligationAddress } } }),
          );
          return {
            market: name,
            tag: humanTag,
            collateral: positions.deposits.map(({ mintAddress }) => mintAddress),
            netValueUsd: refreshedStats.netAccountValue,
            ltv: loanInfo.currentLtv,
            liquidationLtv: loanInfo.liquidationLtv,
          };
        }),
      );
    }),
  );
  return loans.flat();
}

/** The reserve of a market with the highest supply APY, its recorded means and limits, and its account in base64. */
export async function bestReserve(client: Sluice, market: string) {
  const metrics = await dataOf(
    client.GET('/svc-market/{pubkey}/reserves/metrics', { params: { path: { pubkey: market } } }),
  );
  const [best] = [...metrics].sort((a, b) => Number(b.supplyApy) - Number(a.supplyApy));
  const stats =
    best &&
    (await dataOf(client.GET('/reserves/{pubkey}/stats', { params: { path: { pubkey: best.reserve } } })));
  const [accounts] = await dataOf(
    client.GET('/svc-market/reserves/account-data', { params: { query: { markets: [market] } } }),
  );
  return {
    best,
    apy30d: stats?.supplyApy.avg30d,
    depositLimit: stats?.depositLimit,
    account: accounts?.reserves.find(({ pubkey }) => pubkey === best?.reserve)?.data,
  };
}

/** Instructions that deposit into a vault, to add to your own transaction. See signing.md. */
export async function depositInstructions(client: Sluice, wallet: string, kvault: string, amount: string) {
  const { instructions } = await dataOf(
    client.POST('/ktx/kvault/deposit-instructions', { body: { wallet, kvault, amount } }),
  );
  return instructions;
}

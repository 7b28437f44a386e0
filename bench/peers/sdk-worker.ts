import { allocationFact, positionFact, reserveFact, sharesFact, vaultFact } from './facts.ts';
import { importSdk, type SdkManager, type SdkMarket, type SdkRpc, type SdkVault } from './sdk.ts';
import { serveParent } from './worker.ts';

const SLOT_MS = 400;
const { sdk, createSolanaRpc } = importSdk();

type RawFacts = readonly (readonly [string, string])[];

export interface SdkNestedOrder {
  readonly url: string;
  /** Given, so that the SDK need not search for them. */
  readonly vaults: readonly string[];
}

async function existing(manager: SdkManager, addresses: readonly string[]): Promise<SdkVault[]> {
  return (await manager.getVaults(addresses)).filter((vault) => vault !== null);
}

/** The content of our nested answer in as few calls as the SDK allows: vaults, reserves with prices, markets. */
async function nested({ url, vaults: addresses }: SdkNestedOrder): Promise<RawFacts> {
  const rpc = createSolanaRpc(url);
  const manager = new sdk.KaminoManager(rpc, SLOT_MS);
  const client = manager.getKaminoVaultClient();
  const [slot, vaults] = await Promise.all([rpc.getSlot().send(), existing(manager, addresses)]);
  const reserves = await client.loadVaultsReserves(vaults.map(({ state }) => state));
  const markets = await client.loadKaminoMarketsForVaultReserves(reserves);
  const facts = new Map<string, string>();
  for (const { address, state } of vaults) {
    const [holdings, apy] = await Promise.all([
      client.getVaultHoldings(state, slot, reserves, slot),
      client.getVaultActualAPY(state, slot, reserves),
    ]);
    facts.set(vaultFact(address, 'name'), manager.getDecodedVaultName(state));
    facts.set(
      vaultFact(address, 'tokens'),
      holdings.totalAUMIncludingFees.sub(holdings.pendingFees).toString(),
    );
    facts.set(vaultFact(address, 'base apy'), apy.netAPY.toString());
    for (const [reserve, amount] of holdings.investedInReserves)
      facts.set(allocationFact(address, reserve), amount.toString());
  }
  for (const [address, reserve] of reserves) {
    facts.set(reserveFact(address, 'supply apy'), String(reserve.totalSupplyAPY(slot)));
    facts.set(reserveFact(address, 'utilization'), String(reserve.calculateUtilizationRatio()));
    facts.set(reserveFact(address, 'price'), reserve.getOracleMarketPrice().toString());
    const market = markets.get(reserve.state.lendingMarket);
    if (market !== undefined) facts.set(reserveFact(address, 'market'), market.getName());
  }
  return [...facts];
}

export interface SdkPlatformOrder extends SdkNestedOrder {
  readonly markets: readonly string[];
}

interface Platform {
  readonly rpc: SdkRpc;
  readonly manager: SdkManager;
  readonly vaults: readonly SdkVault[];
  readonly markets: readonly SdkMarket[];
}

async function platform({ url, vaults, markets }: SdkPlatformOrder): Promise<Platform> {
  const rpc = createSolanaRpc(url);
  const manager = new sdk.KaminoManager(rpc, SLOT_MS);
  const [held, loaded] = await Promise.all([
    existing(manager, vaults),
    sdk.KaminoMarket.loadMultiple(rpc, markets, SLOT_MS),
  ]);
  return { rpc, manager, vaults: held, markets: [...loaded.values()] };
}

let cached: Promise<Platform> | undefined;

async function load(order: SdkPlatformOrder): Promise<void> {
  cached = platform(order);
  await cached;
}

export interface SdkWalletOrder {
  readonly wallet: string;
  /** If set, vaults and markets are read again first; null uses the ones that `load` cached. */
  readonly again: SdkPlatformOrder | null;
}

/** Shares in all vaults and loans in all markets, read concurrently. */
async function wallet({ wallet: owner, again }: SdkWalletOrder): Promise<RawFacts> {
  const { rpc, manager, vaults, markets } =
    (await (again === null ? cached : platform(again))) ?? noPlatform();
  const loans = async () => {
    const slot = await rpc.getSlot().send();
    const found = await Promise.all(
      markets.map(async (market) =>
        (await market.getAllUserObligations(owner, slot)).map((loan) => ({ market, loan })),
      ),
    );
    return found.flat();
  };
  const [shares, all] = await Promise.all([manager.getUserSharesBalanceAllVaults(owner, vaults), loans()]);
  const facts = new Map<string, string>();
  for (const [vault, { totalShares }] of shares) facts.set(sharesFact(vault), totalShares.toString());
  for (const { market, loan } of all) {
    for (const side of ['deposit', 'borrow'] as const) {
      for (const [reserve, { amount }] of side === 'deposit' ? loan.deposits : loan.borrows) {
        const factor = market.getReserveByAddress(reserve)?.getMintFactor() ?? Number.NaN;
        facts.set(positionFact(loan.obligationAddress, side, reserve), String(Number(amount.div(factor))));
      }
    }
  }
  return [...facts];
}

function noPlatform(): never {
  throw new Error('no platform is loaded: call load first');
}

serveParent(null, { nested, load, wallet });

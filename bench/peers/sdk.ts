import { sdkPackage } from './contender-package.ts';

/** The part of the official SDK that the bench calls. */
export interface SdkDecimal {
  div(other: number): SdkDecimal;
  sub(other: SdkDecimal): SdkDecimal;
  toString(): string;
}
export interface SdkReserve {
  readonly address: string;
  readonly state: { readonly lendingMarket: string };
  getMintFactor(): number;
  getOracleMarketPrice(): SdkDecimal;
  totalSupplyAPY(slot: bigint): number;
  calculateUtilizationRatio(): number;
}
export interface SdkPosition {
  /** Base units. */
  readonly amount: SdkDecimal;
  readonly reserveAddress: string;
}
export interface SdkObligation {
  readonly obligationAddress: string;
  readonly deposits: ReadonlyMap<string, SdkPosition>;
  readonly borrows: ReadonlyMap<string, SdkPosition>;
}
export interface SdkMarket {
  getName(): string;
  getReserveByAddress(reserve: string): SdkReserve | undefined;
  getAllUserObligations(user: string, slot: bigint): Promise<SdkObligation[]>;
}
export interface SdkVault {
  readonly address: string;
  readonly state: object;
}
export type SdkReserves = ReadonlyMap<string, SdkReserve>;

interface VaultClient {
  loadVaultsReserves(states: readonly object[]): Promise<SdkReserves>;
  loadKaminoMarketsForVaultReserves(reserves: SdkReserves): Promise<ReadonlyMap<string, SdkMarket>>;
  getVaultHoldings(
    state: object,
    slot: bigint,
    reserves: SdkReserves,
    currentSlot: bigint,
  ): Promise<{
    readonly investedInReserves: ReadonlyMap<string, SdkDecimal>;
    readonly totalAUMIncludingFees: SdkDecimal;
    readonly pendingFees: SdkDecimal;
  }>;
  getVaultActualAPY(
    state: object,
    slot: bigint,
    reserves: SdkReserves,
  ): Promise<{ readonly netAPY: SdkDecimal }>;
}
export interface SdkManager {
  getVaults(addresses: readonly string[]): Promise<readonly (SdkVault | null)[]>;
  getDecodedVaultName(state: object): string;
  getKaminoVaultClient(): VaultClient;
  getUserSharesBalanceAllVaults(
    user: string,
    vaults: readonly SdkVault[],
  ): Promise<ReadonlyMap<string, { readonly totalShares: SdkDecimal }>>;
}
export interface SdkRpc {
  getSlot(): { send(): Promise<bigint> };
}
interface Sdk {
  readonly KaminoManager: new (rpc: SdkRpc, slotMs: number) => SdkManager;
  readonly KaminoMarket: {
    loadMultiple(
      rpc: SdkRpc,
      markets: readonly string[],
      slotMs: number,
    ): Promise<ReadonlyMap<string, SdkMarket>>;
  };
}

/** The SDK downloads a list of known tokens and caches it for long. Here it gets an empty list at once. */
function withoutTokenList(): void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) =>
    String(input).endsWith('/resources.json')
      ? Promise.resolve(Response.json({ 'mainnet-beta': {} }))
      : fetch(input, init);
}

export interface LoadedSdk {
  readonly sdk: Sdk;
  readonly createSolanaRpc: (url: string) => SdkRpc;
}

export function importSdk(): LoadedSdk {
  const sdk = sdkPackage<Sdk>('@kamino-finance/klend-sdk');
  const { createSolanaRpc } = sdkPackage<Pick<LoadedSdk, 'createSolanaRpc'>>('@solana/kit');
  withoutTokenList();
  return { sdk, createSolanaRpc };
}

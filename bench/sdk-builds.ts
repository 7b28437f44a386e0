import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The part of the official SDK that the bench calls. */
interface SdkMarket {
  loadReserves(): Promise<void>;
}
interface SdkRpc {
  getSlot(): { send(): Promise<bigint> };
}
interface SdkActionProps {
  readonly kaminoMarket: SdkMarket;
  readonly amount: string;
  readonly reserveAddress: string;
  readonly owner: unknown;
  readonly obligation: unknown;
  readonly useV2Ixs: boolean;
  readonly scopeRefreshConfig: undefined;
  readonly extraComputeBudget: number;
  readonly includeAtaIxs: boolean;
  readonly currentSlot: bigint;
}
type BuildAction = (props: SdkActionProps) => Promise<unknown>;
interface SdkVault {
  getState(): Promise<unknown>;
  depositIxs(
    user: unknown,
    amount: unknown,
    reserves: unknown,
    farm: unknown,
    otherFarm: null,
  ): Promise<{ depositIxs: readonly unknown[]; stakeInFarmIfNeededIxs: readonly unknown[] }>;
  readonly client: {
    loadVaultReserves(state: unknown): Promise<unknown>;
    loadVaultFarmState(state: unknown): Promise<unknown>;
  };
}
interface Sdk {
  readonly KaminoMarket: {
    load(rpc: SdkRpc, market: string, slotMs: number): Promise<SdkMarket | null>;
  };
  readonly KaminoAction: {
    readonly buildDepositTxns: BuildAction;
    readonly buildBorrowTxns: BuildAction;
    actionToIxs(action: unknown): readonly unknown[];
  };
  readonly KaminoVault: new (rpc: SdkRpc, vault: string) => SdkVault;
  readonly VanillaObligation: new (program: string) => unknown;
  readonly PROGRAM_ID: string;
}
interface Kit {
  createSolanaRpc(url: string): SdkRpc;
  createNoopSigner(address: string): unknown;
}

/** Builds one action. Resolves to its number of instructions. */
export type SdkBuild = () => Promise<number>;

export interface SdkBuilds {
  /** With the reserves cached when the market was loaded. */
  readonly cached: { readonly deposit: SdkBuild; readonly borrow: SdkBuild };
  /** Reads the reserves again first, so that they are as fresh as in our builds. */
  readonly fresh: { readonly deposit: SdkBuild; readonly borrow: SdkBuild };
  readonly vaultDeposit: SdkBuild;
}

export interface SdkTask {
  readonly url: string;
  readonly addresses: Readonly<Record<string, string>>;
  /** Base units. */
  readonly depositAmount: string;
  readonly borrowAmount: string;
  /** Whole tokens. */
  readonly vaultAmount: string;
}

/** The SDK downloads a list of known tokens and caches it for long. Here it gets an empty list at once. */
function withoutTokenList(): void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) =>
    String(input).endsWith('/resources.json')
      ? Promise.resolve(Response.json({ 'mainnet-beta': {} }))
      : fetch(input, init);
}

/** Loads the package entry point: its internal modules depend on load order. */
function installed() {
  const require = createRequire(join(process.cwd(), 'test/oracle/package.json'));
  try {
    return {
      sdk: require('@kamino-finance/klend-sdk') as Sdk,
      kit: require('@solana/kit') as Kit,
      Decimal: require('decimal.js') as new (text: string) => unknown,
    };
  } catch (cause) {
    throw new Error('the official SDK is not installed: npm --prefix test/oracle ci', { cause });
  }
}

const SLOT_MS = 400;

/** Loads the market and prepares builds as the SDK's documentation shows. Throws when the SDK is not installed. */
export async function startSdk(task: SdkTask): Promise<SdkBuilds> {
  const { sdk, kit, Decimal } = installed();
  withoutTokenList();

  const { wallet = '', market: marketAddress = '', vault: vaultAddress = '' } = task.addresses;
  const rpc = kit.createSolanaRpc(task.url);
  const owner = kit.createNoopSigner(wallet);
  const market = await sdk.KaminoMarket.load(rpc, marketAddress, SLOT_MS);
  if (market === null) throw new Error(`the SDK does not find the market ${marketAddress}`);

  const lending =
    (build: BuildAction, reserveAddress = '', amount: string, fresh: boolean) =>
    async () => {
      if (fresh) await market.loadReserves();
      const built = await build({
        kaminoMarket: market,
        amount,
        reserveAddress,
        owner,
        obligation: new sdk.VanillaObligation(sdk.PROGRAM_ID),
        useV2Ixs: true,
        scopeRefreshConfig: undefined,
        extraComputeBudget: 0,
        includeAtaIxs: true,
        currentSlot: await rpc.getSlot().send(),
      });
      return sdk.KaminoAction.actionToIxs(built).length;
    };
  const { KaminoAction } = sdk;
  const both = (fresh: boolean) => ({
    deposit: lending(
      (props) => KaminoAction.buildDepositTxns(props),
      task.addresses.depositReserve,
      task.depositAmount,
      fresh,
    ),
    borrow: lending(
      (props) => KaminoAction.buildBorrowTxns(props),
      task.addresses.borrowReserve,
      task.borrowAmount,
      fresh,
    ),
  });
  return {
    cached: both(false),
    fresh: both(true),
    async vaultDeposit() {
      const vault = new sdk.KaminoVault(rpc, vaultAddress);
      const state = await vault.getState();
      const [reserves, farm] = await Promise.all([
        vault.client.loadVaultReserves(state),
        vault.client.loadVaultFarmState(state),
      ]);
      const built = await vault.depositIxs(owner, new Decimal(task.vaultAmount), reserves, farm, null);
      return built.depositIxs.length + built.stakeInFarmIfNeededIxs.length;
    },
  };
}

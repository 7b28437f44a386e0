import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The little of the official SDK that is called here. */
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

/** One action: how many instructions were built. */
export type SdkBuild = () => Promise<number>;

export interface SdkBuilds {
  /** With the market's reserves as they were when it was loaded. */
  readonly kept: { readonly deposit: SdkBuild; readonly borrow: SdkBuild };
  /** With the reserves read again first, so that they are as fresh as in our builds. */
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

/** The SDK's list of known tokens is on a web server and kept for long; here it is there at once, and empty. */
function withoutTokenList(): void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) =>
    String(input).endsWith('/resources.json')
      ? Promise.resolve(Response.json({ 'mainnet-beta': {} }))
      : fetch(input, init);
}

/** Through its front door: its files, required one by one, depend on the order. */
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

/** Builds as the SDK's own documentation makes them, with the market loaded. Throws when the SDK is not installed. */
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
    kept: both(false),
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

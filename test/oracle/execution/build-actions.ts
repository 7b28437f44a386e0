import { createInterface } from 'node:readline';
import { FarmState } from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/FarmState.js';
// The SDK's modules import each other in circles: loaded one by one, some read accounts with the wrong class.
import sdk from '@kamino-finance/klend-sdk';
import { type Address, createNoopSigner, createSolanaRpc } from '@solana/kit';
import sdkDecimal from 'decimal.js/decimal.js';
import { bn } from '../fill.ts';
import type { AnyInstruction } from '../instructions/template.ts';
import { NOMINAL_SLOT_MS } from '../maths/lending-world.ts';
import { instructionsJson } from '../sequences/sdk-instructions.ts';

const {
  KaminoAction,
  KaminoMarket,
  KaminoVault,
  KaminoVaultClient,
  PROGRAM_ID: KLEND,
  VanillaObligation,
} = sdk;
const { Decimal } = sdkDecimal;

/** An action to build over the accounts of a cluster. */
interface Request {
  readonly action: 'deposit' | 'borrow' | 'repay' | 'withdraw' | 'vaultDeposit' | 'vaultWithdraw';
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly vault: Address;
  /** Base units of tokens, of shares for a vault withdrawal. */
  readonly amount: string;
}

const rpc = createSolanaRpc(process.argv[2] ?? 'http://127.0.0.1:8899');

async function lending(action: 'deposit' | 'borrow' | 'repay' | 'withdraw', request: Request) {
  const kaminoMarket = await KaminoMarket.load(rpc, request.market, NOMINAL_SLOT_MS, KLEND);
  if (kaminoMarket === null) throw new Error(`there is no market ${request.market}`);
  const props = {
    kaminoMarket,
    amount: bn(BigInt(request.amount)),
    reserveAddress: request.reserve,
    owner: createNoopSigner(request.wallet),
    obligation: new VanillaObligation(KLEND),
    useV2Ixs: true,
    scopeRefreshConfig: undefined,
    extraComputeBudget: 1_000_000,
    includeAtaIxs: true,
    initUserMetadata: { skipInitialization: false, skipLutCreation: true },
    currentSlot: await rpc.getSlot().send(),
  };
  const built = await {
    deposit: () => KaminoAction.buildDepositTxns(props),
    borrow: () => KaminoAction.buildBorrowTxns(props),
    repay: () => KaminoAction.buildRepayTxns(props),
    withdraw: () => KaminoAction.buildWithdrawTxns(props),
  }[action]();
  return KaminoAction.actionToIxs(built);
}

async function vaults(action: 'deposit' | 'withdraw', request: Request): Promise<AnyInstruction[]> {
  const client = new KaminoVaultClient(rpc, NOMINAL_SLOT_MS);
  const vault = new KaminoVault(rpc, request.vault);
  const state = await vault.getState();
  const reserves = await client.loadVaultReserves(state);
  const farm = await FarmState.fetch(rpc, state.vaultFarm);
  const decimals = action === 'deposit' ? state.tokenMintDecimals : state.sharesMintDecimals;
  const amount = new Decimal(request.amount).div(new Decimal(10).pow(decimals.toNumber()));
  const user = createNoopSigner(request.wallet);
  if (action === 'deposit') {
    const built = await client.depositIxs(user, vault, amount, reserves, farm, null);
    return [...built.depositIxs, ...built.stakeInFarmIfNeededIxs];
  }
  const slot = await rpc.getSlot().send();
  const built = await client.withdrawIxs(user, vault, amount, slot, reserves, farm, null);
  return [...built.unstakeFromFarmIfNeededIxs, ...built.withdrawIxs, ...built.postWithdrawIxs];
}

async function build(request: Request): Promise<readonly AnyInstruction[]> {
  const { action } = request;
  if (action === 'vaultDeposit') return await vaults('deposit', request);
  if (action === 'vaultWithdraw') return await vaults('withdraw', request);
  return await lending(action, request);
}

/** One request per line, one answer per line: the SDK takes seconds to load, so one process builds everything. */
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await build(JSON.parse(line) as Request).then(
    (instructions) => ({ instructions: instructionsJson(instructions) }),
    (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

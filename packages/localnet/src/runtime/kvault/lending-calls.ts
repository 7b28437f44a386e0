import {
  depositReserveLiquidity,
  redeemReserveCollateral,
} from '@sluice/protocol/klend/reserve-instructions';
import { refreshReservesBatch } from '@sluice/protocol/klend/setup-instructions';
import type { AccountsOf, EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { ReserveState } from '../klend/reserve-state.ts';
import type { Invocation } from '../program.ts';
import type { VaultBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

const { klend } = MAINNET_PROGRAMS;
/** The program pads the data of its calls to the lending program with zeros. */
const CALL_DATA_BYTES = 40;

/** Refreshes the reserves of all allocations, without their prices. Returns the reserves among the remaining accounts. */
export function refreshReserves(
  { invoke }: Invocation,
  { allocations }: VaultBooks,
  remaining: readonly InstructionAccount[],
): readonly InstructionAccount[] {
  const reserves = remaining.slice(0, allocations.length);
  if (allocations.length === 0) return reserves;
  const metas = reserves.flatMap((account): AccountMeta[] => [
    { address: account.address, role: AccountRole.WRITABLE },
    { address: ReserveState.load(account).data.lendingMarket, role: AccountRole.READONLY },
  ]);
  ensure(reserves.length === allocations.length, VAULT_CODES.missingReserveForBatchRefresh);
  invoke(refreshReservesBatch.encode(klend, {}, { skipPriceUpdates: true }, metas));
  return reserves;
}

/** Exchanges collateral tokens of the vault for liquidity. */
export function redeemCollateral(
  { invoke }: Invocation,
  authority: Address,
  accounts: Omit<AccountsOf<typeof redeemReserveCollateral.accounts>, 'owner'>,
  collateralAmount: bigint,
): void {
  const call = redeemReserveCollateral.encode(klend, { owner: authority, ...accounts }, { collateralAmount });
  invoke(padded(call), [authority]);
}

/** Exchanges liquidity of the vault for collateral tokens. */
export function depositLiquidity(
  { invoke }: Invocation,
  authority: Address,
  accounts: Omit<AccountsOf<typeof depositReserveLiquidity.accounts>, 'owner'>,
  liquidityAmount: bigint,
): void {
  const call = depositReserveLiquidity.encode(klend, { owner: authority, ...accounts }, { liquidityAmount });
  invoke(padded(call), [authority]);
}

function padded(call: EncodedInstruction): EncodedInstruction {
  const data = new Uint8Array(CALL_DATA_BYTES);
  data.set(call.data);
  return { ...call, data };
}

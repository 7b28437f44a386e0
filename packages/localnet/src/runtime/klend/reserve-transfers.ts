import { transfer, transferChecked } from '@sluice/protocol/token/instructions';
import { burn, mintTo } from '@sluice/protocol/token/supply-instructions';
import type { Address } from '@solana/kit';
import type { Invocation } from '../program.ts';

/** The token instructions that the program calls. `authority` must sign, or be the market authority. */

interface Movement {
  readonly tokenProgram: Address;
  readonly source: Address;
  readonly destination: Address;
  readonly owner: Address;
  readonly amount: bigint;
}

export function moveLiquidity(
  { invoke }: Invocation,
  { tokenProgram, source, destination, owner, amount }: Movement,
  mint: Address,
  decimals: number,
  signers: readonly Address[] = [],
): void {
  const accounts = { source, mint, destination, owner };
  invoke(transferChecked.encode(tokenProgram, accounts, { amount, decimals }), signers);
}

/** Collateral tokens of the withdraw queue move, unlike others, by the instruction that names the mint. */
export const moveQueuedCollateral = moveLiquidity;

export function moveCollateral(
  { invoke }: Invocation,
  { tokenProgram, source, destination, owner, amount }: Movement,
  signers: readonly Address[] = [],
): void {
  invoke(transfer.encode(tokenProgram, { source, destination, owner }, { amount }), signers);
}

/** An amount of collateral tokens that one account gains or loses. */
interface SupplyChange {
  readonly tokenProgram: Address;
  readonly mint: Address;
  readonly account: Address;
  readonly authority: Address;
  readonly amount: bigint;
}

export function mintCollateral(
  { invoke }: Invocation,
  { tokenProgram, mint, account, authority, amount }: SupplyChange,
): void {
  invoke(mintTo.encode(tokenProgram, { mint, account, authority }, { amount }), [authority]);
}

export function burnCollateral(
  { invoke }: Invocation,
  { tokenProgram, mint, account, authority, amount }: SupplyChange,
  signers: readonly Address[] = [],
): void {
  invoke(burn.encode(tokenProgram, { account, mint, authority }, { amount }), signers);
}

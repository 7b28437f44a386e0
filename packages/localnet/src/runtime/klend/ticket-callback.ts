import { vaultAuthority } from '@sluice/protocol/kvault/addresses';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { u8, u64 } from '@sluice/protocol/layout/codec';
import { instructionLayout } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { ANCHOR_ERRORS, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { LENDING } from './lending-errors.ts';
import type { TicketPayment } from './withdraw-queue.ts';

const { kvault } = MAINNET_PROGRAMS;

/** Kinds of program that hear of the payments of a ticket, by `progressCallbackType`. */
const CALLBACK = { none: 0, vault: 1 } as const;

/** An argument that is no kind of callback cannot be decoded. */
export function checkCallbackType(type: number): void {
  ensure(type <= CALLBACK.vault, ANCHOR_ERRORS.instructionDidNotDeserialize);
}

/** The program that hears of the payments; the default key for none. */
export const callbackProgram = (type: number): Address => (type === CALLBACK.vault ? kvault : NO_ADDRESS);

/** The accounts that the ticket stores for the callback. Only a vault itself can ask for the one of vaults. */
export function callbackAccounts(
  type: number,
  owner: InstructionAccount,
  vault: InstructionAccount | null,
): [Address, Address] {
  if (type === CALLBACK.none) return [NO_ADDRESS, NO_ADDRESS];
  const isVault =
    vault !== null &&
    vault.owner === kvault &&
    vaultState.discriminator.every((byte, i) => vault.data[i] === byte) &&
    owner.address === vaultAuthority(kvault, vault.address).address;
  ensure(isVault, LENDING.invalidWithdrawTicketProgressCallbackConfig);
  return [vault.address, NO_ADDRESS];
}

/** Not in the vault program that is deployed, which fails this call as that of an unknown instruction. */
const updateKlendQueueAccounting = instructionLayout(
  'updateKlendQueueAccounting',
  '2d546067abc42881',
  { event: u8, collateralAmount: u64, liquidityAmount: u64 },
  {
    withdrawTicket: 'signer',
    reserve: 'readonly',
    lendingMarket: 'readonly',
    ownerQueuedCollateralVault: 'readonly',
    userDestinationLiquidity: 'readonly',
    vaultState: 'writable',
  },
);

/** The only event so far: a payment. */
const LIQUIDITY_WITHDRAWN = 0;

interface PaidAccounts {
  readonly withdrawTicket: InstructionAccount;
  readonly reserve: InstructionAccount;
  readonly lendingMarket: InstructionAccount;
  readonly ownerQueuedCollateralVault: InstructionAccount;
  readonly userDestinationLiquidity: InstructionAccount;
  readonly progressCallbackProgram: InstructionAccount | null;
  readonly progressCallbackCustomAccount0: InstructionAccount | null;
}

/** Reports a payment to the program that the ticket names. */
export function reportPayment(
  { invoke }: Invocation,
  type: number,
  accounts: PaidAccounts,
  { burned, liquidity }: TicketPayment,
): void {
  if (type === CALLBACK.none) return;
  const {
    progressCallbackProgram: program,
    progressCallbackCustomAccount0: vault,
    withdrawTicket,
  } = accounts;
  if (program === null || vault === null) {
    throw customError(LENDING.withdrawTicketProgressCallbackAccountsMissing);
  }
  const called = updateKlendQueueAccounting.encode(
    program.address,
    {
      withdrawTicket: withdrawTicket.address,
      reserve: accounts.reserve.address,
      lendingMarket: accounts.lendingMarket.address,
      ownerQueuedCollateralVault: accounts.ownerQueuedCollateralVault.address,
      userDestinationLiquidity: accounts.userDestinationLiquidity.address,
      vaultState: vault.address,
    },
    { event: LIQUIDITY_WITHDRAWN, collateralAmount: burned, liquidityAmount: liquidity },
  );
  invoke(called, [withdrawTicket.address]);
}

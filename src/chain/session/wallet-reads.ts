import { userState } from '@sluice/protocol/farms/user-state';
import { borrowOrder, obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { bytesOf } from '@sluice/rpc-pool';
import type {
  Address,
  Commitment,
  GetLatestBlockhashApi,
  GetProgramAccountsApi,
  GetRecentPrioritizationFeesApi,
  GetTokenAccountsByOwnerApi,
  Rpc,
  SimulateTransactionApi,
} from '@solana/kit';
import type { ChainAccount } from '../accounts/account-page.ts';
import { memcmp } from '../accounts/memcmp.ts';
import { type MinSlotOptions, minContextSlotConfig, readAtMinSlot } from '../accounts/min-slot.ts';
import { BORROW_ORDER_PLACES } from './resident-obligations.ts';

export type WalletRpc = Rpc<
  GetProgramAccountsApi &
    GetTokenAccountsByOwnerApi &
    GetLatestBlockhashApi &
    GetRecentPrioritizationFeesApi &
    SimulateTransactionApi
>;

/** Accounts found by a scan, and its slot. */
export interface AccountScan {
  readonly accounts: readonly ChainAccount[];
  readonly slot: bigint;
}

export interface ScanOptions extends MinSlotOptions {
  readonly commitment: Commitment;
}

const slotOf = ({ context }: { readonly context: { readonly slot: bigint } }) => context.slot;

/** All token accounts of a wallet, of both token programs. */
export async function readTokenAccounts(
  rpc: WalletRpc,
  owner: Address,
  options: ScanOptions,
): Promise<AccountScan[]> {
  return await Promise.all(
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(async (programId) => {
      const config = {
        encoding: 'base64',
        commitment: options.commitment,
        ...minContextSlotConfig(options.minSlot),
      } as const;
      const answer = await readAtMinSlot(options, slotOf, () =>
        rpc.getTokenAccountsByOwner(owner, { programId }, config).send({ abortSignal: options.signal }),
      );
      return scanOf(answer.context.slot, answer.value);
    }),
  );
}

/** All obligations of a wallet, in one market or in all. */
export async function readObligations(
  rpc: WalletRpc,
  program: Address,
  owner: Address,
  market: Address | null,
  options: ScanOptions,
): Promise<AccountScan> {
  return await scanProgram(rpc, program, options, [
    memcmp(0, obligation.discriminator),
    memcmp(obligation.offsetOf('owner'), addressBytes(owner)),
    ...(market === null ? [] : [memcmp(obligation.offsetOf('lendingMarket'), addressBytes(market))]),
  ]);
}

/** Obligations of a market with a borrow order, one scan per place of an order: for one token, or for any. */
export async function readBorrowOrders(
  rpc: WalletRpc,
  program: Address,
  market: Address,
  mint: Address | null,
  options: ScanOptions,
): Promise<AccountScan[]> {
  const { debtLiquidityMint, active } = borrowOrder.offsets;
  const isOpen = (place: number) =>
    mint === null
      ? memcmp(place + active, Uint8Array.of(1))
      : memcmp(place + debtLiquidityMint, addressBytes(mint));
  return await Promise.all(
    BORROW_ORDER_PLACES.map((place) =>
      scanProgram(rpc, program, options, [
        memcmp(0, obligation.discriminator),
        memcmp(obligation.offsetOf('lendingMarket'), addressBytes(market)),
        isOpen(place),
      ]),
    ),
  );
}

/** All tickets of a wallet in the withdraw queues of reserves. */
export async function readWithdrawTickets(
  rpc: WalletRpc,
  program: Address,
  owner: Address,
  options: ScanOptions,
): Promise<AccountScan> {
  return await scanProgram(rpc, program, options, [
    memcmp(0, withdrawTicket.discriminator),
    memcmp(withdrawTicket.offsetOf('owner'), addressBytes(owner)),
  ]);
}

/** All accounts of a referrer for the fees of reserves. */
export async function readReferrerStates(
  rpc: WalletRpc,
  program: Address,
  referrer: Address,
  options: ScanOptions,
): Promise<AccountScan> {
  return await scanProgram(rpc, program, options, [
    memcmp(0, referrerTokenState.discriminator),
    memcmp(referrerTokenState.offsetOf('referrer'), addressBytes(referrer)),
  ]);
}

/** All tickets of a reserve, those whose turn is over included. */
export async function readTicketsOfReserve(
  rpc: WalletRpc,
  program: Address,
  reserve: Address,
  options: ScanOptions,
): Promise<AccountScan> {
  return await scanProgram(rpc, program, options, [
    memcmp(0, withdrawTicket.discriminator),
    memcmp(withdrawTicket.offsetOf('reserve'), addressBytes(reserve)),
  ]);
}

/** All stakes of a wallet and of its obligations, in every farm. */
export async function readStakes(
  rpc: WalletRpc,
  program: Address,
  owner: Address,
  options: ScanOptions,
): Promise<AccountScan> {
  return await scanProgram(rpc, program, options, [
    memcmp(0, userState.discriminator),
    memcmp(userState.offsetOf('owner'), addressBytes(owner)),
  ]);
}

async function scanProgram(
  rpc: WalletRpc,
  program: Address,
  options: ScanOptions,
  filters: readonly ReturnType<typeof memcmp>[],
): Promise<AccountScan> {
  const config = {
    encoding: 'base64',
    commitment: options.commitment,
    ...minContextSlotConfig(options.minSlot),
    withContext: true,
    filters,
  } as const;
  const answer = await readAtMinSlot(options, slotOf, () =>
    rpc.getProgramAccounts(program, config).send({ abortSignal: options.signal }),
  );
  return scanOf(answer.context.slot, answer.value);
}

function scanOf(
  slot: bigint,
  found: readonly {
    readonly pubkey: Address;
    readonly account: {
      readonly owner: Address;
      readonly lamports: bigint;
      readonly data: readonly [string, string];
    };
  }[],
): AccountScan {
  const accounts = found.map(({ pubkey, account }) => ({
    address: pubkey,
    owner: account.owner,
    lamports: account.lamports,
    data: bytesOf(account.data),
    slot,
  }));
  return { accounts, slot };
}

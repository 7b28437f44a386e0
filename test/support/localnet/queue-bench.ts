import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { redeemReserveCollateral } from '@sluice/protocol/klend/reserve-instructions';
import { refreshReservesBatch } from '@sluice/protocol/klend/setup-instructions';
import { type WithdrawTicket, withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { StructInput } from '@sluice/protocol/layout/struct';
import {
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { closeAccount } from '@sluice/protocol/token/instructions';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  type TokenAccount,
} from '@sluice/protocol/token/token-account';
import { AccountRole, type Address } from '@solana/kit';
import {
  addressNumber,
  type LendingSetting,
  lendingRequest,
  MARKET,
  type ReserveSetting,
  reserveAddress,
  WALLET,
} from '../builders/lending-accounts.ts';
import type { MarketInput } from '../domain/domain-accounts.ts';
import { DepositBench } from './deposit-bench.ts';
import {
  cancelCall,
  collateralAccount,
  enqueueCall,
  liquidityAccount,
  payCall,
  type QueueReserve,
  queuedVault,
  type Replaced,
  recoverCall,
  ticketAt,
} from './queue-calls.ts';

const { klend } = MAINNET_PROGRAMS;
const NO_DATA = new Uint8Array(0);

export const RESERVE = reserveAddress(0);
export const OWNERS = [WALLET, addressNumber(810), addressNumber(811)] as const;
/** Pays tickets of others. It has no tokens. */
export const PAYER = addressNumber(820);
/** Lamports of each wallet at the start. */
export const LAMPORTS = 10n ** 10n;
/** Collateral tokens of each owner at the start, base units. */
export const COLLATERAL = 10_000_000_000n;

/** 1.25 * 10^12 base units for 10^12 collateral tokens: one token is worth 1.25, or 1.25 USD. */
export const DEAR: ReserveSetting = {
  available: 500_000_000_000n,
  borrowed: 750_000_000_000n,
  collateral: 1_000_000_000_000n,
};

const OPEN_QUEUE: MarketInput = {
  withdrawTicketIssuanceEnabled: 1,
  withdrawTicketRedemptionEnabled: 1,
  withdrawTicketCancellationEnabled: 1,
  minWithdrawQueuedLiquidityValue: 1n,
};

/** A market whose withdraw queue is on, one reserve, and three wallets with collateral tokens and open accounts. */
export class QueueBench extends DepositBench {
  /** @param more positions of the first wallet, and further reserves for them */
  constructor(setting: ReserveSetting = DEAR, market: MarketInput = {}, more: LendingSetting = {}) {
    const reserves = [setting, ...(more.reserves ?? [])];
    super(
      { ...more, reserves, balances: [0n], market: { ...OPEN_QUEUE, ...market } },
      lendingRequest('deposit', { reserve: RESERVE }),
    );
    for (const wallet of [...OWNERS, PAYER]) {
      this.set(wallet, { owner: SYSTEM_PROGRAM, lamports: LAMPORTS, data: NO_DATA, executable: false });
    }
    for (const owner of OWNERS) {
      this.setBalance(this.liquidityOf(owner), this.queued.data.liquidity.mintPubkey, owner, 0n);
      this.giveCollateral(owner, COLLATERAL);
    }
  }

  get queued(): QueueReserve {
    return { address: RESERVE, data: this.reserve(0) };
  }

  get queue() {
    const { queuedCollateralAmount, nextIssuedTicketSequenceNumber, nextWithdrawableTicketSequenceNumber } =
      this.reserve(0).withdrawQueue;
    return {
      collateral: queuedCollateralAmount,
      nextIssued: nextIssuedTicketSequenceNumber,
      nextPaid: nextWithdrawableTicketSequenceNumber,
    };
  }

  collateralOf = (owner: Address): Address => collateralAccount(this.queued, owner);
  liquidityOf = (owner: Address): Address => liquidityAccount(this.queued, owner);
  vaultOf = (owner: Address): Address => queuedVault(this.queued, owner);

  /** Base units in a token account; 0 when it does not exist. */
  held(address: Address): bigint {
    const account = this.get(address);
    return account === undefined || account.lamports === 0n ? 0n : decodeTokenAccount(account).amount;
  }

  lamports(address: Address): bigint {
    return this.get(address)?.lamports ?? 0n;
  }

  /** Null once it is closed. */
  ticket(number: bigint): WithdrawTicket | null {
    const account = this.get(ticketAt(this.queued, number));
    return account === undefined || account.lamports === 0n ? null : withdrawTicket.decode(account, klend);
  }

  /** Moves collateral tokens of positions to a wallet. */
  giveCollateral(owner: Address, amount: bigint): void {
    const { mintPubkey, supplyVault } = this.reserve(0).collateral;
    this.changeToken(supplyVault, { amount: this.held(supplyVault) - amount });
    const account = this.collateralOf(owner);
    this.setBalance(account, mintPubkey, owner, this.held(account) + amount);
  }

  /** Lends liquidity to somebody; a negative amount is a repayment. */
  lend(amount: bigint): void {
    const { supplyVault, totalAvailableAmount, borrowedAmountSf } = this.reserve(0).liquidity;
    this.changeToken(supplyVault, { amount: this.held(supplyVault) - amount });
    this.changeReserve({
      liquidity: {
        totalAvailableAmount: totalAvailableAmount - amount,
        borrowedAmountSf: borrowedAmountSf + (amount << 60n),
      },
    });
  }

  changeToken(address: Address, fields: Partial<TokenAccount>): void {
    const account = this.account(address);
    const data = encodeTokenAccount({ ...decodeTokenAccount(account), ...fields });
    this.set(address, { ...account, data });
  }

  changeReserve(fields: StructInput<typeof reserveLayout.body.fields>): void {
    this.change(reserveLayout, RESERVE, fields);
  }

  changeMarket(fields: StructInput<typeof lendingMarket.body.fields>): void {
    this.change(lendingMarket, MARKET, fields);
  }

  changeTicket(number: bigint, fields: StructInput<typeof withdrawTicket.body.fields>): void {
    this.change(withdrawTicket, ticketAt(this.queued, number), fields);
  }

  wait(slots: bigint): void {
    const { slot, unixTimestamp } = this.clock;
    this.clock = { slot: slot + slots, unixTimestamp: unixTimestamp + (slots * 2n) / 5n };
  }

  /** Brings interest and rewards up to date, without prices. */
  refresh(): void {
    const metas = [
      { address: RESERVE, role: AccountRole.WRITABLE },
      { address: MARKET, role: AccountRole.READONLY },
    ];
    this.succeed([refreshReservesBatch.encode(klend, {}, { skipPriceUpdates: true }, metas)]);
  }

  /** Closes the owner's empty account, as the wallet could. */
  closeToken(address: Address, owner: Address): void {
    const accounts = { account: address, destination: owner, owner };
    this.succeed([closeAccount.encode(this.account(address).owner, accounts, {})]);
  }

  enqueueing = (owner: Address, amount: bigint, replaced: Replaced = {}, type = 0): EncodedInstruction =>
    enqueueCall(this.queued, owner, amount, replaced, type);

  cancelling = (owner: Address, number: bigint, amount: bigint, replaced: Replaced = {}) =>
    cancelCall(this.queued, owner, number, amount, replaced);

  paying(number: bigint, replaced: Replaced = {}, payer: Address = PAYER): EncodedInstruction {
    return payCall(this.queued, payer, this.#openTicket(number), replaced);
  }

  recovering(number: bigint, payer: Address, replaced: Replaced = {}): EncodedInstruction {
    return recoverCall(this.queued, payer, this.#openTicket(number), replaced);
  }

  /** The redemption besides the queue, which liquidity of the queue does not pay for. */
  redeeming(owner: Address, collateralAmount: bigint): EncodedInstruction {
    const { liquidity, collateral } = this.reserve(0);
    return redeemReserveCollateral.encode(
      klend,
      {
        owner,
        lendingMarket: MARKET,
        reserve: RESERVE,
        lendingMarketAuthority: marketAuthority(klend, MARKET).address,
        reserveLiquidityMint: liquidity.mintPubkey,
        reserveCollateralMint: collateral.mintPubkey,
        reserveLiquiditySupply: liquidity.supplyVault,
        userSourceCollateral: this.collateralOf(owner),
        userDestinationLiquidity: this.liquidityOf(owner),
        collateralTokenProgram: TOKEN_PROGRAM,
        liquidityTokenProgram: liquidity.tokenProgram,
        instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      },
      { collateralAmount },
    );
  }

  /** Queues collateral tokens of a wallet. Returns the number of the ticket. */
  enqueue(owner: Address, amount: bigint, replaced: Replaced = {}): bigint {
    const { nextIssued } = this.queue;
    this.succeed([this.enqueueing(owner, amount, replaced)]);
    return nextIssued;
  }

  /** Runs the instructions, which must succeed. Returns what the last one returned. */
  succeed(instructions: readonly EncodedInstruction[]): Uint8Array | null {
    const { failure, logs, returned } = this.run(instructions);
    if (failure !== null) throw new Error(logs.join('\n'));
    return returned;
  }

  #openTicket(number: bigint): WithdrawTicket {
    const ticket = this.ticket(number);
    if (ticket === null) throw new RangeError(`There is no ticket ${number}`);
    return ticket;
  }
}

import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { reserveWhitelistEntry } from '@sluice/protocol/kvault/addresses';
import { vaultInvest, vaultInvestWithMaxAmount } from '@sluice/protocol/kvault/allocation-instructions';
import { reserveWhitelistEntryAccount } from '@sluice/protocol/kvault/reserve-whitelist-entry';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { redemptionBlock, supplyBlock } from '../../domain/action-blocks.ts';
import type { Moment } from '../../domain/moment.ts';
import { depositRemaining, freelyAvailableUnits, remainingWithdrawalCap } from '../../domain/reserve.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import { BLOCK_MESSAGES } from '../lending/refusals.ts';
import { optionalAccount, type ReadAccounts } from '../read-accounts.ts';
import { createTokenAccount } from '../token-instructions.ts';
import { vaultReserveAccounts } from '../vault/accounts.ts';
import { refreshedReserves } from '../vault/exit.ts';
import { balanceWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { CuratorAccounts } from './accounts.ts';
import { notListed } from './allocation.ts';
import type { CuratorBuild } from './curator-action.ts';
import { type InvestEffect, investEffect } from './invest-effect.ts';
import { type AllocatedReserve, allocatedReserve } from './refusals.ts';

/** An investment, with what the programs say to it. */
export interface Investment {
  readonly place: AllocatedReserve;
  readonly effect: InvestEffect;
  /** Null when the vault program lists no such reserve. */
  readonly whitelistEntry: Address | null;
  /** What the lending program refuses; null when nothing, or when the vault program refuses already. */
  readonly limit: InvestLimit | null;
}

/** A limit of the lending program that an investment exceeds. */
export interface InvestLimit {
  readonly warning: BuildWarning;
  /** Base units that it lets through. */
  readonly most: bigint;
}

/** @throws BUILD_REFUSED when the vault does not use the reserve */
export function investmentIn(
  accounts: CuratorAccounts,
  read: ReadAccounts,
  address: Address,
  maxAmount: bigint | null,
  moment: Moment,
): Investment {
  const { kvault } = accounts.request.programs;
  const place = allocatedReserve(accounts, address);
  const entry = reserveWhitelistEntry(kvault, address).address;
  const listed = optionalAccount(read, entry, reserveWhitelistEntryAccount, kvault);
  const isListed = listed?.whitelistInvest === 1;
  const effect = investEffect(accounts, place, maxAmount ?? U64_MAX, isListed, moment);
  return {
    place,
    effect,
    whitelistEntry: listed === null ? null : entry,
    limit: effect.refusal === null ? investLimit(accounts, place, effect, moment) : null,
  };
}

/**
 * Moves tokens between the vault and one reserve, towards its target. Anyone may.
 *
 * @param maxAmount base units to move at most; null for no limit
 */
export function buildInvest(
  accounts: CuratorAccounts,
  read: ReadAccounts,
  address: Address,
  maxAmount: bigint | null,
  moment: Moment,
): CuratorBuild {
  const { request, payer, vault, token, tokenProgram, symbol } = accounts;
  const { wallet } = request;
  const investment = investmentIn(accounts, read, address, maxAmount, moment);
  const { effect } = investment;
  const opening = createTokenAccount({ wallet, payer }, token.address, vault.tokenMint, tokenProgram, symbol);
  return {
    action: {
      amount: effect.liquidity,
      all: maxAmount === null,
      wrappedSol: null,
      instructions: [opening, investInstruction(accounts, investment, maxAmount)],
    },
    effect,
    notes: () => ({ warnings: investWarnings(accounts, investment, moment) }),
    alsoChanges: (changes) =>
      changes.openTokens(token.address, { owner: wallet, mint: vault.tokenMint, tokenProgram }),
  };
}

function investInstruction(
  accounts: CuratorAccounts,
  { place: { address, reserve, allocation }, effect, whitelistEntry }: Investment,
  maxAmount: bigint | null,
): BuiltInstruction {
  const { request, vault, token, tokenProgram, symbol } = accounts;
  const { klend, kvault } = request.programs;
  const named = {
    payer: request.wallet,
    payerTokenAccount: token.address,
    vaultState: request.vault,
    tokenVault: vault.tokenVault,
    tokenMint: vault.tokenMint,
    baseVaultAuthority: vault.baseVaultAuthority,
    ctokenVault: allocation.ctokenVault,
    reserve: address,
    lendingMarket: reserve.lendingMarket,
    lendingMarketAuthority: marketAuthority(klend, reserve.lendingMarket).address,
    reserveLiquiditySupply: reserve.liquidity.supplyVault,
    reserveCollateralMint: reserve.collateral.mintPubkey,
    reserveWhitelistEntry: whitelistEntry,
    klendProgram: klend,
    reserveCollateralTokenProgram: TOKEN_PROGRAM,
    tokenProgram,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  };
  const remaining = vaultReserveAccounts(accounts);
  const units = investUnits(accounts);
  const inTokens = (amount: bigint) => `${placePoint(amount, Number(vault.tokenMintDecimals))} ${symbol}`;
  const way =
    effect.direction === 'into reserve'
      ? `from the vault into reserve ${address}`
      : `from reserve ${address} into the vault`;
  const what = `Move about ${inTokens(effect.liquidity)} ${way}, towards its target`;
  if (maxAmount === null) {
    return { ...instruction(vaultInvest, kvault, named, {}, { summary: what, remaining }), units };
  }
  const summary = `${what}, at most ${inTokens(maxAmount)}`;
  const built = instruction(vaultInvestWithMaxAmount, kvault, named, { maxAmount }, { summary, remaining });
  return { ...built, units };
}

/** An investment refreshes all reserves of the vault, before and after. About a quarter more than the typical units. */
const investUnits = ({ reserves }: CuratorAccounts): number => 210_000 + 23_000 * reserves.size;

function investWarnings(
  accounts: CuratorAccounts,
  { place, effect, limit }: Investment,
  moment: Moment,
): BuildWarning[] {
  const { vault, token, symbol } = accounts;
  const decimals = Number(vault.tokenMintDecimals);
  const { refusal, dueSlot, roundingLoss } = effect;
  if (refusal === 'InvestTooSoon') {
    const message = `The vault waits ${vault.minInvestDelaySlots} slots between two investments in a reserve: until slot ${dueSlot}, ${dueSlot - moment.slot} slots from now.`;
    return [warning('INVEST_TOO_SOON', message)];
  }
  if (refusal === 'ReserveNotWhitelisted') return [notListed(place.address)];
  if (refusal === 'InvestAmountBelowMinimum') {
    const least = placePoint(vault.minInvestAmount, decimals);
    const message = `An investment must move more than ${least} ${symbol}, and this one would move ${placePoint(effect.liquidity, decimals)}. Change the target first, or wait.`;
    return [warning('NOTHING_TO_INVEST', message)];
  }
  return [
    ...(limit === null ? [] : [limit.warning]),
    ...balanceWarnings(token.account?.amount ?? 0n, roundingLoss, decimals, `${symbol} for rounding`),
  ];
}

/** What the lending program refuses. */
function investLimit(
  accounts: CuratorAccounts,
  { address, reserve }: AllocatedReserve,
  { direction, liquidity }: InvestEffect,
  moment: Moment,
): InvestLimit | null {
  const { vault, markets, symbol } = accounts;
  const market = markets.get(reserve.lendingMarket);
  const accrued = refreshedReserves(accounts, moment).get(address);
  if (market === undefined || accrued === undefined) throw new SluiceError('INTERNAL', {});
  const inTokens = (units: bigint) => `${placePoint(units, Number(vault.tokenMintDecimals))} ${symbol}`;
  const adds = direction === 'into reserve';
  const block = adds ? supplyBlock(market, reserve) : redemptionBlock(market, reserve, false);
  if (block !== null) return { warning: warning('ACTION_NOT_ALLOWED', BLOCK_MESSAGES[block]), most: 0n };
  if (adds) {
    const most = depositRemaining(accrued).floor();
    if (most >= liquidity) return null;
    const message = `The reserve accepts only ${inTokens(most)} more, and the target asks for ${inTokens(liquidity)}. Pass a smaller maxAmount, or lower the cap.`;
    return { warning: warning('DEPOSIT_LIMIT_EXCEEDED', message), most };
  }
  const free = freelyAvailableUnits(accrued);
  if (free < liquidity) {
    const message = `The reserve has only ${inTokens(free)} available, and the target asks for ${inTokens(liquidity)}. Pass a smaller maxAmount, or wait for repayments.`;
    return { warning: warning('LIQUIDITY_TOO_LOW', message), most: free };
  }
  const most = remainingWithdrawalCap(reserve.config.depositWithdrawalCap, moment.timestamp)?.floor();
  if (most === undefined || most >= liquidity) return null;
  const message = `Only ${inTokens(most)} can still be withdrawn from the reserve in this interval. Pass a smaller maxAmount, or wait.`;
  return { warning: warning('OUTFLOW_CAP_EXCEEDED', message), most };
}

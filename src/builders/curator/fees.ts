import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { giveUpPendingFees, withdrawPendingFees } from '@sluice/protocol/kvault/curator-instructions';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE, floorScaled, U64_MAX, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, ceilDivide, lesser } from '@sluice/protocol/numeric/integer';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { redemptionBlock } from '../../domain/action-blocks.ts';
import type { Moment } from '../../domain/moment.ts';
import { freelyAvailableUnits } from '../../domain/reserve.ts';
import { type CollateralRate, collateralValueSf } from '../../domain/vault-assets.ts';
import { vaultTargets } from '../../domain/vault-targets.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Amount } from '../amount.ts';
import { type ActionOptions, type BuiltInstruction, instruction } from '../built-instruction.ts';
import { changed } from '../changed-account.ts';
import { BLOCK_MESSAGES } from '../lending/refusals.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol } from '../token-instructions.ts';
import { vaultReserveAccounts } from '../vault/accounts.ts';
import { refreshedReserves } from '../vault/exit.ts';
import { wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { CuratorAccounts } from './accounts.ts';
import { type CuratorBuild, withoutAmount } from './curator-action.ts';
import { type CuratorEffect, movedReserve, openedVault } from './effect.ts';
import { type AllocatedReserve, allocatedReserve, checkAdmin, refused } from './refusals.ts';

/** A payment of fees, base units. */
interface FeePayment {
  /** Idle tokens for the admin. */
  readonly idle: bigint;
  /** Redeemed in the reserve. */
  readonly collateral: bigint;
  readonly liquidity: bigint;
  /** What the admin receives. */
  readonly received: bigint;
  readonly effect: CuratorEffect;
}

/**
 * Pays the fees of a vault to its admin: idle tokens first, then what one reserve redeems.
 *
 * @param named the reserve; by default the one that can pay most
 * @throws NOT_VAULT_ADMIN, and BUILD_REFUSED for a vault without reserves
 */
export function buildWithdrawFees(
  accounts: CuratorAccounts,
  named: Address | undefined,
  moment: Moment,
  { unwrapSol: unwrap }: ActionOptions = {},
): CuratorBuild {
  const { request, payer, vault, token, tokenProgram, symbol, isSol } = accounts;
  const { wallet } = request;
  checkAdmin(accounts);
  const place = allocatedReserve(accounts, named ?? reserveThatPays(accounts, moment));
  const payment = feePayment(accounts, place, moment);
  const closes = isSol && closesWrappedSol('in', token, unwrap);
  const action = {
    amount: payment.received,
    all: true,
    wrappedSol: isSol ? (closes ? ('closed' as const) : ('open' as const)) : null,
    instructions: [
      createTokenAccount({ wallet, payer }, token.address, vault.tokenMint, tokenProgram, symbol),
      feeInstruction(accounts, place),
      ...(closes ? [unwrapSol(wallet, token.address)] : []),
    ],
  };
  return {
    action,
    effect: payment.effect,
    notes: () => ({
      warnings: [
        ...feeWarnings(accounts, place, payment, moment),
        ...wrappedSolWarnings(token, action.wrappedSol, 'The fees are paid in wrapped SOL.'),
      ],
    }),
  };
}

function reserveThatPays(accounts: CuratorAccounts, moment: Moment): Address {
  const { reserves, refreshed, vault } = openedVault(accounts, moment);
  const { investedSf } = vaultTargets(vault, (address) => reserves.get(address));
  const accrued = refreshedReserves(accounts, moment);
  let best: { readonly address: Address; readonly units: bigint } | undefined;
  for (const address of refreshed.keys()) {
    const reserve = accrued.get(address);
    if (reserve === undefined) continue;
    const units = lesser(floorScaled(investedSf.get(address) ?? 0n), freelyAvailableUnits(reserve));
    if (best === undefined || units > best.units) best = { address, units };
  }
  if (best === undefined) throw refused('the vault uses no reserve, and the program pays fees through one');
  return best.address;
}

function feePayment(accounts: CuratorAccounts, { address }: AllocatedReserve, at: Moment): FeePayment {
  const { vault, reserves: rates, refreshed } = openedVault(accounts, at);
  const rate = rates.get(address);
  const account = refreshed.get(address);
  if (rate === undefined || account === undefined) throw new SluiceError('INTERNAL', {});
  const feesSf = vault.pendingFeesSf;
  const idleSf = lesser(wholeScaled(vault.tokenAvailable), feesSf);
  const idle = floorScaled(idleSf);
  const { investedSf } = vaultTargets(vault, (reserve) => rates.get(reserve));
  const owed = floorScaled(lesser(investedSf.get(address) ?? 0n, feesSf - idleSf));
  const collateral = collateralWorth(rate, owed);
  const liquidity = floorScaled(collateralValueSf(rate, collateral));
  const loss = isWhole(rate, collateral) ? 0n : 1n;
  const sent = atLeastZero(owed - loss);
  const after: VaultState = changed(vault, {
    tokenAvailable: vault.tokenAvailable - idle + liquidity - sent,
    pendingFeesSf: feesSf - wholeScaled(idle) - wholeScaled(owed),
    vaultAllocationStrategy: vault.vaultAllocationStrategy.map((slot) =>
      slot.reserve === address
        ? changed(slot, { ctokenAllocation: slot.ctokenAllocation - collateral })
        : slot,
    ),
  });
  const received = idle + sent;
  const reserves = new Map(refreshed).set(address, movedReserve(account, -liquidity, -collateral));
  return { idle, collateral, liquidity, received, effect: { vault: after, reserves, received } };
}

/** The fewest collateral tokens that are worth the liquidity. */
const collateralWorth = ({ supplySf, minted }: CollateralRate, units: bigint): bigint =>
  minted === 0n ? units : ceilDivide(wholeScaled(units) * minted, supplySf);

/** Whether collateral tokens are worth a whole number of base units, without any rounding. */
const isWhole = ({ supplySf, minted }: CollateralRate, collateral: bigint): boolean =>
  minted === 0n || (collateral * supplySf) % (minted * FRACTION_ONE) === 0n;

function feeInstruction(
  accounts: CuratorAccounts,
  { address, reserve, allocation }: AllocatedReserve,
): BuiltInstruction {
  const { request, vault, token, tokenProgram } = accounts;
  const { klend, kvault } = request.programs;
  return instruction(
    withdrawPendingFees,
    kvault,
    {
      vaultAdminAuthority: request.wallet,
      vaultState: request.vault,
      reserve: address,
      tokenVault: vault.tokenVault,
      ctokenVault: allocation.ctokenVault,
      baseVaultAuthority: vault.baseVaultAuthority,
      tokenAta: token.address,
      tokenMint: vault.tokenMint,
      lendingMarket: reserve.lendingMarket,
      lendingMarketAuthority: marketAuthority(klend, reserve.lendingMarket).address,
      reserveLiquiditySupply: reserve.liquidity.supplyVault,
      reserveCollateralMint: reserve.collateral.mintPubkey,
      klendProgram: klend,
      tokenProgram,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
    {},
    {
      summary: `Withdraw the fees of the vault, from idle tokens and reserve ${address}`,
      remaining: vaultReserveAccounts(accounts),
    },
  );
}

function feeWarnings(
  accounts: CuratorAccounts,
  { address, reserve }: AllocatedReserve,
  { received, collateral, liquidity, effect }: FeePayment,
  moment: Moment,
): BuildWarning[] {
  const { vault, markets, symbol } = accounts;
  const inTokens = (units: bigint) => `${placePoint(units, Number(vault.tokenMintDecimals))} ${symbol}`;
  if (received === 0n) {
    const message = 'The vault owes its admin less than one base unit now. Withdraw later.';
    return [warning('NO_FEES_TO_WITHDRAW', message)];
  }
  const left = floorScaled(effect.vault.pendingFeesSf);
  const more: BuildWarning[] = [];
  if (left > 0n) {
    const message = `The vault still owes ${inTokens(left)}: neither idle tokens nor reserve ${address} have more. Name another reserve in a second withdrawal.`;
    more.push(warning('PART_OF_FEES', message));
  }
  if (collateral === 0n) return more;
  const market = markets.get(reserve.lendingMarket);
  const accrued = refreshedReserves(accounts, moment).get(address);
  if (market === undefined || accrued === undefined) throw new SluiceError('INTERNAL', {});
  const block = redemptionBlock(market, reserve, false);
  if (block !== null) return [...more, warning('ACTION_NOT_ALLOWED', BLOCK_MESSAGES[block])];
  const free = freelyAvailableUnits(accrued);
  if (free >= liquidity) return more;
  const message = `Reserve ${address} has only ${inTokens(free)} available, and ${inTokens(liquidity)} are needed. Name another reserve, or wait for repayments.`;
  return [...more, warning('LIQUIDITY_TOO_LOW', message)];
}

/** Leaves fees to the shareholders. @param amount base units at most @throws NOT_VAULT_ADMIN */
export function buildGiveUpFees(accounts: CuratorAccounts, amount: Amount, moment: Moment): CuratorBuild {
  const { request, vault, symbol } = accounts;
  checkAdmin(accounts);
  const { vault: state, refreshed, reserves: rates } = openedVault(accounts, moment);
  const most = amount === 'all' ? U64_MAX : amount;
  const pendingFeesSf = state.pendingFeesSf - lesser(wholeScaled(most), state.pendingFeesSf);
  const { grossSf } = vaultTargets(state, (address) => rates.get(address));
  const after = changed(state, {
    pendingFeesSf,
    lastFeeChargeTimestamp: moment.timestamp,
    prevAumSf: atLeastZero(grossSf - pendingFeesSf),
  });
  const decimals = Number(vault.tokenMintDecimals);
  const words = amount === 'all' ? 'all fees' : `${placePoint(amount, decimals)} ${symbol} of the fees`;
  const built = instruction(
    giveUpPendingFees,
    request.programs.kvault,
    {
      vaultAdminAuthority: request.wallet,
      vaultState: request.vault,
      klendProgram: request.programs.klend,
    },
    { maxAmountToGiveUp: most },
    { summary: `Leave ${words} to the shareholders`, remaining: vaultReserveAccounts(accounts) },
  );
  const isMore = amount !== 'all' && wholeScaled(amount) > state.pendingFeesSf;
  const owed = placePoint(floorScaled(state.pendingFeesSf), decimals);
  const message = `The vault owes only ${owed} ${symbol} of fees; no more than that is given up.`;
  return {
    action: {
      ...withoutAmount([built]),
      amount: amount === 'all' ? floorScaled(state.pendingFeesSf) : amount,
      all: amount === 'all',
    },
    effect: { vault: after, reserves: refreshed, received: null },
    notes: () => ({ warnings: isMore ? [warning('ABOVE_POSITION', message)] : [] }),
  };
}

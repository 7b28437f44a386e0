import { farmUserState } from '@sluice/protocol/farms/addresses';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { presentAddress, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { StepContext } from '../action.ts';
import { type LendingAccounts, lendingAccounts } from '../lending/accounts.ts';
import { liquidityTokenProgram, reserveAt } from '../lending/request.ts';
import { checkDecimals, type ReadAccounts, type WalletToken, walletToken } from '../read-accounts.ts';
import { symbolsFrom } from '../token-symbol.ts';
import { type UsableTable, usableTables } from '../transaction/lookup-tables.ts';
import {
  type CollateralAction,
  type LendingPair,
  type LeverageRequest,
  type LoanRequest,
  lendingPart,
  leveragePair,
} from './request.ts';
import { checkSwapAccounts } from './swap-guard.ts';

/** One of the two reserves of an action around a flash loan, and the wallet's account for its token. */
export interface LoanSide {
  readonly address: Address;
  readonly reserve: Reserve;
  readonly mint: Address;
  readonly decimals: number;
  readonly tokenProgram: Address;
  readonly token: WalletToken;
  readonly isSol: boolean;
  /** The token's name from the reserve, for summaries. */
  readonly symbol: string;
}

/** `12.5 USDC`, for summaries and messages. @param units base units */
export const inTokens = ({ decimals, symbol }: LoanSide, units: bigint): string =>
  `${placePoint(units, decimals)} ${symbol}`;

/** All inputs of an action around a flash loan, before it. */
export interface LoanAccounts {
  readonly request: LoanRequest;
  readonly at: StepContext;
  /** Market, obligation, oracles and the reserves of the obligation. */
  readonly lending: LendingAccounts;
  /** In the order of the two lending actions. */
  readonly sides: readonly [LoanSide, LoanSide];
  readonly tables: readonly UsableTable[];
}

/** Those of an action on a deposit and a debt. */
export interface LeverageAccounts extends LoanAccounts {
  readonly request: LeverageRequest;
  readonly collateral: LoanSide;
  readonly debt: LoanSide;
}

/** Decodes the accounts of an action on a deposit and a debt, and rejects a swap that would interfere with them. */
export function leverageAccounts(
  request: LeverageRequest,
  action: CollateralAction,
  read: ReadAccounts,
  at: StepContext,
): LeverageAccounts {
  const accounts = loanAccounts(request, leveragePair(action), read, at);
  const [collateral, debt] = accounts.sides;
  return { ...accounts, request, collateral, debt };
}

/** Decodes the accounts, and rejects a swap that would interfere with them. */
export function loanAccounts(
  request: LoanRequest,
  [first, second]: LendingPair,
  read: ReadAccounts,
  at: StepContext,
): LoanAccounts {
  const [firstPart, secondPart] = [lendingPart(request, first), lendingPart(request, second)];
  const lending = lendingAccounts(firstPart, read, at.slot, at.payer, at.fresh);
  const { reserve: other } = secondPart;
  const otherReserve = reserveAt(read, other, request.programs.klend);
  checkDecimals('Reserve', other, otherReserve.liquidity.mintDecimals);
  if (otherReserve.lendingMarket !== request.market) {
    const { market } = request;
    const context = { reserve: other, market, actual: otherReserve.lendingMarket };
    throw new SluiceError('RESERVE_NOT_IN_MARKET', context);
  }
  const sides = [
    sideOf(request, firstPart.reserve, lending.reserve, read),
    sideOf(request, other, otherReserve, read),
  ] as const;
  const { swap, programs, wallet, isShareMint } = request;
  checkSwapAccounts(swap, {
    programs,
    wallet,
    signers: new Set([wallet, at.payer, ...swap.signers]),
    untouchable: untouchable(lending, sides),
    tokenAccounts: new Set(sides.map(({ token }) => token.address)),
    isShareMint,
    read,
  });
  const tables = [...lending.tables, ...usableTables(swap.lookupTables, read, at.slot)];
  return { request, at, lending, sides, tables };
}

function sideOf({ wallet }: LoanRequest, address: Address, reserve: Reserve, read: ReadAccounts): LoanSide {
  const { mintPubkey: mint, mintDecimals } = reserve.liquidity;
  const tokenProgram = liquidityTokenProgram(reserve);
  return {
    address,
    reserve,
    mint,
    decimals: Number(mintDecimals),
    tokenProgram,
    token: walletToken(read, associatedTokenAddress(wallet, tokenProgram, mint).address),
    isSol: mint === WRAPPED_SOL_MINT && tokenProgram === TOKEN_PROGRAM,
    symbol: symbolsFrom(read)(reserve),
  };
}

/** The accounts that the action relies on, with what they are. Those that do not exist yet are among them. */
function untouchable(lending: LendingAccounts, sides: readonly LoanSide[]): Map<Address, string> {
  const found = new Map<Address, string>([
    [lending.obligationAddress, 'the obligation'],
    [lending.userMetadataAddress, "the wallet's registration with the lending program"],
    [lending.request.market, 'the market'],
    [lending.marketAuthority, 'the authority of the market'],
  ]);
  const { farms } = lending.request.programs;
  for (const [address, reserve] of [
    ...lending.reserves,
    ...sides.map((side) => [side.address, side.reserve] as const),
  ]) {
    const { liquidity, collateral, farmCollateral, farmDebt } = reserve;
    found.set(address, 'a reserve');
    for (const vault of [liquidity.supplyVault, liquidity.feeVault, collateral.supplyVault]) {
      found.set(vault, 'a vault of a reserve');
    }
    found.set(collateral.mintPubkey, 'the collateral mint of a reserve');
    for (const farm of [farmCollateral, farmDebt]) {
      if (presentAddress(farm) === null) continue;
      found.set(farm, 'a farm of a reserve');
      found.set(farmUserState(farms, farm, lending.obligationAddress).address, 'a stake of the obligation');
    }
  }
  return found;
}

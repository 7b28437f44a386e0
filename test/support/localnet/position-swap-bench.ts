import { VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import type { StepContext } from '../../../src/builders/action.ts';
import type { AmountInput } from '../../../src/builders/amount.ts';
import type { LoanBuild } from '../../../src/builders/leverage/build.ts';
import type { PositionSwapRequest } from '../../../src/builders/leverage/request.ts';
import { NO_SWAP } from '../../../src/builders/leverage/swap-leg.ts';
import type { SwapNeed } from '../../../src/builders/leverage/swap-need.ts';
import {
  COLLATERAL_PAIR,
  DEBT_PAIR,
  positionSwapAccounts,
} from '../../../src/builders/position-swap/accounts.ts';
import { positionSwapPreview } from '../../../src/builders/position-swap/preview.ts';
import {
  buildSwapCollateral,
  swapCollateralNeed,
} from '../../../src/builders/position-swap/swap-collateral.ts';
import { buildSwapDebt, swapDebtNeed } from '../../../src/builders/position-swap/swap-debt.ts';
import type { Preview } from '../../../src/builders/preview.ts';
import type { ReadAccounts } from '../../../src/builders/read-accounts.ts';
import { withPositions } from '../../../src/builders/transaction/instruction-positions.ts';
import {
  addressNumber,
  type LendingSetting,
  lendingRequest,
  MARKET,
  NOW,
  reserveAddress,
  WALLET,
} from '../builders/lending-accounts.ts';
import { swapWith } from '../leverage/maker-swap.ts';
import { LendingBench } from './lending-bench.ts';

const { klend } = MAINNET_PROGRAMS;
const MAKER = addressNumber(850);
const AT: StepContext = { slot: NOW.slot, moment: NOW, payer: WALLET, fresh: new Set() };

export type SwappedSide = 'debt' | 'collateral';

/** A swap of a position between two reserves of a bench, by their indexes. */
export interface PositionSwap {
  readonly side: SwappedSide;
  readonly from: number;
  readonly to: number;
  readonly amount: AmountInput;
  /** Base units of the token that is sold and of the one that is bought. */
  readonly spent: bigint;
  readonly minOut: bigint;
  /** Payment of the maker, if not the minimum. */
  readonly paid?: bigint;
  readonly inAmount?: bigint | null;
}

export interface BuiltSwap {
  readonly build: LoanBuild;
  readonly preview: Preview;
  /** Codes of the errors that the preview warns of. */
  readonly errors: readonly string[];
}

/** A market in which a wallet swaps with a maker, who has plenty of every token. */
export class PositionSwapBench extends LendingBench {
  constructor(setting: LendingSetting) {
    super(setting, lendingRequest('withdraw', { reserve: reserveAddress(0) }));
    for (const index of (setting.reserves ?? []).keys()) {
      const mint = this.mintOf(index);
      this.setBalance(ownedBy(MAKER, mint), mint, MAKER, 10n ** 19n);
    }
  }

  readonly read: ReadAccounts = (address) => {
    const found = this.get(address);
    return found === undefined ? null : { address, ...found };
  };

  mintOf(index: number): Address {
    return this.reserve(index).liquidity.mintPubkey;
  }

  /** Base units in the wallet's account. */
  walletUnits(index: number): bigint {
    return this.balance(ownedBy(WALLET, this.mintOf(index)));
  }

  requestOf({
    side,
    from,
    to,
    spent,
    minOut,
    paid = minOut,
    inAmount = spent,
  }: PositionSwap): PositionSwapRequest {
    // A debt is replaced by buying its token, collateral by selling it.
    const [sold, bought] = side === 'debt' ? [to, from] : [from, to];
    const legs = [
      { mint: this.mintOf(sold), amount: spent },
      { mint: this.mintOf(bought), amount: paid },
    ] as const;
    return {
      programs: MAINNET_PROGRAMS,
      wallet: WALLET,
      market: MARKET,
      obligation: { key: VANILLA_OBLIGATION },
      oldReserve: reserveAddress(from),
      newReserve: reserveAddress(to),
      swap: {
        instructions: swapWith(MAKER, WALLET, ...legs),
        lookupTables: [],
        inAmount,
        minOut,
        signers: [MAKER],
        quote: null,
      },
      lookupTables: [],
      oracles: lendingRequest('deposit').oracles,
      isShareMint: () => false,
      rewardApys: () => ({ supply: {}, borrow: {} }),
    };
  }

  /** @param slots by which the chain has moved on since the accounts were read */
  build(swap: PositionSwap, slots = 0n): BuiltSwap {
    const isDebt = swap.side === 'debt';
    const pair = isDebt ? DEBT_PAIR : COLLATERAL_PAIR;
    const timestamp = NOW.timestamp + slots / 2n;
    const at = { ...AT, moment: { ...NOW, slot: NOW.slot + slots, timestamp } };
    const accounts = positionSwapAccounts(this.requestOf(swap), pair, this.read, at);
    const builder = isDebt ? buildSwapDebt : buildSwapCollateral;
    const build = builder(accounts, swap.amount, this.read);
    const preview = positionSwapPreview(build, isDebt ? 'DEBT' : 'DEPOSIT', this.read);
    const errors = preview.warnings.filter(({ level }) => level === 'ERROR').map(({ code }) => code);
    return { build, preview, errors };
  }

  /** The swap that the action needs. */
  need(swap: PositionSwap): SwapNeed {
    const isDebt = swap.side === 'debt';
    const request = { ...this.requestOf(swap), swap: NO_SWAP };
    const accounts = positionSwapAccounts(request, isDebt ? DEBT_PAIR : COLLATERAL_PAIR, this.read, AT);
    return isDebt
      ? swapDebtNeed(accounts, swap.amount)
      : swapCollateralNeed(accounts, swap.amount, this.read);
  }

  /** Runs what was built: the error of the program, or null. */
  outcomeOf({ build }: BuiltSwap): number | string | null {
    return this.failureOf(withPositions(build.sequence.instructions));
  }
}

const ownedBy = (owner: Address, mint: Address) => associatedTokenAddress(owner, TOKEN_PROGRAM, mint).address;

/** The deposits, the debts that a swap moves, and what both reserves hold and are owed, in the units of the program. */
export function exactState(read: ReadAccounts, address: Address, { side, from, to }: PositionSwap) {
  const account = read(address);
  const data = account === null || account.owner !== klend ? null : obligation.decode(account, klend);
  const reserves = [reserveAddress(from), reserveAddress(to)];
  return {
    deposits: data?.deposits
      .filter(({ depositedAmount }) => depositedAmount > 0n)
      .map((each) => [each.depositReserve, each.depositedAmount]),
    // A preview of other debts is not needed to the last bit of their interest.
    borrows: data?.borrows
      .filter((each) => side === 'debt' && reserves.includes(each.borrowReserve))
      .map((each) => [each.borrowReserve, each.borrowedAmountSf]),
    reserves: reserves.map((each) => {
      const found = read(each);
      if (found === null) throw new Error(`no reserve ${each}`);
      const { liquidity, collateral } = reserve.decode(found, klend);
      const { accumulatedProtocolFeesSf, accumulatedReferrerFeesSf, pendingReferrerFeesSf } = liquidity;
      const feesSf = accumulatedProtocolFeesSf + accumulatedReferrerFeesSf + pendingReferrerFeesSf;
      return {
        borrowedSf: liquidity.borrowedAmountSf,
        // The share of a referrer in a fee is added to the liquidity and to the fees alike.
        supplySf: liquidity.totalAvailableAmount * FRACTION_ONE + liquidity.borrowedAmountSf - feesSf,
        collateral: collateral.mintTotalSupply,
      };
    }),
  };
}

import { rolloverFixedTermBorrow } from '@sluice/protocol/klend/obligation-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { BuiltStep } from '../../../src/builders/action.ts';
import { lendingRefresh } from '../../../src/builders/lending/refresh.ts';
import { rollOverAction } from '../../../src/builders/rollover/roll-over.ts';
import { addressNumber, MARKET, reserveAddress } from '../builders/lending-accounts.ts';
import { NOTHING_KNOWN, stepOn } from './built-steps.ts';
import { RolloverBench } from './rollover-bench.ts';

const { klend, farms } = MAINNET_PROGRAMS;

/** Somebody who owns nothing of the obligation. */
export const SENDER = addressNumber(951);

/** A loan with a debt in reserve 1, and rollovers of it. */
export class RollOverBench extends RolloverBench {
  constructor(...given: ConstructorParameters<typeof RolloverBench>) {
    super(...given);
    const data = new Uint8Array();
    this.set(SENDER, { owner: SYSTEM_PROGRAM, lamports: 10n ** 10n, data, executable: false });
  }

  /** The rollover as anyone may build it. */
  rollOver(target: number, source = 1): BuiltStep {
    return stepOn(
      this,
      rollOverAction(NOTHING_KNOWN, {
        wallet: SENDER,
        obligation: this.obligationAddress,
        reserve: reserveAddress(source),
        targetReserve: reserveAddress(target),
      }),
    );
  }

  /** The instruction, with refreshes of all reserves and of the obligation before it. */
  rolling(
    target: number,
    change: Readonly<Record<string, Address | null>> = {},
    source = 1,
  ): EncodedInstruction[] {
    const indexes = Array.from({ length: 16 }, (_, i) => i).filter((i) => this.get(reserveAddress(i)));
    const refresh = lendingRefresh({
      ...this.accounts,
      obligation: this.obligation(),
      reserves: new Map(indexes.map((i) => [reserveAddress(i), this.reserve(i)])),
    });
    return [...refresh, this.instruction(target, change, source)];
  }

  /** The instruction alone. @param change accounts in place of the right ones */
  instruction(
    target: number,
    change: Readonly<Record<string, Address | null>> = {},
    source = 1,
  ): EncodedInstruction {
    const [from, to] = [this.reserve(source).liquidity, this.reserve(target).liquidity];
    return rolloverFixedTermBorrow.encode(
      klend,
      {
        payer: SENDER,
        obligation: this.obligationAddress,
        lendingMarket: MARKET,
        lendingMarketAuthority: this.accounts.marketAuthority,
        sourceBorrowReserve: reserveAddress(source),
        targetBorrowReserve: reserveAddress(target),
        liquidityMint: from.mintPubkey,
        sourceBorrowReserveLiquidity: from.supplyVault,
        targetBorrowReserveLiquidity: to.supplyVault,
        tokenProgram: TOKEN_PROGRAM,
        sourceObligationFarmUserState: null,
        sourceReserveFarmState: null,
        targetObligationFarmUserState: null,
        targetReserveFarmState: null,
        farmsProgram: farms,
        ...change,
      },
      {},
    );
  }
}

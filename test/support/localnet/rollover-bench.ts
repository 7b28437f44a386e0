import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { updateObligationConfig } from '@sluice/protocol/klend/obligation-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { setRolloverAction } from '../../../src/builders/rollover/action.ts';
import type { WantedRollover } from '../../../src/builders/rollover/request.ts';
import {
  type LendingSetting,
  lendingRequest,
  MARKET,
  NOW,
  reserveAddress,
  WALLET,
} from '../builders/lending-accounts.ts';
import { NOTHING_KNOWN, stepOn } from './built-steps.ts';
import { LendingBench } from './lending-bench.ts';

const { klend } = MAINNET_PROGRAMS;
const DAY = 86_400n;
export const TERM = 30n * DAY;

/** 1,000 dollars deposited in reserve 0, and a debt of 500 in reserve 1, which has a term of 30 days. */
export const TERM_LOAN: LendingSetting = {
  reserves: [{}, { config: { debtTermSeconds: TERM } }, {}],
  deposits: [[0, 1_000_000_000n]],
  borrows: [[1, 500_000_000n]],
};

const SWITCHED_ON = {
  obligationBorrowRolloverConfigurationEnabled: 1,
  fixedTermRolloverWindowDurationSeconds: 7n * DAY,
  openTermRolloverWindowDurationSeconds: 3n * DAY,
  obligationBorrowMigrationToFixedExecutionEnabled: 1,
};

type DebtInput = NonNullable<StructInput<typeof obligation.body.fields>['borrows']>[number];

/** A loan with a debt whose term began a day ago, in a market that lets debts roll over. */
export class RolloverBench extends LendingBench {
  constructor(
    setting: LendingSetting = TERM_LOAN,
    market: StructInput<typeof lendingMarket.body.fields> = {},
    /** Fields of the debt. */
    debt: DebtInput = { lastBorrowedAtTimestamp: NOW.timestamp - DAY },
  ) {
    super(setting, lendingRequest('borrow', { reserve: reserveAddress(1) }));
    this.change(lendingMarket, MARKET, { ...SWITCHED_ON, ...market });
    this.store(debt);
  }

  /** @param terms stored for the debt */
  store(terms: DebtInput): void {
    this.change(obligation, this.obligationAddress, { borrows: [terms] });
  }

  get terms() {
    return this.obligation().borrows[0]?.fixedTermBorrowRolloverConfig;
  }

  /** The instruction with any bytes as its value. */
  setting(
    mode: number,
    value: readonly number[],
    accounts: {
      readonly owner?: Address;
      readonly borrowReserve?: Address | null;
      readonly depositReserve?: Address | null;
      readonly lendingMarket?: Address;
    } = {},
  ): EncodedInstruction {
    const built = updateObligationConfig.encode(
      klend,
      {
        owner: WALLET,
        obligation: this.obligationAddress,
        borrowReserve: reserveAddress(1),
        depositReserve: null,
        lendingMarket: MARKET,
        ...accounts,
      },
      { mode, valueLength: value.length },
    );
    return { ...built, data: Uint8Array.from([...built.data, ...value]) };
  }

  build(settings: WantedRollover, wallet: Address = WALLET) {
    const place = { wallet, market: MARKET, reserve: reserveAddress(1) };
    return stepOn(
      this,
      setRolloverAction(NOTHING_KNOWN, {
        ...place,
        obligation: { address: this.obligationAddress },
        settings,
      }),
    );
  }
}

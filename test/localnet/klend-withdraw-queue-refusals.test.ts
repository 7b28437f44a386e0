import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { NO_ADDRESS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressNumber } from '../support/builders/lending-accounts.ts';
import { COLLATERAL, OWNERS, PAYER, QueueBench } from '../support/localnet/queue-bench.ts';
import { queuedVault, ticketAt } from '../support/localnet/queue-calls.ts';

/** Refusals of the instructions of the withdraw queue, with the errors of the program's source. */

const [ALICE, BOB] = OWNERS;
const STRANGER = addressNumber(990);

let bench: QueueBench;
beforeEach(() => {
  bench = new QueueBench();
});

/** Error or failure of the runtime, name, and the instruction after what brings it about. */
type Refusal = readonly [number | string, string, () => EncodedInstruction];

/** The instruction, after a change that makes it fail. */
const given = (change: () => void, instruction: () => EncodedInstruction) => () => {
  change();
  return instruction();
};

const refuses = (refusals: readonly Refusal[]) =>
  it.each(refusals)('%s: %s', (code, _, instruction) => {
    expect(bench.failureOf([instruction()])).toBe(code);
  });

/** Settings of market and reserve that stop an instruction. */
const switchedOff = (instruction: () => EncodedInstruction): Refusal[] => [
  [6042, 'a market in emergency mode', given(() => bench.changeMarket({ emergencyMode: 1 }), instruction)],
  [
    6175,
    'a reserve in emergency mode',
    given(() => bench.changeReserve({ config: { emergencyMode: 1 } }), instruction),
  ],
  [6073, 'a reserve of another version', given(() => bench.changeReserve({ version: 2n }), instruction)],
  [
    2001,
    'a reserve of another market',
    () => {
      const call = instruction();
      bench.changeReserve({ lendingMarket: STRANGER });
      return call;
    },
  ],
];

describe('enqueueToWithdraw refuses', () => {
  const enqueueing = (replaced = {}, type = 0) => bench.enqueueing(ALICE, 4_000_000n, replaced, type);
  refuses([
    ...switchedOff(enqueueing),
    [6003, 'nothing', () => bench.enqueueing(ALICE, 0n)],
    [6154, 'tokens worth less than the minimum', () => bench.enqueueing(ALICE, 799_999n)],
    [1, 'more tokens than the wallet has', () => bench.enqueueing(ALICE, COLLATERAL + 1n)],
    [
      6145,
      'all tokens while no tickets are issued',
      given(() => bench.changeMarket({ withdrawTicketIssuanceEnabled: 0 }), enqueueing),
    ],
    [6082, 'an obsolete reserve', given(() => bench.changeReserve({ config: { status: 1 } }), enqueueing)],
    [
      6151,
      'a frozen destination',
      given(() => bench.changeToken(bench.liquidityOf(ALICE), { frozen: true }), enqueueing),
    ],
    [
      6151,
      'a destination with a delegate',
      given(() => bench.changeToken(bench.liquidityOf(ALICE), { delegate: BOB }), enqueueing),
    ],
    [
      3012,
      'a destination that is not open',
      given(() => bench.closeToken(bench.liquidityOf(ALICE), ALICE), enqueueing),
    ],
    [
      2015,
      'a destination of another wallet',
      () => enqueueing({ userDestinationLiquidityTa: bench.liquidityOf(BOB) }),
    ],
    [
      2014,
      'a destination of another mint',
      () => enqueueing({ userDestinationLiquidityTa: bench.collateralOf(ALICE) }),
    ],
    [
      2015,
      'collateral tokens of another wallet',
      () => enqueueing({ userSourceCollateralTa: bench.collateralOf(BOB) }),
    ],
    [2006, 'another number of the ticket', () => enqueueing({ withdrawTicket: ticketAt(bench.queued, 1n) })],
    [
      2006,
      'the vault of another owner',
      () => enqueueing({ ownerQueuedCollateralVault: queuedVault(bench.queued, BOB) }),
    ],
    [102, 'an unknown kind of callback', () => enqueueing({}, 2)],
    [6155, 'a callback of vaults without the vault', () => enqueueing({}, 1)],
    [
      6155,
      'a callback of vaults for a wallet',
      () => enqueueing({ progressCallbackCustomAccount0: bench.queued.data.lendingMarket }, 1),
    ],
  ]);
});

describe('withdrawQueuedLiquidity refuses', () => {
  beforeEach(() => {
    bench.enqueue(ALICE, 4_000_000n);
    bench.enqueue(BOB, 4_000_000n);
  });
  const paying = (replaced = {}) => bench.paying(0n, replaced);
  /** Lends all liquidity but this. */
  const leave = (amount: bigint) => bench.lend(bench.reserve(0).liquidity.totalAvailableAmount - amount);

  refuses([
    ...switchedOff(paying),
    [2006, 'a ticket whose turn has not come', () => bench.paying(1n)],
    [
      3007,
      'a ticket that is paid',
      () => {
        const again = paying();
        bench.succeed([again]);
        return again;
      },
    ],
    [
      6146,
      'tickets while none are paid',
      given(() => bench.changeMarket({ withdrawTicketRedemptionEnabled: 0 }), paying),
    ],
    [6008, 'a reserve without liquidity', given(() => leave(0n), paying)],
    [
      6154,
      'a part that leaves less than the minimum',
      // 3,200,001 tokens could be paid; 799,999 would stay, worth 0.999998.
      given(() => leave(4_000_001n), paying),
    ],
    [6150, 'a part that is worth less than the minimum', given(() => leave(999_999n), paying)],
    [6152, 'a ticket that is marked invalid', given(() => bench.changeTicket(0n, { invalid: 1 }), paying)],
    [
      6006,
      "the reserve's own vault as destination",
      given(
        () => bench.changeTicket(0n, { userDestinationLiquidityTa: bench.reserve(0).liquidity.supplyVault }),
        paying,
      ),
    ],
    [2012, 'another destination', () => paying({ userDestinationLiquidity: bench.liquidityOf(BOB) })],
    [2012, 'another owner', () => paying({ withdrawTicketOwner: BOB })],
    [2006, 'the vault of another owner', () => paying({ ownerQueuedCollateralVault: bench.vaultOf(BOB) })],
    [2012, 'a callback that the ticket does not ask for', () => paying({ progressCallbackProgram: PAYER })],
    [
      2012,
      'an account for a callback that the ticket does not ask for',
      () => paying({ progressCallbackCustomAccount1: PAYER }),
    ],
  ]);

  it('accepts parts worth exactly the minimum on either side', () => {
    leave(4_000_000n);
    bench.succeed([paying()]);
    expect(bench.ticket(0n)?.queuedCollateralAmount).toBe(800_000n);
    leave(1_000_000n);
    bench.succeed([paying()]);
    expect(bench.ticket(0n)).toBeNull();
  });

  it('accepts the addresses that stand for no callback', () => {
    const none = {
      progressCallbackProgram: NO_ADDRESS,
      progressCallbackCustomAccount0: NO_ADDRESS,
      progressCallbackCustomAccount1: NO_ADDRESS,
    };
    expect(NO_ADDRESS).toBe(SYSTEM_PROGRAM);
    bench.succeed([paying(none)]);
  });
});

describe('cancelWithdrawTicket refuses', () => {
  beforeEach(() => {
    bench.enqueue(ALICE, 4_000_000n);
    bench.enqueue(BOB, 4_000_000n);
  });
  const cancelling = (replaced = {}) => bench.cancelling(ALICE, 0n, 1_000_000n, replaced);

  refuses([
    ...switchedOff(cancelling),
    [6003, 'nothing', () => bench.cancelling(ALICE, 0n, 0n)],
    [6154, 'to leave less than the minimum', () => bench.cancelling(ALICE, 0n, 3_200_001n)],
    [
      6170,
      'all tickets while none are cancelled',
      given(() => bench.changeMarket({ withdrawTicketCancellationEnabled: 0 }), cancelling),
    ],
    [6005, 'the ticket of another owner', () => bench.cancelling(BOB, 0n, 1_000_000n)],
    [6152, 'an invalid ticket', given(() => bench.changeTicket(0n, { invalid: 1 }), cancelling)],
    [
      6171,
      'a ticket that is cancelled',
      () => {
        bench.succeed([bench.cancelling(ALICE, 0n, 4_000_000n)]);
        return cancelling();
      },
    ],
    [
      6151,
      'a destination with a delegate',
      given(() => bench.changeToken(bench.collateralOf(ALICE), { delegate: BOB }), cancelling),
    ],
    [
      2015,
      'the account of another wallet as destination',
      () => cancelling({ userDestinationCollateral: bench.collateralOf(BOB) }),
    ],
    [2006, 'a ticket of another number', () => cancelling({ withdrawTicket: ticketAt(bench.queued, 1n) })],
  ]);

  it('accepts an obsolete reserve, and tokens that stay worth exactly the minimum', () => {
    bench.changeReserve({ config: { status: 1 } });
    bench.succeed([bench.cancelling(ALICE, 0n, 3_200_000n)]);
  });
});

describe('recoverInvalidTicketCollateral refuses', () => {
  beforeEach(() => {
    bench.enqueue(ALICE, 4_000_000n);
    bench.changeToken(bench.liquidityOf(ALICE), { frozen: true });
    bench.succeed([bench.paying(0n)]);
  });
  const recovering = (replaced = {}, payer = PAYER) => bench.recovering(0n, payer, replaced);

  refuses([
    ...switchedOff(recovering),
    [
      6147,
      'a valid ticket',
      () => {
        bench.enqueue(BOB, 4_000_000n);
        return bench.recovering(1n, PAYER);
      },
    ],
    [
      6151,
      'a destination with a delegate',
      given(() => bench.changeToken(bench.collateralOf(ALICE), { delegate: BOB }), recovering),
    ],
    [
      6005,
      'a payer who chooses the account of the owner',
      () => {
        const other = bench.collateralOf(PAYER);
        bench.setBalance(other, bench.reserve(0).collateral.mintPubkey, ALICE, 0n);
        return recovering({ userSourceCollateral: other });
      },
    ],
    [
      2015,
      'an owner who chooses the account of another wallet',
      () => recovering({ userSourceCollateral: bench.collateralOf(BOB) }, ALICE),
    ],
    [2012, 'another owner as receiver of the rent', () => recovering({ withdrawTicketOwner: BOB })],
    [3007, 'a ticket that was not issued', () => recovering({ withdrawTicket: ticketAt(bench.queued, 1n) })],
  ]);

  it('leaves the owner free to recover while nothing else is allowed', () => {
    bench.changeMarket({
      withdrawTicketIssuanceEnabled: 0,
      withdrawTicketRedemptionEnabled: 0,
      withdrawTicketCancellationEnabled: 0,
    });
    bench.changeReserve({ config: { status: 1 } });
    bench.succeed([recovering({}, ALICE)]);
    expect(bench.held(bench.collateralOf(ALICE))).toBe(COLLATERAL);
  });
});

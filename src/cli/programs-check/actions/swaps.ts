import { multiplyObligation, obligationAddress } from '@sluice/protocol/klend/addresses';
import type { Address } from '@solana/kit';
import type { PreviewAnswer } from '../build.ts';
import type { CheckedAction } from '../checked-action.ts';
import { figure } from '../figures.ts';
import { lendingPosition } from '../read-back.ts';
import type { Subject } from '../subject.ts';

const ALL = { all: 'ALL' };
/** The gateway quotes no swaps, or the exchange has no route or a bad price. */
const NO_QUOTE: readonly string[] = ['QUOTES_OFF', 'QUOTE_REFUSED'];
const SIDES = { DEPOSIT: 'deposits', DEBT: 'borrows' } as const;

type Side = keyof typeof SIDES;

/** An action whose swap the gateway quotes. */
interface QuotedAction {
  readonly kind: CheckedAction['kind'];
  readonly name: string;
  /** Builder and its input type: `SwapDebt` for `buildSwapDebt` and `SwapDebtInput`. */
  readonly builder: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The position to compare. */
  readonly obligation: Address;
  readonly reserve: Address;
  readonly side: Side;
  /** Debt or deposit of that position after the action. */
  readonly tokens: (preview: PreviewAnswer) => string | null | undefined;
}

const quoted = ({
  kind,
  name,
  builder,
  input,
  obligation,
  reserve,
  side,
  tokens,
}: QuotedAction): CheckedAction => ({
  kind,
  name,
  prepare: () => ({ mutation: `build${builder}`, inputType: `${builder}Input`, input }),
  nothingToDo: NO_QUOTE,
  predicted: (preview) => ({
    tokens: figure(tokens(preview)),
    healthFactor: figure(preview.healthFactor?.after),
  }),
  readBack: async (ask) => await lendingPosition(ask, obligation, reserve, SIDES[side]),
});

const debtOf = ({ debtTokens }: PreviewAnswer) => debtTokens?.after;

/** Repays a part of the debt with collateral, and moves parts of the debt and of the deposit to another reserve and back. */
export function positionSwaps(subject: Subject, obligation: Address): readonly CheckedAction[] {
  const { wallet, market, reserve, borrowReserve, otherReserve, partialAmount, partialBorrow } = subject;
  const loan = { wallet, market, obligation: { address: obligation } };
  const swap = (
    side: Side,
    name: string,
    [from, to]: readonly [Address, Address],
    amount: object,
  ): CheckedAction => {
    const isDebt = side === 'DEBT';
    return quoted({
      kind: isDebt ? 'SWAP_DEBT' : 'SWAP_COLLATERAL',
      name: `${isDebt ? 'debt' : 'collateral'} ${name}`,
      builder: isDebt ? 'SwapDebt' : 'SwapCollateral',
      input: {
        ...loan,
        ...(isDebt
          ? { repayReserve: from, borrowReserve: to }
          : { withdrawReserve: from, depositReserve: to }),
        amount,
      },
      obligation,
      reserve: to,
      side,
      tokens: ({ positions }) =>
        positions.find((each) => each.reserve === to && each.side === side)?.tokens.after,
    });
  };
  const there = (side: Side, from: Address, amount: string) => {
    if (otherReserve === null) {
      const action = swap(side, 'swapped', [from, from], ALL);
      return [{ ...action, prepare: () => ({ skipped: 'the market has no third reserve' }) }];
    }
    return [
      swap(side, 'swapped', [from, otherReserve], { tokens: amount }),
      {
        ...swap(side, 'swapped back', [otherReserve, from], ALL),
        // Nothing was swapped: the third reserve takes no such position.
        nothingToDo: [...NO_QUOTE, 'KLEND_POSITION_NOT_FOUND'],
      },
    ];
  };
  return [
    quoted({
      kind: 'REPAY_WITH_COLLATERAL',
      name: 'repay with collateral',
      builder: 'RepayWithCollateral',
      input: {
        ...loan,
        collateralReserve: reserve,
        debtReserve: borrowReserve,
        amount: { tokens: partialBorrow },
      },
      obligation,
      reserve: borrowReserve,
      side: 'DEBT',
      tokens: debtOf,
    }),
    ...there('DEBT', borrowReserve, partialBorrow),
    ...there('DEPOSIT', reserve, partialAmount),
  ];
}

/** Opens a leveraged position and closes it. */
export function leverageActions(
  { wallet, market, reserve, mint, borrowReserve, borrowMint, partialAmount, borrowAmount }: Subject,
  lendingProgram: Address,
): readonly CheckedAction[] {
  const { address: obligation } = obligationAddress(
    lendingProgram,
    wallet,
    market,
    multiplyObligation(mint, borrowMint),
  );
  const pair = { wallet, market, collateralReserve: reserve, debtReserve: borrowReserve };
  const action = (kind: 'MULTIPLY' | 'DELEVERAGE', builder: string, input: object) =>
    quoted({
      kind,
      name: builder.toLowerCase(),
      builder,
      input: { ...pair, ...input },
      obligation,
      reserve: borrowReserve,
      side: 'DEBT',
      tokens: debtOf,
    });
  return [
    action('MULTIPLY', 'Multiply', {
      deposit: { tokens: partialAmount },
      borrow: { tokens: borrowAmount },
    }),
    action('DELEVERAGE', 'Deleverage', { amount: ALL }),
  ];
}

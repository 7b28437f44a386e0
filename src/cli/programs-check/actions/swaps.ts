import { multiplyObligation, obligationAddress } from '@sluice/protocol/klend/addresses';
import type { Address } from '@solana/kit';
import type { PreviewAnswer } from '../build.ts';
import type { CheckedAction } from '../checked-action.ts';
import { figure } from '../figures.ts';
import { lendingPosition } from '../read-back.ts';
import type { Subject } from '../subject.ts';

const ALL = { all: 'ALL' };
/**
 * The gateway quotes no swaps, the exchange has no route or a bad price, or a loan with many positions leaves no room for a swap
 * in a transaction.
 */
const NO_SWAP: readonly string[] = ['QUOTES_OFF', 'QUOTE_REFUSED', 'TRANSACTION_SIZE_ERROR'];
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
  nothingToDo: NO_SWAP,
  predicted: (preview) => ({
    tokens: figure(tokens(preview)),
    healthFactor: figure(preview.healthFactor?.after),
  }),
  readBack: async (ask) => await lendingPosition(ask, obligation, reserve, SIDES[side]),
});

const debtOf = ({ debtTokens }: PreviewAnswer) => debtTokens?.after;

/** Repays a part of the debt by selling collateral. */
export function repayWithCollateral(
  { wallet, market, reserve, borrowReserve, partialBorrow }: Subject,
  obligation: Address,
): CheckedAction {
  return quoted({
    kind: 'REPAY_WITH_COLLATERAL',
    name: 'repay with collateral',
    builder: 'RepayWithCollateral',
    input: {
      wallet,
      market,
      obligation: { address: obligation },
      collateralReserve: reserve,
      debtReserve: borrowReserve,
      amount: { tokens: partialBorrow },
    },
    obligation,
    reserve: borrowReserve,
    side: 'DEBT',
    tokens: debtOf,
  });
}

/** Moves a part of the debt, or of the deposit, to another reserve and back. */
export function swapThereAndBack(
  subject: Subject,
  obligation: Address,
  side: Side,
): readonly CheckedAction[] {
  const { wallet, market, reserve, borrowReserve, otherReserve, partialAmount, partialBorrow } = subject;
  const [own, part, what] =
    side === 'DEBT'
      ? ([borrowReserve, partialBorrow, 'debt'] as const)
      : ([reserve, partialAmount, 'collateral'] as const);
  const swap = (name: string, from: Address, to: Address, amount: object): CheckedAction =>
    quoted({
      ...(side === 'DEBT'
        ? { kind: 'SWAP_DEBT', builder: 'SwapDebt' }
        : { kind: 'SWAP_COLLATERAL', builder: 'SwapCollateral' }),
      name: `${what} ${name}`,
      input: {
        wallet,
        market,
        obligation: { address: obligation },
        ...(side === 'DEBT'
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
  if (otherReserve === null) {
    const none = { prepare: () => ({ skipped: 'the market has no third reserve' }) };
    return [{ ...swap('swapped', own, own, ALL), ...none }];
  }
  return [
    swap('swapped', own, otherReserve, { tokens: part }),
    {
      ...swap('swapped back', otherReserve, own, ALL),
      // Nothing was swapped: the third reserve takes no such position.
      nothingToDo: [...NO_SWAP, 'KLEND_POSITION_NOT_FOUND'],
    },
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

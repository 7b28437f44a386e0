import { z } from '@hono/zod-openapi';
import { swapCollateralAction, swapDebtAction } from '../../services/builds/actions.ts';
import { swapped } from '../../services/builds/quoted-swap.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { ALL, amount, NOT_AN_OBJECT, options, parseAmount, wallet } from './body-parts.ts';
import { ObligationChoiceBody, obligationOf } from './obligation-choice-schemas.ts';
import { SwapBody } from './swap-schemas.ts';

const market = address('Address of the lending market.');
const obligation = ObligationChoiceBody.optional();
const swap = SwapBody.optional();

/** A swap by a router, as its quote has it. */
const exampleSwap = (signer: string, inAmount: string, minOut: string) => ({
  instructions: [
    {
      programAddress: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
      accounts: [{ address: signer, role: 'WRITABLE_SIGNER' as const }],
      data: 'wSCbM0HWnIE=',
    },
  ],
  inAmount,
  minOut,
});

const SWAP_DEBT = ktxAction({
  name: 'swapDebt',
  id: 'swapDebt',
  mutation: 'buildSwapDebt',
  path: '/ktx/klend/swap-debt',
  purpose: 'replace debt in one reserve by debt in another one',
  body: z
    .object(
      {
        wallet,
        market,
        repayReserve: address('Reserve of the debt to repay. It must belong to `market`.'),
        borrowReserve: address(
          'Reserve to borrow from instead, and to take the flash loan from. It must belong to `market`.',
        ),
        amount: amount(`Old debt to repay, in whole tokens. ${ALL}`),
        swap,
        obligation,
        options,
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi('SwapDebtBody'),
  example: ({ wallet: owner, market: place, borrowReserve, stakedReserve }) => ({
    wallet: owner,
    market: place,
    repayReserve: borrowReserve,
    borrowReserve: stakedReserve,
    amount: '1.5',
    swap: exampleSwap(owner, '7500000', '1600000'),
  }),
  actionOf: (source, given, parsed) =>
    swapped(
      source,
      swapDebtAction(source, {
        wallet: given.wallet,
        market: given.market,
        repayReserve: given.repayReserve,
        borrowReserve: given.borrowReserve,
        amount: { tokens: parseAmount(given.amount) },
        ...obligationOf(given.obligation),
        ...parsed,
      }),
      given.swap,
    ),
});

const SWAP_COLLATERAL = ktxAction({
  name: 'swapCollateral',
  id: 'swapCollateral',
  mutation: 'buildSwapCollateral',
  path: '/ktx/klend/swap-collateral',
  purpose: 'replace collateral in one reserve by collateral in another one',
  body: z
    .object(
      {
        wallet,
        market,
        withdrawReserve: address('Reserve of the deposit to withdraw from. It must belong to `market`.'),
        depositReserve: address(
          'Reserve to deposit into instead, and to take the flash loan from. It must belong to `market`.',
        ),
        amount: amount(`Collateral to withdraw, in whole tokens. ${ALL}`),
        swap,
        obligation,
        options,
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi('SwapCollateralBody'),
  example: ({ wallet: owner, market: place, depositReserve, stakedReserve }) => ({
    wallet: owner,
    market: place,
    withdrawReserve: depositReserve,
    depositReserve: stakedReserve,
    amount: '0.1',
    swap: exampleSwap(owner, '100000000', '75000000'),
  }),
  actionOf: (source, given, parsed) =>
    swapped(
      source,
      swapCollateralAction(source, {
        wallet: given.wallet,
        market: given.market,
        withdrawReserve: given.withdrawReserve,
        depositReserve: given.depositReserve,
        amount: { tokens: parseAmount(given.amount) },
        ...obligationOf(given.obligation),
        ...parsed,
      }),
      given.swap,
    ),
});

/** Swaps of a debt or a deposit inside an obligation. */
export const POSITION_SWAP_ACTIONS: readonly KtxAction[] = [SWAP_DEBT, SWAP_COLLATERAL];

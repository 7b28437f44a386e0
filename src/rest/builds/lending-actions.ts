import { z } from '@hono/zod-openapi';
import {
  elevationAction,
  type LendingActionRequest,
  lendingAction,
  liquidateAction,
} from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { ALL, amount, NOT_AN_OBJECT, options, parseAmount, wallet } from './body-parts.ts';
import { ObligationChoiceBody, obligationOf } from './obligation-choice-schemas.ts';

/** Body of a lending action. `name` is that of the component. */
const lendingBody = (name: string, amountDescription: string) =>
  z
    .object(
      {
        wallet,
        market: address('Address of the lending market.'),
        reserve: address('Address of the reserve. It must belong to `market`.'),
        amount: amount(amountDescription),
        obligation: ObligationChoiceBody.optional(),
        options,
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi(name);

function lending(
  action: LendingActionRequest['action'],
  purpose: string,
  amountDescription: string,
  reserve: 'depositReserve' | 'borrowReserve',
): KtxAction {
  const name = `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
  return ktxAction({
    name: `lending${name}`,
    id: `${action}Lending`,
    mutation: `buildLending${name}`,
    path: `/ktx/klend/${action}`,
    purpose,
    body: lendingBody(`Lending${name}Body`, amountDescription),
    example: (addresses) => ({
      wallet: addresses.wallet,
      market: addresses.market,
      reserve: addresses[reserve],
      amount: '1.5',
    }),
    actionOf: (source, { wallet, market, reserve: address, amount: tokens, obligation }, options) =>
      lendingAction(source, {
        action,
        wallet,
        market,
        reserve: address,
        amount: { tokens: parseAmount(tokens) },
        ...obligationOf(obligation),
        ...options,
      }),
  });
}

const LiquidationBody = z
  .object(
    {
      wallet: address('The liquidator, who signs the transaction and pays its fee.'),
      obligation: address("Address of the obligation to liquidate. It may be anyone's."),
      repayReserve: address('Reserve of the debt to repay.'),
      withdrawReserve: address('Reserve of the collateral to receive.'),
      amount: amount(
        'Debt to repay at most, in whole tokens. U64::MAX (18446744073709551615) means as much as the program allows at once.',
      ),
      minCollateral: amount(
        "Least collateral to receive after the protocol's fee, in whole tokens of the collateral. No minimum by default.",
      ).optional(),
      options,
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('LendingLiquidateBody');

const LIQUIDATION = ktxAction({
  name: 'liquidate',
  id: 'liquidateLending',
  mutation: 'buildLiquidate',
  path: '/ktx/klend/liquidate',
  purpose: 'liquidate an unhealthy obligation, or a debt that has ended',
  body: LiquidationBody,
  example: ({ wallet, obligation, borrowReserve, depositReserve }) => ({
    wallet,
    obligation,
    repayReserve: borrowReserve,
    withdrawReserve: depositReserve,
    amount: '1.5',
  }),
  actionOf: (source, { wallet, obligation, repayReserve, withdrawReserve, amount, minCollateral }, options) =>
    liquidateAction(source, {
      wallet,
      obligation,
      repayReserve,
      withdrawReserve,
      ...options,
      amount: { tokens: parseAmount(amount) },
      ...(minCollateral === undefined ? {} : { minCollateral: parseAmount(minCollateral) }),
    }),
});

const MAX_GROUP = 32;

const ElevationGroupBody = z
  .object(
    {
      wallet,
      market: address('Address of the lending market.'),
      group: z
        .number({ error: 'must be a number from 0 to 32' })
        .int('must be a whole number')
        .min(0, 'must not be negative')
        .max(MAX_GROUP, `must be at most ${MAX_GROUP}`)
        .openapi({
          type: 'integer',
          description: 'Number of the elevation group; 0 to leave the present one.',
        }),
      obligation: ObligationChoiceBody.optional(),
      options,
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('ElevationGroupBody');

const ELEVATION = ktxAction({
  name: 'requestElevationGroup',
  id: 'requestElevationGroup',
  mutation: 'buildRequestElevationGroup',
  path: '/ktx/klend/request-elevation-group',
  purpose: 'move an obligation to an elevation group',
  body: ElevationGroupBody,
  example: ({ wallet, market }) => ({ wallet, market, group: 1 }),
  actionOf: (source, { wallet, market, group, obligation }) =>
    elevationAction(source, { wallet, market, group, ...obligationOf(obligation) }),
});

/** Actions on an obligation. */
export const LENDING_ACTIONS: readonly KtxAction[] = [
  lending('deposit', 'deposit into a reserve', 'Amount to deposit, in whole tokens.', 'depositReserve'),
  lending('borrow', 'borrow from a reserve', 'Amount to borrow, in whole tokens.', 'borrowReserve'),
  lending('repay', 'repay debt', `Debt to repay, in whole tokens. ${ALL}`, 'borrowReserve'),
  lending(
    'withdraw',
    'withdraw from a reserve',
    `Amount to withdraw, in whole tokens. ${ALL}`,
    'depositReserve',
  ),
  LIQUIDATION,
  ELEVATION,
];

import { z } from '@hono/zod-openapi';
import { rollOverAction, setRolloverAction } from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { NOT_AN_OBJECT, options, wallet, whole } from './body-parts.ts';
import { ObligationChoiceBody, obligationOf } from './obligation-choice-schemas.ts';

const MAX_RATE_BPS = 2_147_483_647;

const flag = (description: string) =>
  z.boolean({ error: 'must be true or false' }).optional().openapi({ description });

/** The rollover settings of a debt. A setting that is left out stays as it is. */
const SET: KtxAction = ktxAction({
  name: 'setRolloverSettings',
  id: 'setRolloverSettings',
  mutation: 'buildSetRolloverSettings',
  path: '/ktx/klend/set-rollover-settings',
  purpose: 'set the terms on which anyone may roll a debt over',
  body: z
    .object(
      {
        wallet,
        market: address('Address of the lending market.'),
        obligation: ObligationChoiceBody.optional(),
        reserve: address('Address of the reserve of the debt.'),
        enabled: flag('Whether anyone may roll the debt over before the end of its term.'),
        maxBorrowRateBps: whole(
          0,
          MAX_RATE_BPS,
          'Maximum borrow rate after a rollover into a fixed term, in basis points per year. Above 0 for a debt that may roll over.',
        ).optional(),
        minTermSeconds: whole(
          0,
          Number.MAX_SAFE_INTEGER,
          'Minimum term after a rollover, in seconds. 0 accepts no fixed term. Above 0 for `migrationToFixed`.',
        ).optional(),
        openTermAllowed: flag(
          'Whether the debt may also roll over into one without a term, to which the maximum rate does not apply.',
        ),
        migrationToFixed: flag('Whether anyone may move a debt without a term to a fixed term, at any time.'),
        windowDays: whole(
          0,
          255,
          'Days before the end of the term from which it can roll over to a fixed term. 0 for the window of the market.',
        ).optional(),
        options,
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi('SetRolloverSettingsBody'),
  example: (addresses) => ({
    wallet: addresses.termWallet,
    market: addresses.termMarket,
    reserve: addresses.termReserve,
    enabled: true,
    maxBorrowRateBps: 800,
    minTermSeconds: 2_592_000,
  }),
  actionOf: (source, { wallet: owner, market, obligation, reserve, minTermSeconds, ...given }) =>
    setRolloverAction(source, {
      wallet: owner,
      market,
      ...obligationOf(obligation),
      reserve,
      settings: {
        ...(given.enabled !== undefined && { enabled: given.enabled }),
        ...(given.maxBorrowRateBps !== undefined && { maxBorrowRateBps: given.maxBorrowRateBps }),
        ...(minTermSeconds !== undefined && { minTermSeconds: BigInt(minTermSeconds) }),
        ...(given.openTermAllowed !== undefined && { openTermAllowed: given.openTermAllowed }),
        ...(given.migrationToFixed !== undefined && { migrationToFixed: given.migrationToFixed }),
        ...(given.windowDays !== undefined && { windowDays: given.windowDays }),
      },
    }),
});

/** A rollover of a debt, on the settings of its owner. */
const ROLL_OVER: KtxAction = ktxAction({
  name: 'rollOverBorrow',
  id: 'rollOverBorrow',
  mutation: 'buildRollOverBorrow',
  path: '/ktx/klend/roll-over-borrow',
  purpose: 'roll a debt of any wallet over',
  body: z
    .object(
      {
        wallet: address(
          'Wallet that sends the rollover: it signs the transaction, and pays its fee unless there is another fee payer. It need not own the obligation.',
        ),
        obligation: address('Address of the obligation that owes the debt.'),
        reserve: address('Address of the reserve of the debt.'),
        targetReserve: address(
          'Address of the reserve that the debt moves to, of the same market and token. The reserve of the debt itself starts its term anew.',
        ),
        options,
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi('RollOverBorrowBody'),
  example: (addresses) => ({
    wallet: addresses.wallet,
    obligation: addresses.termObligation,
    reserve: addresses.termReserve,
    targetReserve: addresses.termReserve,
  }),
  actionOf: (source, { wallet: sender, obligation, reserve, targetReserve }) =>
    rollOverAction(source, { wallet: sender, obligation, reserve, targetReserve }),
});

/** Actions on rollovers. */
export const ROLLOVER_ACTIONS: readonly KtxAction[] = [SET, ROLL_OVER];

import { z } from '@hono/zod-openapi';
import { setRolloverAction } from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { NOT_AN_OBJECT, options, wallet, whole } from './body-parts.ts';
import { ObligationChoiceBody, obligationOf } from './obligation-choice-schemas.ts';

const MAX_RATE_BPS = 2_147_483_647;

const flag = (description: string) =>
  z.boolean({ error: 'must be true or false' }).optional().openapi({ description });

/** The rollover settings of a debt. A setting that is left out stays as it is. */
export const SET_ROLLOVER_ACTION: KtxAction = ktxAction({
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

import { z } from '@hono/zod-openapi';
import {
  claimReferralFeesAction,
  nameReferrerAction,
  setUpReferrerAction,
} from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { NOT_AN_OBJECT, options, wallet } from './body-parts.ts';

const MAX_RESERVES = 100;

const body = <S extends z.ZodRawShape>(name: string, shape: S) =>
  z.object({ ...shape, wallet, options }, { error: NOT_AN_OBJECT }).openapi(name);

const reservesOr = (byDefault: string) =>
  z
    .array(address('Address of a reserve.'))
    .min(1, `names no reserve: omit it for ${byDefault}`)
    .max(MAX_RESERVES, `names more than ${MAX_RESERVES} reserves`)
    .optional();

const SET_UP = ktxAction({
  name: 'setUpReferrer',
  id: 'setUpReferrer',
  mutation: 'buildSetUpReferrer',
  path: '/ktx/klend/set-up-referrer',
  purpose: 'set a wallet up as a referrer in reserves of a market',
  body: body('SetUpReferrerBody', {
    market: address('Address of the lending market.'),
    reserves: reservesOr('all that lend').openapi({
      description:
        'Reserves of the market in which the referrer gets an account for its fees. By default all that lend.',
    }),
  }),
  example: ({ wallet: referrer, market, borrowReserve }) => ({
    wallet: referrer,
    market,
    reserves: [borrowReserve],
  }),
  actionOf: (source, { wallet: referrer, market, reserves }) =>
    setUpReferrerAction(source, {
      wallet: referrer,
      market,
      ...(reserves === undefined ? {} : { reserves }),
    }),
});

const NAME = ktxAction({
  name: 'nameReferrer',
  id: 'nameReferrer',
  mutation: 'buildNameReferrer',
  path: '/ktx/klend/name-referrer',
  purpose: 'register a wallet with the lending program and name its referrer',
  body: body('NameReferrerBody', {
    referrer: address('The referrer, who must be registered with the lending program.'),
  }),
  example: ({ emptyWallet, wallet: referrer }) => ({ wallet: emptyWallet, referrer }),
  actionOf: (source, { wallet: named, referrer }) => nameReferrerAction(source, { wallet: named, referrer }),
});

const CLAIM = ktxAction({
  name: 'claimReferralFees',
  id: 'claimReferralFees',
  mutation: 'buildClaimReferralFees',
  path: '/ktx/klend/claim-referral-fees',
  purpose: 'claim the fees of a referrer',
  body: body('ClaimReferralFeesBody', {
    reserves: reservesOr('all that owe the wallet fees').openapi({
      description: 'Reserves to claim from. By default all that owe the wallet fees.',
    }),
  }),
  example: ({ referrer, referredReserve }) => ({ wallet: referrer, reserves: [referredReserve] }),
  actionOf: (source, { wallet: referrer, reserves }, given) =>
    claimReferralFeesAction(source, {
      wallet: referrer,
      ...(reserves === undefined ? {} : { reserves }),
      ...given,
    }),
});

/** Actions of referrers and of those who name them. */
export const REFERRAL_ACTIONS: readonly KtxAction[] = [SET_UP, NAME, CLAIM];

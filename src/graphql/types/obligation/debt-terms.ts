import type { Address } from '@solana/kit';
import { safeDate } from '../../../domain/dates.ts';
import { debtTermEnd, fixedTermRolloverWindow, openTermRolloverWindow } from '../../../domain/debt-terms.ts';
import type { RolloverTerms } from '../../../domain/rollover-terms.ts';
import { builder } from '../../builder.ts';
import { ObligationBorrowRef } from './obligation-parts.ts';

/** Rollover terms of a debt, and its market. */
export interface RolloverInMarket {
  readonly terms: RolloverTerms;
  readonly market: Address;
}

export const BorrowRolloverRef = builder.objectRef<RolloverInMarket>('BorrowRollover').implement({
  description:
    'Terms on which anyone may roll a debt over: move it to another reserve of its token, or start its term anew. The owner of the obligation sets them.',
  fields: (t) => ({
    enabled: t.boolean({
      description: 'Whether the owner lets the debt roll over at the end of its term.',
      resolve: ({ terms }) => terms.autoRolloverEnabled !== 0,
    }),
    openTermAllowed: t.boolean({
      description: 'Whether it may roll over into a debt without a term.',
      resolve: ({ terms }) => terms.openTermAllowed !== 0,
    }),
    migrationToFixedEnabled: t.boolean({
      description: 'Whether a debt without a term may be moved to a fixed term at any time.',
      resolve: ({ terms }) => terms.migrationToFixedEnabled !== 0,
    }),
    maxBorrowRateBps: t.field({
      type: 'U64',
      description: 'Maximum borrow rate after a rollover into a fixed term, in basis points per year.',
      resolve: ({ terms }) => BigInt(terms.maxBorrowRateBps),
    }),
    minTermSeconds: t.field({
      type: 'U64',
      description: 'Minimum term after a rollover, in seconds. "0" allows no fixed term.',
      resolve: ({ terms }) => terms.minDebtTermSeconds,
    }),
    windowDays: t.int({
      nullable: true,
      description:
        'Days before the end of the term in which the owner lets it roll over to a fixed term. Null for the window of the market.',
      resolve: ({ terms }) => terms.fixedTermRolloverWindowDurationDays || null,
    }),
    windowSeconds: t.field({
      type: 'U64',
      nullable: true,
      description:
        'Seconds before the end of the term from which it can roll over to a fixed term: the owner\u2019s days, otherwise the window of the market. Null when the market has such rollovers switched off, or cannot be read.',
      resolve: ({ terms, market }, _args, { session }) => {
        const account = session.view.get('market', market)?.value;
        return account ? fixedTermRolloverWindow(account, terms) : null;
      },
    }),
    openTermWindowSeconds: t.field({
      type: 'U64',
      nullable: true,
      description:
        'Seconds before the end of the term from which it can roll over to a debt without a term. Null when the market has such rollovers switched off, or cannot be read.',
      resolve: ({ market }, _args, { session }) => {
        const account = session.view.get('market', market)?.value;
        return account ? openTermRolloverWindow(account) : null;
      },
    }),
  }),
});

builder.objectFields(ObligationBorrowRef, (t) => ({
  termEndsAt: t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'End of the term of the debt, which every borrow from the reserve starts anew. Null in a reserve without a term, when the program has not stored the time of the borrow, and when the reserve cannot be read.',
    resolve: ({ stored }, _args, { session }) => {
      const config = session.view.get('reserve', stored.borrowReserve)?.value.config;
      const end = config ? debtTermEnd(config, stored) : null;
      return end === null ? null : safeDate(end);
    },
  }),
  rollover: t.field({
    type: BorrowRolloverRef,
    description: 'Terms on which the debt can roll over.',
    resolve: ({ stored, market }) => ({ terms: stored.fixedTermBorrowRolloverConfig, market }),
  }),
}));

import {
  rollOverAction,
  setRolloverAction,
  type WantedRollover,
} from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { BuildOptionsRef, choiceOf } from './build-inputs.ts';
import { loanFields } from './loan-fields.ts';

const SetRolloverSettingsInputRef = builder.inputType('SetRolloverSettingsInput', {
  description:
    'Input of the rollover settings of a debt. A setting that is left out stays as it is; a new debt has none, so nobody may roll it over.',
  fields: (t) => ({
    ...loanFields(t, 'Obligation that owes the debt.'),
    reserve: t.field({ type: 'Address', required: true, description: 'Address of the reserve of the debt.' }),
    enabled: t.boolean({ description: 'Whether anyone may roll the debt over before the end of its term.' }),
    maxBorrowRateBps: t.int({
      description:
        'Maximum borrow rate after a rollover into a fixed term, in basis points per year. The highest rate of a reserve must not be above it. Above 0 for a debt that may roll over.',
    }),
    minTermSeconds: t.field({
      type: 'U64',
      description:
        'Minimum term after a rollover, in seconds. 0 accepts no fixed term. Above 0 for `migrationToFixed`.',
    }),
    openTermAllowed: t.boolean({
      description:
        'Whether the debt may also roll over into one without a term, to which the maximum rate does not apply.',
    }),
    migrationToFixed: t.boolean({
      description: 'Whether anyone may move a debt without a term to a fixed term, at any time.',
    }),
    windowDays: t.int({
      description:
        'Days before the end of the term from which it can roll over to a fixed term, 0 to 255. 0 for the window of the market.',
    }),
  }),
});

const RollOverBorrowInputRef = builder.inputType('RollOverBorrowInput', {
  description: 'Input of a rollover of a debt.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Wallet that sends the rollover: it signs the transaction, and pays its fee unless there is another fee payer. It need not own the obligation.',
    }),
    obligation: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the obligation that owes the debt.',
    }),
    reserve: t.field({ type: 'Address', required: true, description: 'Address of the reserve of the debt.' }),
    targetReserve: t.field({
      type: 'Address',
      required: true,
      description:
        'Address of the reserve that the debt moves to, of the same market and token. The reserve of the debt itself starts its term anew.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

type Given = { readonly [K in keyof WantedRollover]?: WantedRollover[K] | null | undefined };

/** Null means the same as a missing value. */
function wanted({
  enabled,
  maxBorrowRateBps,
  minTermSeconds,
  openTermAllowed,
  migrationToFixed,
  windowDays,
}: Given): WantedRollover {
  return {
    ...(typeof enabled === 'boolean' && { enabled }),
    ...(typeof maxBorrowRateBps === 'number' && { maxBorrowRateBps }),
    ...(typeof minTermSeconds === 'bigint' && { minTermSeconds }),
    ...(typeof openTermAllowed === 'boolean' && { openTermAllowed }),
    ...(typeof migrationToFixed === 'boolean' && { migrationToFixed }),
    ...(typeof windowDays === 'number' && { windowDays }),
  };
}

export const ROLLOVER_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'setRolloverSettings',
    mutation: 'buildSetRolloverSettings',
    kind: 'SET_ROLLOVER_SETTINGS',
    builds:
      'Builds new rollover settings of a debt: the terms on which anyone may move it to another reserve of its token before its term ends, or start its term anew, without a further signature of the owner.',
    input: SetRolloverSettingsInputRef,
    actionOf: (source, { wallet, market, obligation, reserve, ...settings }) =>
      setRolloverAction(source, {
        wallet,
        market,
        ...choiceOf(obligation),
        reserve,
        settings: wanted(settings),
      }),
  }),
  actionField({
    name: 'rollOverBorrow',
    mutation: 'buildRollOverBorrow',
    kind: 'ROLL_OVER_BORROW',
    builds:
      'Builds a rollover of a debt on the rollover settings of its owner: as much of it as the new reserve can lend moves there, without a fee or an early repayment penalty, and its term starts anew. Anyone may send it.',
    input: RollOverBorrowInputRef,
    actionOf: (source, { wallet, obligation, reserve, targetReserve }) =>
      rollOverAction(source, { wallet, obligation, reserve, targetReserve }),
  }),
];

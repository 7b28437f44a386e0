import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { updateObligationConfig } from '@sluice/protocol/klend/obligation-instructions';
import type { Address } from '@solana/kit';
import { type RolloverTerms, rolloverTermsFlaw } from '../../domain/rollover-terms.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { type Action, type BuiltStep, once, type StepContext } from '../action.ts';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import { obligationReserves } from '../lending/request.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { type ChangedSetting, changedSettings } from './changed-settings.ts';
import { settingsPreview } from './preview.ts';
import {
  checkWanted,
  type RolloverAccounts,
  type RolloverRequest,
  refused,
  rolloverAccounts,
  rolloverReads,
  type WantedRollover,
  wantedTerms,
} from './request.ts';

/** Kinds of action in this folder, with their descriptions. */
export const ROLLOVER_ACTIONS = {
  SET_ROLLOVER_SETTINGS: 'Set the terms on which anyone may roll a debt over.',
  ROLL_OVER_BORROW: 'Roll a debt over: move it to another reserve of its token, or start its term anew.',
} as const;

export interface SetRolloverRequest {
  /** The owner. */
  readonly wallet: Address;
  readonly market: Address;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
  /** Reserve of the debt. */
  readonly reserve: Address;
  readonly settings: WantedRollover;
}

/**
 * The terms on which anyone may roll a debt over, with one instruction for each setting that changes.
 *
 * @throws BUILD_REFUSED when nothing changes, or for terms that the program never accepts
 * @example
 * const settings = { enabled: true, maxBorrowRateBps: 800, minTermSeconds: 2_592_000n };
 * setRolloverAction(known, { wallet, market, reserve, settings });
 */
export function setRolloverAction(known: KnownAccounts, given: SetRolloverRequest): Action {
  const { wallet, market, obligation = DEFAULT_OBLIGATION, reserve, settings } = given;
  checkWanted(settings);
  const { programs } = known;
  const request: RolloverRequest = { programs, wallet, market, obligation, reserve };
  return {
    wallet,
    named: rolloverReads(request),
    expected: [],
    needed: (read) => {
      rolloverAccounts(request, read);
      return [];
    },
    build(read, at): BuiltStep {
      const accounts = rolloverAccounts(request, read);
      const before = accounts.debt.fixedTermBorrowRolloverConfig;
      const after = wantedTerms(before, settings);
      const changes = changedSettings(before, after);
      checkChanges(accounts, changes);
      return {
        kind: 'SET_ROLLOVER_SETTINGS',
        action: {
          // Nothing is paid or received.
          amount: 0n,
          all: false,
          wrappedSol: null,
          instructions: changes.map((each) => settingInstruction(accounts, each)),
        },
        // An instruction names too few accounts for a table to save bytes.
        tables: [],
        walletTokens: [],
        preview: once(() => settingsPreview(accounts, before, after, changes)),
        after: once(() => settingChanges(accounts, after, at, read)),
        fresh: at.fresh,
        references: {
          obligation: accounts.obligationAddress,
          addresses: obligationReserves(accounts.obligation),
        },
      };
    },
  };
}

/** The switch of the market may change until the transaction lands; the terms do not. */
function checkChanges({ request }: RolloverAccounts, changes: readonly ChangedSetting[]): void {
  if (changes.length === 0) {
    throw refused(
      `the rollover settings of the debt in reserve ${request.reserve} are as you want them: name one to change`,
    );
  }
  const isOn = { obligationBorrowRolloverConfigurationEnabled: 1 };
  const flaws = changes
    .filter(({ isChecked }) => isChecked)
    .map(({ terms }) => rolloverTermsFlaw(isOn, terms));
  if (flaws.includes('NO_RATE')) {
    throw refused('a debt that may roll over needs a maximum rate above 0', 'InvalidConfig');
  }
  if (flaws.includes('NO_TERM')) {
    throw refused('a debt that may move to a fixed term needs a minimum term above 0', 'InvalidConfig');
  }
}

function settingInstruction(
  { request, obligationAddress }: RolloverAccounts,
  { mode, value, summary }: ChangedSetting,
): BuiltInstruction {
  const { programs, wallet, market, reserve } = request;
  const built = instruction(
    updateObligationConfig,
    programs.klend,
    {
      owner: wallet,
      obligation: obligationAddress,
      borrowReserve: reserve,
      depositReserve: null,
      lendingMarket: market,
    },
    { mode, valueLength: value.length },
    { summary: `For the debt, ${summary}` },
  );
  return { ...built, data: new Uint8Array([...built.data, ...value]) };
}

/** The obligation with the new terms; the program refreshes nothing. */
function settingChanges(
  { request, obligation, obligationAddress }: RolloverAccounts,
  terms: RolloverTerms,
  { payer }: StepContext,
  read: ReadAccounts,
): AccountChanges {
  const changes = new ChangedAccounts(read, payer);
  changes.patch(obligationAddress, obligationLayout, {
    borrows: obligation.borrows.map(({ borrowReserve }) =>
      borrowReserve === request.reserve ? { fixedTermBorrowRolloverConfig: terms } : {},
    ),
  });
  return changes.changes;
}

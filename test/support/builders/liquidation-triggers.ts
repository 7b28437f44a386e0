import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { liquidationAccounts } from '../../../src/builders/liquidation/accounts.ts';
import { buildLiquidation } from '../../../src/builders/liquidation/liquidate.ts';
import { liquidationOutcome } from '../../../src/builders/liquidation/outcome.ts';
import { liquidationWarnings } from '../../../src/builders/liquidation/warnings.ts';
import type { BuildWarning } from '../../../src/builders/warnings.ts';
import { position, type Trigger } from './built-warnings.ts';
import {
  type LendingSetting,
  lendingChain,
  lendingRequest,
  MARKET,
  NOW,
  type ReserveSetting,
  reserveAddress,
  SLOT,
  WALLET,
} from './lending-accounts.ts';

/** Repays as much as the program allows of the debt in reserve 0 for the deposit in reserve 1. */
function liquidate(setting: LendingSetting, minReceived = 0n): readonly BuildWarning[] {
  const { programs, lookupTables, oracles } = lendingRequest('repay');
  const accounts = liquidationAccounts(
    {
      programs,
      wallet: WALLET,
      obligation: obligationAddress(programs.klend, WALLET, MARKET, VANILLA_OBLIGATION).address,
      repayReserve: reserveAddress(0),
      withdrawReserve: reserveAddress(1),
      lookupTables,
      oracles,
    },
    lendingChain(setting),
    SLOT,
    WALLET,
  );
  const outcome = liquidationOutcome(accounts, 'all', NOW);
  const action = buildLiquidation(accounts, { asked: 'all', minReceived }, outcome, NOW);
  return liquidationWarnings(accounts, action, minReceived, outcome, NOW);
}

/** 1000 deposited, which may back 850, and 900 owed. A fifth of the debt can be liquidated. */
const unhealthy = (deposited: ReserveSetting = {}, more: LendingSetting = {}): LendingSetting =>
  position(
    {},
    {
      reserves: [{}, deposited, {}],
      borrows: [[0, 900_000_000n]],
      market: {
        liquidationMaxDebtCloseFactorPct: 20,
        insolvencyRiskUnhealthyLtvPct: 95,
        maxLiquidatableDebtMarketValueAtOnce: 500_000n,
      },
      ...more,
    },
  );

export const LIQUIDATION_TRIGGERS: readonly Trigger[] = [
  ['NOT_LIQUIDATABLE', 'a healthy obligation', () => liquidate(position())],
  [
    'LIQUIDATION_ORDER',
    'a deposit with a lower threshold',
    () =>
      liquidate(
        unhealthy(
          {},
          {
            reserves: [{}, {}, { config: { liquidationThresholdPct: 60 } }],
            deposits: [
              [1, 500_000_000n],
              [2, 500_000_000n],
            ],
          },
        ),
      ),
  ],
  ['RECEIVED_TOO_LITTLE', 'a minimum above the seized collateral', () => liquidate(unhealthy(), 10n ** 9n)],
  [
    'COLLATERAL_NOT_REDEEMED',
    'a reserve that has lent everything',
    () => liquidate(unhealthy({ available: 0n, borrowed: 10n ** 12n })),
  ],
];

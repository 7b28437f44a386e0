import { MAINNET_PROGRAMS, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { type AmountInput, toBaseUnits } from '../../../src/builders/amount.ts';
import { liquidationAccounts } from '../../../src/builders/liquidation/accounts.ts';
import { buildLiquidation } from '../../../src/builders/liquidation/liquidate.ts';
import { liquidationOutcome } from '../../../src/builders/liquidation/outcome.ts';
import { liquidationPreview } from '../../../src/builders/liquidation/preview.ts';
import type { LiquidationRequest } from '../../../src/builders/liquidation/request.ts';
import { liquidationWarnings } from '../../../src/builders/liquidation/warnings.ts';
import { addressNumber, type LendingSetting, NOW, reserveAddress } from '../builders/lending-accounts.ts';
import { type LendingBench, lendingBench } from '../localnet/lending-bench.ts';
import { UNHEALTHY } from './unhealthy-loan.ts';

export const LIQUIDATOR = addressNumber(60);
/** Base units of every token that the liquidator has. */
export const BALANCE = 10n ** 12n;

export const tokenOf = (mint: Address) => associatedTokenAddress(LIQUIDATOR, TOKEN_PROGRAM, mint).address;

/** Terms of a liquidation; reserves by their index in the setting. */
export interface Asked {
  readonly amount?: AmountInput;
  readonly minReceived?: bigint;
  readonly repay?: number;
  readonly withdraw?: number;
}

/** A liquidator with tokens of every reserve, and the obligation of a setting. */
export function unhealthy(setting: LendingSetting = UNHEALTHY): LendingBench {
  const bench = lendingBench(setting, 'repay', 1);
  const lamports = 100n * 10n ** 9n;
  bench.set(LIQUIDATOR, { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array(), executable: false });
  (setting.reserves ?? []).forEach(({ sol }, index) => {
    const { mintPubkey } = bench.reserve(index).liquidity;
    if (!sol) bench.setBalance(tokenOf(mintPubkey), mintPubkey, LIQUIDATOR, BALANCE);
  });
  return bench;
}

/** Builds a liquidation of the obligation of a bench, with what a caller sees of it. */
export function buildOn(
  bench: LendingBench,
  { amount = { all: true }, minReceived = 0n, ...asked }: Asked = {},
) {
  const request: LiquidationRequest = {
    programs: MAINNET_PROGRAMS,
    wallet: LIQUIDATOR,
    obligation: bench.obligationAddress,
    repayReserve: reserveAddress(asked.repay ?? 1),
    withdrawReserve: reserveAddress(asked.withdraw ?? 0),
    lookupTables: [],
    oracles: [],
  };
  const accounts = liquidationAccounts(request, (each) => bench.get(each) ?? null, NOW.slot, LIQUIDATOR);
  const units = toBaseUnits(amount, { decimals: 6, maxMeansAll: true });
  const outcome = liquidationOutcome(accounts, units, NOW);
  const action = buildLiquidation(accounts, { asked: units, minReceived }, outcome, NOW);
  const warnings = liquidationWarnings(accounts, action, minReceived, outcome, NOW);
  return { accounts, outcome, action, preview: liquidationPreview(accounts, outcome, warnings), warnings };
}

export const errorsOf = ({ warnings }: ReturnType<typeof buildOn>) =>
  warnings.filter(({ level }) => level === 'ERROR').map(({ code }) => code);

import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import { debtUnits, depositUnits, ratiosOf, storedPrice } from '../lending/position-units.ts';
import type { Acted, LeverageDesk, Pair } from './leverage-desk.ts';

const published = (units: Rational, decimals: number) =>
  toDecimalString(units.div(Rational.of(10n ** BigInt(decimals))));

/** The chain computes ratios from prices with 60 bits, the preview exactly. */
export function expectNear(text: string | null | undefined, wanted: Rational | null): void {
  if (wanted === null) {
    expect(text).toBeNull();
    return;
  }
  const found = parseDecimal(text ?? expect.fail('no number'));
  const allowed = wanted.abs().div(Rational.of(10n ** 14n));
  const shown = `${text}, not ${toDecimalString(wanted)}`;
  expect(found.sub(wanted).abs().compare(allowed), shown).toBeLessThanOrEqual(0);
}

/** The chain has the position of the preview, to the base unit, and the wallet has what the worst case says. */
export function expectPosition(desk: LeverageDesk, pair: Pair, obligation: Address, acted: Acted): void {
  const { preview, landed, changes } = acted;
  const { after } = landed;
  const [collateral, debt] = [desk.of(pair.collateral), desk.of(pair.debt)];
  expect(preview.tokens.after).toBe(
    published(depositUnits(after, obligation, collateral.address), collateral.decimals),
  );
  expect(preview.debtTokens.after).toBe(published(debtUnits(after, obligation, debt.address), debt.decimals));
  const { loanToValue, healthFactor, leverage } = ratiosOf(after, obligation);
  expectNear(preview.loanToValue.after, loanToValue);
  expectNear(preview.healthFactor.after, healthFactor);
  expectNear(preview.leverage.after, leverage);
  // With one collateral, it is liquidated once the price has fallen by the health.
  const price = storedPrice(after, collateral.address);
  expectNear(preview.liquidationPriceUsd.after, healthFactor && price.div(healthFactor));
  const { worstCase } = preview;
  expect([worstCase.healthFactor, worstCase.leverage]).toEqual([
    preview.healthFactor.after,
    preview.leverage.after,
  ]);
  expect(changes).toEqual(worstCase.walletChanges.map(({ baseUnits }) => BigInt(baseUnits)));
}

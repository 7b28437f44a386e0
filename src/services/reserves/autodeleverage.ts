import type { MarketRecord, ReserveRecord } from '../request/records.ts';

/** How a reserve that is over its limits makes borrowers reduce their loans. */
export interface ReserveAutodeleverage {
  readonly enabled: boolean;
  readonly marginCallSeconds: bigint;
  readonly thresholdDecreaseBpsPerDay: bigint;
  readonly bonusIncreaseBpsPerDay: bigint;
  readonly minBonusBps: number;
}

export function reserveAutodeleverage({ value: { config } }: ReserveRecord): ReserveAutodeleverage {
  return {
    enabled: config.autodeleverageEnabled !== 0,
    marginCallSeconds: config.deleveragingMarginCallPeriodSecs,
    thresholdDecreaseBpsPerDay: config.deleveragingThresholdDecreaseBpsPerDay,
    bonusIncreaseBpsPerDay: config.deleveragingBonusIncreaseBpsPerDay,
    minBonusBps: config.minDeleveragingBonusBps,
  };
}

/** The part of it that the market decides. */
export interface MarketAutodeleverage {
  readonly enabled: boolean;
  readonly individualMarginCallSeconds: bigint;
}

export function marketAutodeleverage({ value }: MarketRecord): MarketAutodeleverage {
  return {
    enabled: value.autodeleverageEnabled !== 0,
    individualMarginCallSeconds: value.individualAutodeleverageMarginCallPeriodSecs,
  };
}

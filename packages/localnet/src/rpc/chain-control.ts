import type { Address } from '@solana/kit';

/** Longest step of time that a test may take: a year. */
export const MAX_ADVANCE_SECONDS = 31_536_000;

/** Controls of a test over a chain, besides sending transactions. */
export interface ChainControl {
  /** Symbol or mint, and USD per whole token scaled by 2^60. False when there is no such token. */
  setPrice(token: string, priceSf: bigint): boolean;
  /** Switches the emergency mode of a reserve or market. False when the address is of neither. */
  setEmergencyMode(address: Address, isOn: boolean): boolean;
  advance(seconds: number): void;
  /** Restores accounts and prices as they were when the chain started. Time does not go back. */
  reset(): void;
}

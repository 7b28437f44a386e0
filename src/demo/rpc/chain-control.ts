/** What a test may do to a chain besides sending transactions. */
export interface ChainControl {
  /** Symbol or mint, and USD per whole token scaled by 2^60. False when there is no such token. */
  setPrice(token: string, priceSf: bigint): boolean;
  advance(seconds: number): void;
  /** Restores accounts and prices as they were when the chain started. Time does not go back. */
  reset(): void;
}

import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { Address } from '@solana/kit';

/** A swap of an exact amount between two token accounts of a wallet. */
export interface QuoteRequest {
  /** The payer of the request, for limits per caller. */
  readonly caller: string;
  readonly wallet: Address;
  readonly sold: QuotedToken;
  readonly bought: QuotedToken;
  /** Base units of the sold token. */
  readonly inAmount: bigint;
  /** Most that the price may worsen until the swap runs. */
  readonly slippageBps: number;
}

export interface QuotedToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The account of the wallet that the swap spends from or pays into. */
  readonly account: Address;
}

/** An answer to a request, checked against it. */
export interface Quote {
  readonly inAmount: bigint;
  /** Base units of the bought token at the present price. */
  readonly expectedOut: bigint;
  /** Base units below which the swap fails, by its own instruction. */
  readonly guaranteedOut: bigint;
  readonly slippageBps: number;
  /** Program of the swap. */
  readonly router: Address;
  readonly instructions: readonly EncodedInstruction[];
  readonly lookupTables: readonly Address[];
}

/** Where quotes come from. What it returns is never trusted, and passes the same checks as a caller's swap. */
export interface QuoteSource {
  /** @throws SluiceError QUOTE_UNAVAILABLE, QUOTE_REFUSED */
  quote(request: QuoteRequest, signal: AbortSignal): Promise<Quote>;
}

/** A source with the limits of the deployment. */
export interface Quotes {
  readonly source: QuoteSource;
  readonly maxSlippageBps: number;
  /** Most that a quote may be worse than the price of the oracle, before slippage. */
  readonly maxPriceImpactBps: number;
}

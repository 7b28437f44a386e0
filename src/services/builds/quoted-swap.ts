import { FULL_BPS, fromBps } from '@sluice/protocol/numeric/fraction';
import { integer, ONE, Rational } from '@sluice/protocol/numeric/rational';
import type { SwapLeg } from '../../builders/leverage/swap-leg.ts';
import type { PricedSide, SwapNeed, SwappingAction } from '../../builders/leverage/swap-need.ts';
import { toTokens } from '../../domain/arithmetic.ts';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { Quote, Quotes } from '../../quotes/quote-source.ts';
import type { BuildSource } from './build-source.ts';
import type { Action } from './builds.ts';
import { readForBuild } from './reads.ts';
import { type GivenSwap, swapOf } from './swap-input.ts';

/** Swaps are of an exact amount in. For an exact amount out, the amount in is corrected by each quote that pays too little. */
const MAX_QUOTES = 3;
/** Part of the amount out by which the interest until the build, and the price until the quote, may raise what is needed. */
const MARGIN = Rational.of(1n, 20_000n);

/**
 * The action with the swap of the caller, or without one with a quote for what it needs on the accounts before the build.
 *
 * @throws SluiceError SWAP_REFUSED, QUOTES_OFF, QUOTE_REFUSED, QUOTE_UNAVAILABLE
 */
export async function swapped(
  source: BuildSource,
  action: SwappingAction,
  given: GivenSwap | null | undefined,
): Promise<Action> {
  if (given) return action.withSwap(swapOf(given));
  const { quotes } = source;
  if (quotes === null) throw new SluiceError('QUOTES_OFF', {});
  const need = await readForBuild(source.session, action, ({ read, isRead, slot, moment }) => {
    const needs = action.needed(read).filter((address) => !isRead(address));
    if (needs.length > 0) return { needs };
    return { built: action.need(read, { slot, moment, payer: action.wallet, fresh: new Set() }) };
  });
  return action.withSwap(await quotedSwap(source, quotes, action, need));
}

async function quotedSwap(
  { session }: BuildSource,
  { source, maxSlippageBps, maxPriceImpactBps }: Quotes,
  { wallet }: SwappingAction,
  need: SwapNeed,
): Promise<SwapLeg> {
  const { sold, bought, amount } = need;
  const price = priceOf(need);
  const least = 'receive' in amount ? withMargin(amount.receive) : 1n;
  let inAmount = 'spend' in amount ? amount.spend : amountFor(need, price, least, maxSlippageBps);
  if (inAmount <= 0n) throw refused('there is nothing to swap; raise the amount');
  for (let attempt = 1; ; attempt += 1) {
    session.work.record('calls', 1);
    const request = {
      caller: session.caller,
      wallet,
      sold: tokenOf(sold),
      bought: tokenOf(bought),
      inAmount,
      slippageBps: maxSlippageBps,
    };
    const quote = await source.quote(request, session.signal);
    const priceImpact = impactOf(need, price, quote);
    if (priceImpact.compare(fromBps(maxPriceImpactBps)) > 0) {
      const worse = priceImpact.mul(integer(FULL_BPS)).ceil();
      throw refused(
        `it pays ${worse} basis points less than the price of the oracle, and this deployment accepts ${maxPriceImpactBps}`,
      );
    }
    if (quote.guaranteedOut >= least) return legOf(quote, priceImpact);
    if (attempt === MAX_QUOTES) {
      throw refused(
        `its minimum out is ${quote.guaranteedOut} base units after ${MAX_QUOTES} attempts, but ${least} are needed`,
      );
    }
    inAmount = (withMargin(inAmount) * least) / quote.guaranteedOut + 1n;
  }
}

const refused = (reason: string): CodedError => new SluiceError('QUOTE_REFUSED', { reason });

const withMargin = (units: bigint): bigint => integer(units).mul(ONE.add(MARGIN)).ceil() + 1n;

const tokenOf = ({ mint, tokenProgram, token }: PricedSide) => ({
  mint,
  tokenProgram,
  account: token.address,
});

const tokens = ({ decimals }: PricedSide, units: bigint): Rational =>
  toTokens(integer(units), BigInt(decimals));

/** Bought tokens per sold token, by the oracle. */
function priceOf({ sold, bought }: SwapNeed): Rational {
  const unknown = [sold, bought].find(({ priceUsd }) => priceUsd === null || priceUsd.isZero);
  if (unknown !== undefined || sold.priceUsd === null || bought.priceUsd === null) {
    throw refused(`the oracle has no price of ${unknown?.symbol ?? 'the token'} to compare it with`);
  }
  return sold.priceUsd.div(bought.priceUsd);
}

/** Base units that pay at least `least` at the price of the oracle, after slippage. */
function amountFor({ sold, bought }: SwapNeed, price: Rational, least: bigint, slippageBps: number): bigint {
  const wanted = tokens(bought, least)
    .div(price)
    .div(ONE.sub(fromBps(slippageBps)));
  return withMargin(wanted.mul(integer(10n ** BigInt(sold.decimals))).ceil());
}

/** Part of the value that the swap loses before slippage; negative for a gain. */
function impactOf({ sold, bought }: SwapNeed, price: Rational, { inAmount, expectedOut }: Quote): Rational {
  return ONE.sub(tokens(bought, expectedOut).div(tokens(sold, inAmount).mul(price))).reduced();
}

const legOf = (quote: Quote, priceImpact: Rational): SwapLeg => ({
  instructions: quote.instructions,
  lookupTables: quote.lookupTables,
  inAmount: quote.inAmount,
  minOut: quote.guaranteedOut,
  signers: [],
  quote: {
    router: quote.router,
    expectedOut: quote.expectedOut,
    slippageBps: quote.slippageBps,
    priceImpact,
  },
});

import type { Localnet } from '@sluice/localnet/localnet';
import { ROUTER_PROGRAM } from '@sluice/protocol/program-ids';
import type { Config } from '../config/config.ts';
import type { Quotes } from '../quotes/quote-source.ts';
import { SwapApi } from '../quotes/swap-api.ts';

/** Quotes of the configured API, or of the exchange of the localnet. Null for none. */
export function quotesOf(config: Config, embedded: Localnet | null): Quotes | null {
  const own = config.QUOTE_URL === null ? embedded : null;
  const url = config.QUOTE_URL ?? own?.rpc.url;
  if (config.QUOTES === 'off' || url === undefined) return null;
  return {
    source: new SwapApi({
      url,
      apiKey: config.QUOTE_API_KEY,
      router: config.QUOTE_ROUTER_PROGRAM_ID ?? own?.exchangeProgram ?? ROUTER_PROGRAM,
      timeoutMs: config.QUOTE_TIMEOUT_MS,
      concurrency: config.QUOTE_CONCURRENCY,
    }),
    maxSlippageBps: config.QUOTE_MAX_SLIPPAGE_BPS,
    maxPriceImpactBps: config.QUOTE_MAX_PRICE_IMPACT_BPS,
  };
}

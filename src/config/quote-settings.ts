import { integer, oneOf, programId, text, url } from './setting-kinds.ts';

/** Settings of quotes for swaps. */
export const QUOTES = {
  QUOTES: oneOf(
    'auto',
    ['auto', 'off'],
    'Quote the swap of an action where the caller supplies none (docs/leverage.md#without-a-swap): `auto` with QUOTE_URL and on the localnet, which has an exchange of its own.',
  ),
  QUOTE_URL: url(
    ['http:', 'https:'],
    'Base URL of a swap API with the path `/swap/v2/build`, for example https://api.jup.ag. Unset: no quotes, except on the localnet.',
  ),
  QUOTE_API_KEY: text('', /^[\x21-\x7e]*$/, 'an API key', 'Key for that API, sent as `x-api-key`.'),
  QUOTE_ROUTER_PROGRAM_ID: programId(
    'Program that quoted swaps may call, with the instructions of the Jupiter router. Unset: that router, on the localnet its exchange.',
  ),
  QUOTE_MAX_SLIPPAGE_BPS: integer(
    50,
    1,
    1_000,
    'Slippage of quoted swaps, in basis points: a swap fails when it would pay so much less than its quote.',
  ),
  QUOTE_MAX_PRICE_IMPACT_BPS: integer(
    100,
    0,
    5_000,
    'Quotes that are worse than the prices of the oracle by more than this are refused, in basis points, before slippage.',
  ),
  QUOTE_TIMEOUT_MS: integer(3_000, 50, 60_000, 'Time limit of a request for a quote.'),
  QUOTE_CONCURRENCY: integer(
    4,
    1,
    1_000,
    'Most concurrent requests for quotes. A caller may have half of them.',
  ),
} as const;

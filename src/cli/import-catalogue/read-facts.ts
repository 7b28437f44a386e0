import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { CatalogueInput } from '../../config/catalogue/format.ts';
import { address } from '../deployment/fields.ts';
import { readAnswer } from '../deployment/read-answer.ts';
import type { Source } from '../deployment/source.ts';

type FileToken = NonNullable<CatalogueInput['tokens']>[number];
type FileMarket = NonNullable<CatalogueInput['markets']>[number];

/** A token as in a file. */
export type TokenInput = FileToken & { readonly mint: Address };
/** A market as in a file. */
export type MarketInput = FileMarket & { readonly lendingMarket: Address };

/** Facts that a deployment states about its markets and the tokens of their reserves. */
export interface DeploymentFacts {
  readonly markets: readonly MarketInput[];
  readonly tokens: readonly TokenInput[];
  /** Omitted entries, with the reason. */
  readonly skipped: readonly string[];
}

/** A request that failed. Nothing is imported then. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
}

/** Most tokens in a list, by the contract. */
const MAX_TOKENS = 1_000;

const marketList = z.array(
  z.object({
    lendingMarket: address,
    name: z.string(),
    description: z.string().nullish(),
    isPrimary: z.boolean(),
    isCurated: z.boolean().nullish(),
    lookupTable: address.nullish(),
  }),
);

const reserveList = z.array(z.object({ liquidityTokenMint: address }));

const tokenList = z.array(
  z.object({
    mint: address,
    symbol: z.string(),
    name: z.string(),
    logoUrl: z.string().nullish(),
    verified: z.boolean(),
    tradingVolume24H: z.number().min(0).nullish(),
    marketCapUsd: z.number().min(0).nullish(),
    priority: z.int().min(0).nullish(),
  }),
);

type GivenMarket = z.output<typeof marketList>[number];
type GivenToken = z.output<typeof tokenList>[number];

/**
 * Reads the markets of a deployment, the mints of their reserves, and the tokens of these mints.
 * @throws ImportFailure when a request fails or its answer is malformed
 */
export async function readFacts(source: Source, segment: string): Promise<DeploymentFacts> {
  const read = async <T>(path: string, query: Readonly<Record<string, string>>, schema: z.ZodType<T>) => {
    const answer = await readAnswer(source, path, query, schema);
    if (answer.kind !== 'value') throw new ImportFailure(answer.problem);
    return answer.value;
  };
  const markets = await read(`/v2/${segment}`, {}, marketList);
  const mints = new Set<Address>();
  for (const { lendingMarket } of markets) {
    const reserves = await read(`/${segment}/${lendingMarket}/reserves/metrics`, {}, reserveList);
    for (const { liquidityTokenMint } of reserves) mints.add(liquidityTokenMint);
  }
  const tokens = new Map<Address, GivenToken>();
  const add = (list: readonly GivenToken[]) => {
    for (const token of list) if (mints.has(token.mint)) tokens.set(token.mint, token);
  };
  add(await read('/tokens-api/tokens', { limit: String(MAX_TOKENS) }, tokenList));
  for (const mint of mints) if (!tokens.has(mint)) add(await read('/tokens-api/tokens', { mint }, tokenList));
  const skipped = [
    ...markets
      .filter(({ name }) => name === '')
      .map((each) => `market ${each.lendingMarket}: it has no name`),
    ...[...mints].filter((mint) => !tokens.has(mint)).map((mint) => `token ${mint}: it is not in the list`),
    ...[...tokens.values()]
      .filter(({ symbol }) => symbol === '')
      .map(({ mint }) => `token ${mint}: no symbol`),
  ];
  return {
    markets: markets.filter(({ name }) => name !== '').map(marketOf),
    tokens: [...tokens.values()].filter(({ symbol }) => symbol !== '').map(tokenOf),
    skipped,
  };
}

function marketOf(given: GivenMarket): MarketInput {
  const { lendingMarket, name, description, isPrimary, isCurated, lookupTable } = given;
  return {
    lendingMarket,
    name,
    description: description ?? '',
    isPrimary,
    isCurated: isCurated ?? false,
    // The contract has no null: an unknown table is the address of 32 zero bytes.
    lookupTable: lookupTable ? presentAddress(lookupTable) : null,
  };
}

function tokenOf(given: GivenToken): TokenInput {
  const { mint, symbol, name, logoUrl, verified, tradingVolume24H, marketCapUsd, priority } = given;
  return {
    mint,
    symbol,
    name: name === '' ? symbol : name,
    logoUrl: logoUrl && /^https?:/.test(logoUrl) ? logoUrl : null,
    verified,
    ...(priority == null ? {} : { priority }),
    tradingVolume24H: tradingVolume24H ?? null,
    marketCapUsd: marketCapUsd ?? null,
  };
}

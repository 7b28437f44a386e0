import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { ONE, type Rational } from '@sluice/protocol/numeric/rational';
import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';

/** The catalogue file format: facts that are not on chain. `docs/catalogue.md` documents each field. */

export const address = z
  .string()
  .refine((text) => isAddress(text), 'must be base58 of exactly 32 bytes') as unknown as z.ZodType<Address>;

export const decimal = z.string().transform((text, context): Rational => {
  try {
    const value = parseDecimal(text);
    if (!value.isNegative) return value;
  } catch {
    // Reported below, like a negative number.
  }
  context.addIssue({ code: 'custom', message: 'must be a decimal in plain notation, not negative' });
  return z.NEVER;
});

export const moment = z.iso.datetime().transform((text) => new Date(text));
const webAddress = z.url({ protocol: /^https?$/ });

const proofOfReserves = z.strictObject({
  /** Account in which the issuer of the token publishes the proof. */
  address,
  verified: z.boolean(),
});

const token = z.strictObject({
  mint: address,
  symbol: z.string().min(1).max(32),
  name: z.string().min(1).max(100),
  logoUrl: webAddress.nullable().default(null),
  verified: z.boolean().default(false),
  stablecoin: z.boolean().default(false),
  proofOfReserves: proofOfReserves.nullable().default(null),
  /** Lower sorts first. */
  priority: z.int().min(0).max(1_000_000).default(1_000_000),
  tradingVolume24H: z.number().min(0).nullable().default(null),
  marketCapUsd: z.number().min(0).nullable().default(null),
});

const market = z.strictObject({
  lendingMarket: address,
  name: z.string().min(1).max(100),
  description: z.string().max(2_000).default(''),
  isPrimary: z.boolean().default(false),
  isCurated: z.boolean().default(false),
  lookupTable: address.nullable().default(null),
});

const campaignTimes = {
  source: z.string().min(1).max(100),
  rewardToken: address,
  tokensPerSecond: decimal,
  startsAt: moment,
  /** Exclusive; null means the campaign runs until it is removed from the file. */
  endsAt: moment.nullable().default(null),
};

const vaultCampaign = z.strictObject({ ...campaignTimes, vault: address });

const lendingCampaign = z
  .strictObject({
    ...campaignTimes,
    market: address,
    depositReserve: address.nullable().default(null),
    borrowReserve: address.nullable().default(null),
  })
  .refine((each) => each.depositReserve !== null || each.borrowReserve !== null, {
    message: 'must name a depositReserve, a borrowReserve or both',
  });

const positive = decimal.refine((value) => !value.isZero, 'must be above zero');

const principalToken = z
  .strictObject({
    mint: address,
    underlyingMint: address,
    maturity: moment,
    /** Whole underlying tokens that one token pays at maturity. */
    redemption: positive.default(ONE),
    /** Whole underlying tokens for one token, where the chain has no price of both. */
    price: positive.nullable().default(null),
  })
  .refine((each) => each.mint !== each.underlyingMint, 'must name two different mints');

const curator = z.strictObject({
  name: z.string().trim().min(1).max(100),
  /** Every one of them controls vaults of this curator alone. */
  adminAuthorities: z.array(address).min(1).max(200),
  website: webAddress.nullable().default(null),
  logoUrl: webAddress.nullable().default(null),
  /** Where the curator says that these addresses are its own. */
  source: z.string().trim().min(1).max(500),
  checkedAt: z.iso.date().transform((text) => new Date(text)),
});

export const catalogueFile = z.strictObject({
  version: z.literal(1),
  tokens: z.array(token).default([]),
  markets: z.array(market).default([]),
  /** The points source used when a caller names none. */
  currentSource: z.string().min(1).max(100).nullable().default(null),
  vaultCampaigns: z.array(vaultCampaign).default([]),
  lendingCampaigns: z.array(lendingCampaign).default([]),
  /** Vaults that lend to private credit; the summary counts them separately. */
  privateCreditVaults: z.array(address).default([]),
  /** Tokens that pay a fixed amount at a fixed time. */
  principalTokens: z.array(principalToken).default([]),
  curators: z.array(curator).default([]),
});

/** The content of a file before defaults are applied. */
export type CatalogueInput = z.input<typeof catalogueFile>;
export type ProofOfReserves = z.output<typeof proofOfReserves>;
export type CatalogueToken = z.output<typeof token>;
export type CatalogueMarket = z.output<typeof market>;
export type CatalogueCurator = z.output<typeof curator>;
export type VaultCampaign = z.output<typeof vaultCampaign>;
export type PrincipalTokenEntry = z.output<typeof principalToken>;
export type LendingCampaign = z.output<typeof lendingCampaign>;

import { z } from '@hono/zod-openapi';
import type { ExposureKind } from '../../domain/risk/vault-exposure.ts';
import type { IncidentEvidence, IncidentKind } from '../../services/curators/incidents.ts';
import { address, addressOut } from '../values/address.ts';
import { dateOut, range } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { onceBoolean, onceOf } from '../values/query-values.ts';

export const CuratorParams = z.object({
  address: address('An admin authority of the curator: the admin of one of its vaults.'),
});

export const CuratorsQuery = z.object({
  verified: onceBoolean('true for curators that the catalogue names, false for the others. Defaults to all.'),
});

const text = (description: string) => z.string().openapi({ description });
const inUsd = (what: string) =>
  decimalOut(
    `${what}, in USD. Absent when a part is unknown: a token has no price, or a reserve cannot be read.`,
  ).optional();
const inSol = (what: string) => decimalOut(`${what}, in SOL. Absent when a part is unknown.`).optional();

const CuratorVault = z
  .strictObject({
    address: addressOut('Address of the vault.'),
    name: text('Name of the vault, which its admin sets freely. May be empty.'),
    nameVerified: z
      .boolean()
      .openapi({ description: 'Whether the catalogue names the admin authority, which sets the name.' }),
    valueUsd: inUsd('Total value that belongs to the shareholders'),
  })
  .openapi('CuratorVault');

export const CuratorSummary = z
  .strictObject({
    address: addressOut('Admin authority by which the curator is known.'),
    authorities: z
      .array(addressOut('An admin authority.'))
      .openapi({ description: 'All admin authorities of the curator.' }),
    verified: z.boolean().openapi({
      description:
        'Whether an entry of the catalogue names the authority. The operator of this deployment vouches for it.',
    }),
    name: text('Name in the catalogue. Absent when not verified.').optional(),
    website: text('Website in the catalogue. Absent without one.').optional(),
    logoUrl: text('URL of a logo in the catalogue. Absent without one.').optional(),
    source: text(
      'Where the operator found that the authority belongs to this name. Absent when not verified.',
    ).optional(),
    checkedAt: dateOut('Date when the operator last checked it. Absent when not verified.').optional(),
    valueUsd: inUsd('Total value of its vaults'),
    valueSol: inSol('Total value of its vaults'),
    performanceFeesUsd: inUsd('Performance fees since each vault was created, at present prices'),
    performanceFeesSol: inSol('Performance fees since each vault was created, at present prices'),
    managementFeesUsd: inUsd('Management fees since each vault was created, at present prices'),
    managementFeesSol: inSol('Management fees since each vault was created, at present prices'),
    pendingFeesUsd: inUsd('Fees that are owed but not yet withdrawn'),
    pendingFeesSol: inSol('Fees that are owed but not yet withdrawn'),
    vaults: z.array(CuratorVault).openapi({ description: 'Its vaults, most valuable first.' }),
  })
  .openapi('CuratorSummary');

const shareOut = (description: string) =>
  decimalOut(`${description}, as a fraction. The shares add up to 1.`);

const CuratorMarket = z
  .strictObject({
    market: addressOut('Address of the market. Absent for tokens that are not invested.').optional(),
    usd: decimalOut('Value of the tokens there, in USD.'),
    share: shareOut('Part of all tokens of the vaults'),
  })
  .openapi('CuratorMarket');

export const EXPOSURE_KINDS = [
  'IDLE',
  'LIQUIDITY',
  'COLLATERAL',
  'UNSECURED',
  'UNKNOWN',
] as const satisfies readonly ExposureKind[];

export const exposureKind = () =>
  z.enum(EXPOSURE_KINDS).openapi({
    description:
      'IDLE: tokens that stay in the vault. LIQUIDITY: tokens in reserves that are not lent. COLLATERAL: tokens lent to loans, by the token of their collateral. UNSECURED: lent to loans without collateral. UNKNOWN: lent to loans that cannot be valued.',
  });
export const exposedMint = () =>
  addressOut(
    'Mint of the collateral, or of tokens that are not lent. Absent for UNSECURED and UNKNOWN.',
  ).optional();

const CuratorExposure = z
  .strictObject({
    kind: exposureKind(),
    mint: exposedMint(),
    usd: decimalOut('Value of the tokens, in USD.'),
    share: shareOut('Part of all tokens of the vaults'),
  })
  .openapi('CuratorExposure');

const INCIDENTS = [
  'BAD_DEBT',
  'MARKET_EMERGENCY',
  'RESERVE_EMERGENCY',
  'RESERVE_DEPOSIT_LIMIT',
  'RESERVE_BORROW_LIMIT',
  'ALLOCATION_CAP',
  'DEPOSIT_CAP',
  'SHARE_VALUE_FELL',
] as const satisfies readonly IncidentKind[];
const EVIDENCE = ['ACCOUNT', 'LOANS', 'HISTORY'] as const satisfies readonly IncidentEvidence[];

const CuratorIncident = z
  .strictObject({
    kind: z.enum(INCIDENTS).openapi({
      description:
        'BAD_DEBT: loans owe the reserve more than their collateral is worth. MARKET_EMERGENCY, RESERVE_EMERGENCY: it accepts no action. RESERVE_DEPOSIT_LIMIT, RESERVE_BORROW_LIMIT: the reserve has reached the limit. ALLOCATION_CAP: the vault has invested as much as its cap for the reserve lets it. DEPOSIT_CAP: the vault has reached its deposit cap. SHARE_VALUE_FELL: a share was worth fewer tokens than in the record before, by more than the fees.',
    }),
    evidence: z.enum(EVIDENCE).openapi({
      description:
        'Where it was seen. ACCOUNT: in an account. LOANS: in the loans of the market. HISTORY: in recorded points of the vault, one per day.',
    }),
    vault: addressOut('Address of the vault.'),
    reserve: addressOut('Address of the reserve. Absent for an incident of the vault itself.').optional(),
    market: addressOut('Its market. Absent for an incident of the vault itself.').optional(),
    since: dateOut(
      'When it began. Absent where neither the chain nor this deployment records it.',
    ).optional(),
    ongoing: z.boolean().openapi({ description: 'Whether it is going on.' }),
    badDebtUsd: decimalOut('Bad debt to the reserve, in USD. Absent for other kinds.').optional(),
    vaultBadDebtUsd: decimalOut(
      'The share of the vault in it, by its share of the reserve, in USD. Absent for other kinds.',
    ).optional(),
    fall: decimalOut(
      'Part of the value of a share that was lost beyond fees, as a fraction. Absent for other kinds.',
    ).optional(),
  })
  .openapi('CuratorIncident');

export const CuratorDetails = z
  .strictObject({
    ...CuratorSummary.shape,
    allocations: z.array(CuratorMarket).optional().openapi({
      description:
        'Where the tokens of its vaults are, by market, largest first. Absent when a part is unknown.',
    }),
    exposures: z.array(CuratorExposure).optional().openapi({
      description:
        'What stands behind the tokens of its vaults, by collateral token, largest first. Absent when a part is unknown.',
    }),
    incidents: z.array(CuratorIncident).openapi({
      description:
        'Incidents that are going on, then falls of the share value of its vaults over the last 365 recorded days.',
    }),
  })
  .openapi('CuratorDetails');

export const CuratorFeesQuery = z.object({
  ...range,
  frequency: onceOf(['hour', 'day'], 'Width of the buckets. Defaults to day.'),
});

const feeOut = (what: string) =>
  decimalOut(
    `${what}. Absent when it is unknown: without a record before, where fees were not recorded yet or were imported, and in USD without a price.`,
  ).optional();

const VaultFees = z
  .strictObject({
    vault: addressOut('Address of the vault.'),
    performanceFees: feeOut('Performance fees since the record before, in whole tokens'),
    managementFees: feeOut('Management fees since the record before, in whole tokens'),
    performanceFeesUsd: feeOut('Performance fees in USD, at the last price of the bucket'),
    managementFeesUsd: feeOut('Management fees in USD, at the last price of the bucket'),
  })
  .openapi('CuratorVaultFees');

export const CuratorFeesPoint = z
  .strictObject({
    timestamp: dateOut('Start of the bucket.'),
    performanceFeesUsd: decimalOut(
      'Performance fees of all vaults, in USD. Absent when a part is unknown.',
    ).optional(),
    managementFeesUsd: decimalOut(
      'Management fees of all vaults, in USD. Absent when a part is unknown.',
    ).optional(),
    feesUsd: decimalOut('Both together, in USD. Absent when a part is unknown.').optional(),
    vaults: z.array(VaultFees).openapi({
      description: 'The fees by vault. A vault without a record in the bucket is left out.',
    }),
  })
  .openapi('CuratorFeesPoint');

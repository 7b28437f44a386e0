import { z } from '@hono/zod-openapi';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Horizon } from '../../services/risk/vault-outflow.ts';
import { exposedMint, exposureKind } from '../curators/schemas.ts';
import { address, addressOut, text } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';

const decimalIn = (what: string, description: string) =>
  text(what)
    .transform((given, context): Rational => {
      try {
        return parseDecimal(given.trim());
      } catch {
        context.addIssue({ code: 'custom', message: `must be ${what}` });
        return z.NEVER;
      }
    })
    .optional()
    .openapi({ type: 'string', description });

const Price = z
  .object({
    mint: address('Mint of the token. Every reserve of the mint moves.'),
    changePct: decimalIn(
      'a decimal such as "-20"',
      'Change of the present price in percent: -20 is a fall of 20 %. Either this or `usd`.',
    ),
    usd: decimalIn('a decimal such as "12.5"', 'Price in USD per whole token. Either this or `changePct`.'),
  })
  .openapi('SupposedPrice');

const SHOCKS = 'pass a list of objects with `label` and `prices`';

export const VaultRiskBody = z
  .object(
    {
      shocks: z
        .array(
          z
            .object({
              label: text('a name').openapi({ description: 'Name of the shock in the answer.' }),
              prices: z
                .array(Price, { error: 'must be a list of objects with `mint` and a price' })
                .openapi({ description: 'Supposed prices. Other tokens keep their present price.' }),
            })
            .openapi('SupposedPrices'),
          { error: `must be a list: ${SHOCKS}` },
        )
        .max(100, 'must not have more than 100 shocks')
        .default([])
        .openapi({ description: 'Shocks, at most 100. Defaults to none: present prices only.' }),
    },
    { error: 'must be a JSON object' },
  )
  .openapi('VaultRiskBody');

const fraction = (description: string) => decimalOut(`${description}, as a fraction.`);
const usd = (description: string) => decimalOut(`${description}, in USD.`);

const Exposure = z
  .strictObject({
    kind: exposureKind(),
    mint: exposedMint(),
    share: decimalOut('Part of the tokens of the vault, as a fraction. The shares add up to 1.'),
  })
  .openapi('VaultRiskExposure');

const Backing = z
  .strictObject({
    reserve: addressOut('Reserve of the collateral.'),
    debtUsd: usd('Debt that it backs'),
    share: fraction('Part of all valued debt to the reserve of the vault'),
  })
  .openapi('VaultBacking');

const Reserve = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    market: addressOut('Its market.'),
    share: fraction('Part of the tokens of the vault that is invested in it'),
    shareOfReserve: fraction('Part of the reserve that belongs to the vault, by collateral tokens'),
    utilization: fraction('Part of the reserve that is lent'),
    debtUsd: usd('Debt of all valued loans to the reserve'),
    unsecuredUsd: usd('Debt of loans that have no collateral left'),
    backing: z.array(Backing).openapi({ description: 'The rest of the debt by collateral, largest first.' }),
    unvaluedLoans: z
      .number()
      .openapi({ description: 'Number of loans of the market that cannot be read or valued.' }),
    loansAsOf: dateOut('When the chain was last asked for changes of the loans.'),
    loansSlot: integerOut('Slot of that answer.'),
  })
  .openapi('VaultReserveRisk');

const Loss = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    liquidatableDebtUsd: usd('Debt to the reserve of loans that can be liquidated'),
    badDebtUsd: usd('Debt to the reserve beyond the collateral of its loan'),
    vaultBadDebtUsd: usd('Share of the vault in the bad debt, by its share of the reserve'),
  })
  .openapi('VaultReserveLoss');

export const VaultScenario = z
  .strictObject({
    label: z.string().optional().openapi({ description: 'Name of the shock. Absent for the present.' }),
    badDebtUsd: usd('Share of the vault in the bad debt of its reserves'),
    badDebtShare: decimalOut(
      'That as a fraction of the tokens of the vault at the prices of the scenario. Absent when the vault is empty or its token has no price.',
    ).optional(),
    reserves: z.array(Loss).openapi({ description: 'The reserves in which the vault has invested.' }),
  })
  .openapi('VaultScenario');

const HORIZONS = ['HOUR', 'DAY', 'WEEK'] as const satisfies readonly Horizon[];
const NOT_RECORDED = 'Absent when the liquidity of a reserve is not recorded for as long.';

const Outflow = z
  .strictObject({
    within: z.enum(HORIZONS).openapi({ description: 'The time from now.' }),
    amount: decimalOut(
      `Whole tokens that can leave: idle ones, and from each reserve what is free now and what came in over the last recorded hours of the same number, up to what is invested and to its outflow cap. It is assumed that nobody else withdraws and that as much comes in again. ${NOT_RECORDED}`,
    ).optional(),
    leastRecorded: decimalOut(
      `Idle tokens, and from each reserve the least that was free in an hour of that period, under the same limits. ${NOT_RECORDED}`,
    ).optional(),
  })
  .openapi('VaultOutflow');

export const VaultRiskAnswer = z
  .strictObject({
    exposures: z
      .array(Exposure)
      .openapi({ description: 'What stands behind the tokens of the vault, by token, largest first.' }),
    reserves: z.array(Reserve).openapi({ description: 'The reserves in which the vault has invested.' }),
    now: VaultScenario,
    shocks: z.array(VaultScenario).openapi({ description: 'The vault under each shock, in their order.' }),
    outflows: z
      .array(Outflow)
      .openapi({ description: 'Tokens that can leave in an hour, a day and a week.' }),
  })
  .openapi('VaultRisk');

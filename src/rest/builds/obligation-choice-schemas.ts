import { z } from '@hono/zod-openapi';
import { type ObligationChoice, obligationKey } from '../../services/builds/builds.ts';
import { OBLIGATION_TAGS } from '../../services/obligations/tags.ts';
import { address } from '../values/address.ts';

const MAX_ID = 255;

/** The obligation of a lending builder: an existing one by address, or one by purpose, which is created when absent. */
export const ObligationChoiceBody = z
  .object(
    {
      address: address(
        'Address of an existing obligation of the wallet. Excludes the other fields.',
      ).optional(),
      tag: z
        .enum(OBLIGATION_TAGS, { error: `must be one of ${OBLIGATION_TAGS.join(', ')}` })
        .optional()
        .openapi({ description: 'Purpose of the obligation. Defaults to VANILLA.' }),
      id: z
        .int('must be a whole number')
        .min(0, 'must not be negative')
        .max(MAX_ID, `must be at most ${MAX_ID}`)
        .optional()
        .openapi({ description: 'Index among obligations with the same purpose. Defaults to 0.' }),
      seed1: address(
        'Mint of the collateral; for fixed-rate purposes, its reserve. Omit for VANILLA.',
      ).optional(),
      seed2: address('Mint of the debt; for fixed-rate purposes, its reserve. Omit for VANILLA.').optional(),
    },
    { error: 'must be an object with the documented fields' },
  )
  .refine(({ address: given, ...key }) => given === undefined || Object.values(key).every(isAbsent), {
    error: 'has an address and other fields: pass the address alone, or leave it out',
  })
  .openapi('ObligationChoice', {
    description: 'Obligation to use. Defaults to the VANILLA obligation with id 0.',
  });

const isAbsent = (value: unknown) => value === undefined;

export function obligationOf(chosen: z.output<typeof ObligationChoiceBody> | undefined): {
  obligation?: ObligationChoice;
} {
  if (chosen === undefined) return {};
  if (chosen.address !== undefined) return { obligation: { address: chosen.address } };
  const { tag = 'VANILLA', id = 0, seed1 = null, seed2 = null } = chosen;
  return { obligation: { key: obligationKey(OBLIGATION_TAGS.indexOf(tag), id, seed1, seed2) } };
}

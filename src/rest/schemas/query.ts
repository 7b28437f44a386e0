import { z } from '@hono/zod-openapi';

/** An optional text of the query. A repeated parameter arrives as a list, which is no text. */
export const onceText = (description: string) =>
  z.string({ error: 'must be given once' }).optional().openapi({ description });

/** One word of a few. */
export const onceOf = <const W extends readonly [string, ...string[]]>(words: W, description: string) =>
  z
    .enum(words, { error: `must be ${words.join(' or ')}, given once` })
    .optional()
    .openapi({ description });

/** A whole number within limits; `fallback` stands for one that is left out. */
export function onceInteger(min: number, max: number, fallback: number, description: string) {
  const message = `must be a whole number from ${min} to ${max}, given once`;
  return z
    .string({ error: message })
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(fallback)
    .openapi({ type: 'integer', minimum: min, maximum: max, default: fallback, description });
}

/** `true` or `false`. */
export const onceBoolean = (description: string) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false, given once' })
    .transform((word) => word === 'true')
    .optional()
    .openapi({ type: 'boolean', description });

import { z } from '@hono/zod-openapi';

/** An optional string parameter. A repeated parameter arrives as an array and is rejected. */
export const onceText = (description: string) =>
  z.string({ error: 'must be passed only once' }).optional().openapi({ description });

/** An optional parameter with fixed values. */
export const onceOf = <const W extends readonly [string, ...string[]]>(words: W, description: string) =>
  z
    .enum(words, { error: `must be ${words.join(' or ')}, passed only once` })
    .optional()
    .openapi({ description });

/** An integer parameter between `min` and `max`. Defaults to `fallback`. */
export function onceInteger(min: number, max: number, fallback: number, description: string) {
  const message = `must be a whole number from ${min} to ${max}, passed only once`;
  return z
    .string({ error: message })
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(fallback)
    .openapi({ type: 'integer', minimum: min, maximum: max, default: fallback, description });
}

/** An optional boolean parameter. */
export const onceBoolean = (description: string) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false, passed only once' })
    .transform((word) => word === 'true')
    .optional()
    .openapi({ type: 'boolean', description });

const TRUE_WORDS = ['1', 'true', 'yes', 'on', 'y', 'enabled'] as const;
const FALSE_WORDS = ['0', 'false', 'no', 'off', 'n', 'disabled'] as const;

/** An optional switch, in any of the spellings that clients of the live service send. */
export const onceSwitch = (description: string) =>
  z
    .enum([...TRUE_WORDS, ...FALSE_WORDS], { error: 'must be true or false, passed only once' })
    .transform((word) => (TRUE_WORDS as readonly string[]).includes(word))
    .optional()
    .openapi({ description });

/**
 * The items of a list parameter. It may be repeated, and each value may have several items, separated by commas. A
 * parameter that is passed once arrives as a string.
 */
export const listItems = (given: unknown): unknown =>
  typeof given === 'string'
    ? given.split(',')
    : Array.isArray(given)
      ? given.flatMap((value: unknown) => (typeof value === 'string' ? value.split(',') : [value]))
      : given;

import type { CapInput } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';

const NoneRef = builder.enumType('None', {
  description: 'Takes a limit away.',
  values: { NONE: { description: 'No limit.' } } as const,
});

export const CapInputRef = builder.inputType('CapInput', {
  description: 'A cap on tokens. Pass exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    tokens: t.field({ type: 'Decimal', description: 'Cap in whole tokens.' }),
    none: t.field({ type: NoneRef, description: 'No cap.' }),
  }),
});

/** Undefined when the input is omitted. */
export function capOf(input: typeof CapInputRef.$inferInput | null | undefined): CapInput | undefined {
  if (!input) return undefined;
  return input.tokens ?? 'none';
}

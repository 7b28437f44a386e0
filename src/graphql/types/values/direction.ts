import { builder } from '../../builder.ts';

export const DirectionRef = builder.enumType('Direction', {
  description: 'Sort direction. Unknown values come last in both directions.',
  values: {
    ASC: { description: 'Smallest first.' },
    DESC: { description: 'Largest first.' },
  } as const,
});

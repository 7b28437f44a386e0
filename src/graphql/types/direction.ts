import { builder } from '../builder.ts';

export const DirectionRef = builder.enumType('Direction', {
  description: 'Which way a list is ordered. What is unknown comes last in either.',
  values: {
    ASC: { description: 'Least first.' },
    DESC: { description: 'Greatest first.' },
  } as const,
});

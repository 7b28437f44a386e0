import { builder } from '../builder.ts';

export const TimeRangeInput = builder.inputType('TimeRange', {
  description: 'A part of the past. One that starts after its end is refused.',
  fields: (t) => ({
    start: t.field({
      type: 'DateTime',
      description: 'From here on, this moment included. Everything that is recorded when left out.',
    }),
    end: t.field({
      type: 'DateTime',
      description: 'Up to here, this moment not included. Now, the time of the View, when left out.',
    }),
  }),
});

export const IntervalRef = builder.enumType('Interval', {
  description: 'Width of the buckets of a series. They begin in UTC.',
  values: {
    MINUTE: { description: 'One point per minute; kept for days.' },
    HOUR: { description: 'One point per hour; kept for months.' },
    DAY: { description: 'One point per UTC day; kept for years.' },
  } as const,
});

export const RewardIntervalRef = builder.enumType('RewardInterval', {
  description: 'Width of the buckets of a series of rewards. They begin in UTC.',
  values: {
    HOUR: { description: 'One point per hour; kept for months.' },
    DAY: { description: 'One point per UTC day; kept for years.' },
  } as const,
});

export const ApyWindowRef = builder.enumType('ApyWindow', {
  description: 'Over which time up to now a realised yield is measured.',
  values: {
    H24: { description: '24 hours.' },
    D7: { description: '7 days.' },
    D30: { description: '30 days.' },
    D90: { description: '90 days.' },
    D180: { description: '180 days.' },
    D365: { description: '365 days.' },
  } as const,
});

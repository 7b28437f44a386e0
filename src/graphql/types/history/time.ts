import { builder } from '../../builder.ts';

export const TimeRangeInput = builder.inputType('TimeRange', {
  description: 'A time range in the past. Rejected when its start is after its end.',
  fields: (t) => ({
    start: t.field({
      type: 'DateTime',
      description: 'Start, inclusive. Defaults to the start of recording.',
    }),
    end: t.field({
      type: 'DateTime',
      description: 'End, exclusive. Defaults to now, which is the time of the View.',
    }),
  }),
});

export const IntervalRef = builder.enumType('Interval', {
  description: 'Width of the buckets of a series. Buckets are aligned to UTC.',
  values: {
    MINUTE: { description: 'One point per minute. Retained for days.' },
    HOUR: { description: 'One point per hour. Retained for months.' },
    DAY: { description: 'One point per UTC day. Retained for years.' },
  } as const,
});

export const RewardIntervalRef = builder.enumType('RewardInterval', {
  description: 'Width of the buckets of a reward series. Buckets are aligned to UTC.',
  values: {
    HOUR: { description: 'One point per hour. Retained for months.' },
    DAY: { description: 'One point per UTC day. Retained for years.' },
  } as const,
});

export const PeriodRef = builder.enumType('Period', {
  description: 'A period up to now, which is the time of the View.',
  values: {
    H24: { description: '24 hours.' },
    D7: { description: '7 days.' },
    D14: { description: '14 days.' },
    D30: { description: '30 days.' },
    D60: { description: '60 days.' },
    D90: { description: '90 days.' },
    D180: { description: '180 days.' },
    D365: { description: '365 days.' },
  } as const,
});

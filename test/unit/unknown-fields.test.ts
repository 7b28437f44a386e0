import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { describe, expect, it } from 'vitest';
import { unknownFields } from '../../src/rest/operation/unknown-values.ts';
import { decimal, double } from '../../src/rest/values/decimal.ts';

describe('unknown numbers of an answer', () => {
  const answer = [
    {
      price: decimal(parseDecimal('1.5')),
      usd: decimal(null),
      stats: { ltv: double(undefined) },
      note: null,
    },
    { price: decimal(parseDecimal('0')), usd: decimal(null), rows: [{ usd: decimal(null) }, { usd: '0' }] },
  ];

  it('are zero in JSON', () => {
    expect(JSON.stringify(answer)).toBe(
      '[{"price":"1.5","usd":"0","stats":{"ltv":0},"note":null},{"price":"0","usd":"0","rows":[{"usd":"0"},{"usd":"0"}]}]',
    );
  });

  it('are named once, by their path; a known zero and a null are not', () => {
    expect(unknownFields(answer)).toEqual(['rows.usd', 'stats.ltv', 'usd']);
    expect(unknownFields([{ usd: decimal(parseDecimal('0')), order: null }])).toEqual([]);
    expect(unknownFields('<svg/>')).toEqual([]);
  });
});

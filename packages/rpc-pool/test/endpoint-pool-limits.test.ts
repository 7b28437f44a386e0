import { describe, expect, it } from 'vitest';
import { createEndpointPool } from '../src/pool/endpoint-pool.ts';

const limits = {
  urls: ['http://127.0.0.1:1/'],
  timeoutMs: 1_000,
  maxConcurrencyPerEndpoint: 1,
  maxAttempts: 1,
  bodiesInFlightBytes: 1,
};

describe('a limit of the pool', () => {
  const names = ['timeoutMs', 'maxConcurrencyPerEndpoint', 'maxAttempts', 'bodiesInFlightBytes'] as const;
  const wrong = names.flatMap((name) =>
    [0, -1, Number.NaN, Number.POSITIVE_INFINITY].map((value) => [name, value] as const),
  );

  it.each([...wrong, ['maxAttempts', 1.5] as const, ['timeoutMs', 2 ** 31] as const])(
    'may not be %s %d',
    (name, value) => {
      const create = () => createEndpointPool({ ...limits, [name]: value });
      expect(create).toThrow(RangeError);
      expect(create).toThrow(`${name} is ${value}`);
    },
  );

  it('may be the least and the most that works', async () => {
    await createEndpointPool(limits).close();
    await createEndpointPool({ ...limits, timeoutMs: 2 ** 31 - 1 }).close();
  });
});

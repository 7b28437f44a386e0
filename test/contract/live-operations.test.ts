import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { LIVE_OPERATIONS, OTHER_PRODUCTS } from '../support/contract/live-operations.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

const filled = (path: string) => {
  const values: Readonly<Record<string, string>> = { ...world.subjects.addresses };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
};

describe('the operations that the live service documents', () => {
  it('are 85, each once', () => {
    expect([LIVE_OPERATIONS.length, new Set(LIVE_OPERATIONS).size]).toEqual([85, 85]);
  });

  // A body is missing, and so is a key where one is needed: those are answered by the operation too.
  it.each(LIVE_OPERATIONS)('%s is served', async (operation) => {
    const [method, path = ''] = operation.split(' ');
    const { status, text } = await (method === 'get'
      ? world.get(filled(path))
      : world.post(filled(path), {}));
    expect(method === 'get' ? [200] : [200, 400, 401, 403, 501]).toContain(status);
    expect(text).not.toMatch(/is not a Solana address|nearest documented path/);
  });
});

describe('other products of the live service', () => {
  it.each(OTHER_PRODUCTS)('%s is not found, which is said to be another product', async (path) => {
    for (const answer of [await world.get(filled(path)), await world.post(filled(path), {})]) {
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('another product of the live service');
      expect(answer.text).not.toContain('nearest documented path');
    }
  });
});

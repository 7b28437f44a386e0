import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';
import { OPENAPI_TEXT } from '../support/contract/openapi-validator.ts';

let world: ContractWorld;
beforeAll(async () => {
  world = await startContractWorld();
});
afterAll(() => world?.stop());

interface Document {
  readonly openapi: string;
  readonly paths: object;
}

describe('the documents where clients of the live service look for them', () => {
  it.each(['/openapi/json', '/openapi/json?openapi=3.1.0'])('%s is the committed one', async (path) => {
    const { status, body } = await world.get(path);
    expect([status, body]).toEqual([200, JSON.parse(OPENAPI_TEXT)]);
  });

  it.each(['3.0.0', '3.0.3'])('is in version %s for those who ask for it', async (version) => {
    const { status, body, headers } = await world.get(`/openapi/json?openapi=${version}`);
    const { openapi, paths } = body as Document;
    expect([status, openapi, headers.get('content-type')]).toEqual([200, version, 'application/json']);
    expect(Object.keys(paths)).toEqual(Object.keys((JSON.parse(OPENAPI_TEXT) as Document).paths));
  });

  it('has the builders alone below /ktx', async () => {
    const { body } = await world.get('/ktx/documentation/json');
    const paths = Object.keys((body as Document).paths);
    expect(paths).toContain('/ktx/kvault/deposit');
    expect(paths.filter((path) => !path.startsWith('/ktx/'))).toEqual([]);
  });

  it('refuses other versions, and other methods', async () => {
    for (const path of ['/openapi/json', '/ktx/documentation/json']) {
      for (const query of ['openapi=2.0', 'openapi=', 'openapi=3.0.0&openapi=3.1.0']) {
        const { status, body } = await world.get(`${path}?${query}`);
        expect([status, body]).toEqual([
          400,
          expect.objectContaining({ details: [expect.objectContaining({ path: ['openapi'] })] }),
        ]);
      }
      expect((await world.post(path, {})).status).toBe(405);
    }
  });
});

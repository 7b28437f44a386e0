import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

const RANGE = 'start=2026-05-25&end=2026-05-28';
/** Midnights up to the one that the range ends with. */
const BEFORE_END = ['25', '26', '27'].map((day) => `2026-05-${day}T00:00:00.000Z`);
const WITH_END = [...BEFORE_END, '2026-05-28T00:00:00.000Z'];

type Row = Readonly<Record<'timestamp' | 'createdOn', string>>;

async function times(url: string, rowsOf = (body: unknown) => body): Promise<string[]> {
  const { status, body } = await world.get(`${url}${url.includes('?') ? '&' : '?'}${RANGE}`);
  expect([url, status]).toEqual([url, 200]);
  return (rowsOf(body) as readonly Row[]).map(({ timestamp, createdOn }) => timestamp ?? createdOn);
}

describe('the point at `end`', () => {
  it('is in the histories of vaults', async () => {
    const { vault } = world.subjects.addresses;
    expect(await times(`/kvaults/vaults/${vault}/metrics/history`)).toEqual(WITH_END);
    expect(await times(`/kvaults/${vault}/metrics/history`)).toEqual(WITH_END);
    const several = (body: unknown) => (body as readonly { readonly history: unknown }[])[0]?.history;
    expect(await times(`/kvaults/vaults/metrics/history?vaults=${vault}`, several)).toEqual(WITH_END);
  });

  it('is not in the histories of lending', async () => {
    const { market } = world.subjects.addresses;
    const history = (body: unknown) => (body as { readonly history: unknown }).history ?? body;
    expect(await times(`/svc-market/${market}/metrics/history`, history)).toEqual(BEFORE_END);
  });

  it('is the only one of a range that starts with it', async () => {
    const { vault } = world.subjects.addresses;
    const url = `/kvaults/vaults/${vault}/metrics/history?start=2026-05-28&end=2026-05-28`;
    expect((await world.get(url)).body).toHaveLength(1);
  });
});

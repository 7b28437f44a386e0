import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, graphql } from '../src/index.ts';
import type { Live } from '../src/react/live-stream.ts';
import { Session } from '../src/react/session.ts';
import { FakeGateway, wireAt } from './support/fake-gateway.ts';
import { until } from './support/until.ts';

const VAULT = graphql(`query Vault($address: Address!) { vault(address: $address) { id name holders } }`);
const VAULTS = graphql(`subscription Vaults($addresses: [Address!]!) {
  vaults(addresses: $addresses) { vault { id name holders } }
}`);

let gateway: FakeGateway;
let cache: QueryClient;
let session: Session;
const closings: (() => void)[] = [];

beforeEach(() => {
  gateway = new FakeGateway();
  cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  session = new Session(gateway.client, cache);
});

afterEach(() => {
  for (const close of closings.splice(0)) close();
  cache.clear();
});

const vault = (name: string, holders: number | null) => ({ id: 'v', name, holders });
const event = (slot: number, fields: object, errors: readonly object[] = []) =>
  wireAt(slot, { vaults: { vault: { id: 'v', ...fields } } }, errors);

/** Shows the vault, as a component would. The first answer has been read. */
async function show() {
  const observer = new QueryObserver<Answer<unknown>>(cache, {
    queryKey: session.keyOf(VAULT, { address: 'A' }),
    queryFn: ({ signal }) => session.read(VAULT, { address: 'A' }, { signal }),
    staleTime: 60_000,
  });
  closings.push(observer.subscribe(() => undefined));
  await until(() => observer.getCurrentResult().data !== undefined);
  return { observer, shown: () => observer.getCurrentResult().data?.data };
}

/** Follows the vault and collects the states. */
function follow(addresses: readonly string[] = ['A']) {
  const states: Live<unknown>[] = [];
  const stop = session.follow(VAULTS, { addresses: [...addresses] }, (live) => states.push(live));
  closings.push(stop);
  return { states, stop, newest: () => states.at(-1) };
}

async function stream(index = 0) {
  await until(() => gateway.streams.length > index);
  const found = gateway.streams[index];
  if (found === undefined) throw new Error('the stream was not opened');
  return found;
}

describe('an event', () => {
  it('changes the answers that show its objects', async () => {
    gateway.answer = () => wireAt(10, { vault: vault('One', 1) });
    const { shown } = await show();
    const { newest } = follow();
    (await stream()).next(event(11, { holders: 2 }));
    await until(() => newest()?.state === 'live');
    expect(shown()).toEqual({ vault: vault('One', 2) });
  });

  it('older than an answer does not change it', async () => {
    gateway.answer = () => wireAt(10, { vault: vault('One', 5) });
    const { shown } = await show();
    const { newest } = follow();
    (await stream()).next(event(9, { holders: 2 }));
    await until(() => newest()?.state === 'live');
    expect(shown()).toEqual({ vault: vault('One', 5) });
  });

  it('older than another event gives way to it, field by field', async () => {
    gateway.answer = () => wireAt(7, { vault: vault('One', 1) });
    const { shown } = await show();
    const first = follow(['A']);
    const second = follow(['A', 'B']);
    (await stream(0)).next(event(9, { holders: 3 }));
    await until(() => first.newest()?.state === 'live');
    (await stream(1)).next(event(8, { holders: 2, name: 'Uno' }));
    await until(() => second.newest()?.state === 'live');
    expect(shown()).toEqual({ vault: vault('Uno', 3) });
  });

  it('newer than an answer that arrives later stays visible', async () => {
    const { newest } = follow();
    (await stream()).next(event(11, { holders: 2 }));
    await until(() => newest()?.state === 'live');
    gateway.answer = () => wireAt(10, { vault: vault('One', 1) });
    const { shown, observer } = await show();
    expect(shown()).toEqual({ vault: vault('One', 2) });
    gateway.answer = () => wireAt(12, { vault: vault('One', 1) });
    await observer.refetch();
    expect(shown()).toEqual({ vault: vault('One', 1) });
  });

  it('keeps its errors, and a field that failed replaces nothing', async () => {
    gateway.answer = () => wireAt(10, { vault: vault('One', 5) });
    const { shown } = await show();
    const { newest } = follow();
    const failure = {
      message: 'not readable',
      path: ['vaults', 'vault', 'holders'],
      extensions: { code: 'RPC_UNAVAILABLE', retryable: true },
    };
    (await stream()).next(event(11, { name: 'Uno', holders: null }, [failure]));
    await until(() => newest()?.state === 'live');
    expect(shown()).toEqual({ vault: vault('Uno', 5) });
    expect(newest()?.event?.errors.map(({ code }) => code)).toEqual(['RPC_UNAVAILABLE']);
  });

  it('changes each page of a list by the slot of its own answer', async () => {
    const pages = [wireAt(10, { vault: vault('One', 1) }), wireAt(12, { vault: vault('One', 2) })];
    gateway.answer = ({ variables }) => pages[Number(variables.address)] ?? {};
    const observer = new InfiniteQueryObserver(cache, {
      queryKey: [...session.keyOf(VAULT, {}), 'pages'],
      queryFn: ({ pageParam }) => session.read(VAULT, { address: String(pageParam) }, {}),
      initialPageParam: 0,
      getNextPageParam: (_last, all) => all.length,
    });
    closings.push(observer.subscribe(() => undefined));
    await observer.fetchNextPage();
    await observer.fetchNextPage();
    const { newest } = follow();
    (await stream()).next(event(11, { holders: 9 }));
    await until(() => newest()?.state === 'live');
    expect(observer.getCurrentResult().data?.pages.map(({ data }) => data.vault?.holders)).toEqual([9, 2]);
  });

  it('does not make an answer fresh, or hide that it could not be read again', async () => {
    gateway.answer = () => wireAt(10, { vault: vault('One', 1) });
    const { observer, shown } = await show();
    const { dataUpdatedAt } = observer.getCurrentResult();
    gateway.answer = () => ({
      errors: [{ message: 'refused', extensions: { code: 'FORBIDDEN', retryable: false } }],
    });
    await observer.refetch();
    const { newest } = follow();
    (await stream()).next(event(11, { holders: 2 }));
    await until(() => newest()?.state === 'live');
    expect(shown()).toEqual({ vault: vault('One', 2) });
    expect(observer.getCurrentResult()).toMatchObject({ isError: true, isStale: true, dataUpdatedAt });
  });

  it('with a part of unknown shape has the answer read again', async () => {
    gateway.answer = () => wireAt(10, { vault: { ...vault('One', 1), farm: null } });
    const { shown } = await show();
    gateway.answer = () => wireAt(11, { vault: { ...vault('One', 1), farm: { id: 'f', apy: '0.1' } } });
    follow();
    (await stream()).next(event(11, { farm: { id: 'f' } }));
    await until(() => gateway.requests.length === 2 && !cache.isFetching());
    expect(shown()).toMatchObject({ vault: { farm: { id: 'f', apy: '0.1' } } });
  });
});

describe('refreshing after a transaction', () => {
  it('reads again with the slot, and never asks for an older one', async () => {
    gateway.answer = () => wireAt(10, { vault: vault('One', 1) });
    const { shown } = await show();
    gateway.answer = () => wireAt(20, { vault: vault('One', 2) });
    await session.refreshAfter('20');
    expect(shown()).toEqual({ vault: vault('One', 2) });
    await session.refreshAfter('15');
    expect(gateway.requests.map(({ headers }) => headers.get('x-min-slot'))).toEqual([null, '20', '20']);
  });
});

describe('a stream', () => {
  it('is shared by listeners of the same subscription, and closed when the last one leaves', async () => {
    const first = follow();
    const opened = await stream();
    opened.next(event(10, { holders: 1 }));
    await until(() => first.newest()?.state === 'live');
    const second = follow();
    expect(second.newest()).toBe(first.newest());
    first.stop();
    opened.next(event(11, { holders: 2 }));
    await until(() => second.newest()?.event?.chain?.slot === '11');
    expect([gateway.streams.length, opened.isClosed, first.newest()?.event?.chain?.slot]).toEqual([
      1,
      false,
      '10',
    ]);
    second.stop();
    await until(() => opened.isClosed === true);
  });

  it('survives a listener that leaves and comes back at once, as in strict mode', async () => {
    const first = follow();
    const opened = await stream();
    opened.next(event(10, { holders: 1 }));
    await until(() => first.newest()?.state === 'live');
    first.stop();
    const { newest } = follow();
    opened.next(event(11, { holders: 2 }));
    await until(() => newest()?.event?.chain?.slot === '11');
    expect(gateway.streams.map(({ isClosed }) => isClosed)).toEqual([false]);
  });

  it('is a new one for other addresses', async () => {
    const before = follow(['A']);
    await stream(0);
    const after = follow(['A', 'B']);
    before.stop();
    const second = await stream(1);
    await until(() => gateway.streams[0]?.isClosed === true);
    expect([second.request.variables, second.isClosed]).toEqual([{ addresses: ['A', 'B'] }, false]);
    expect(after.newest()?.state).toBe('connecting');
  });

  it('that completes has ended', async () => {
    const { newest } = follow();
    const opened = await stream();
    opened.next(event(10, { holders: 1 }));
    opened.complete();
    await until(() => newest()?.state === 'ended');
    expect(newest()?.event?.chain?.slot).toBe('10');
  });

  it('is broken from an event that is an error to the next one', async () => {
    const { newest } = follow();
    const opened = await stream();
    opened.next(event(10, { holders: 1 }));
    await until(() => newest()?.state === 'live');
    opened.next({ errors: [{ message: 'no View', extensions: { code: 'NOT_READY', retryable: true } }] });
    await until(() => newest()?.state === 'broken');
    expect([newest()?.error?.code, newest()?.event?.chain?.slot]).toEqual(['NOT_READY', '10']);
    opened.next(event(11, { holders: 2 }));
    await until(() => newest()?.state === 'live');
    expect([newest()?.error, newest()?.event?.chain?.slot]).toEqual([null, '11']);
  });

  it('stays broken after an error that a retry will not change', async () => {
    const { newest } = follow();
    const opened = await stream();
    opened.next({ errors: [{ message: 'bad', extensions: { code: 'BAD_USER_INPUT', retryable: false } }] });
    await until(() => newest()?.state === 'broken');
    expect([newest()?.error?.code, gateway.streams.length]).toEqual(['BAD_USER_INPUT', 1]);
  });

  it('is closed while the page is hidden, and opened again when it is shown', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    vi.stubGlobal('document', page);
    closings.push(() => vi.unstubAllGlobals());
    const setVisibility = (state: string) => {
      page.visibilityState = state;
      page.dispatchEvent(new Event('visibilitychange'));
    };
    const { newest } = follow();
    const first = await stream(0);
    first.next(event(10, { holders: 1 }));
    await until(() => newest()?.state === 'live');
    setVisibility('hidden');
    await until(() => first.isClosed === true);
    setVisibility('visible');
    expect(newest()).toMatchObject({ state: 'connecting', event: { chain: { slot: '10' } } });
    (await stream(1)).next(event(12, { holders: 3 }));
    await until(() => newest()?.event?.chain?.slot === '12');
    expect(newest()?.state).toBe('live');
  });
});

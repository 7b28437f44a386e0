import { expect, it } from 'vitest';
import { connectionOf, type Signs } from '../src/shell/connection.ts';

const NOW = 1_000_000;
const FINE: Signs = { heardAt: NOW - 900, now: NOW, viewAgeMs: 1_200, refused: null, unreachable: false };
const connection = (signs: Partial<Signs>) => connectionOf({ ...FINE, ...signs });

it('is live while events arrive', () => {
  expect(connection({})).toEqual({ tone: 'safe', text: 'Live' });
});

it('stays live when a single question fails between two events', () => {
  expect(connection({ unreachable: true }).text).toBe('Live');
});

it('is connecting before the first event', () => {
  expect(connection({ heardAt: null, viewAgeMs: null })).toEqual({ tone: 'connecting', text: 'Connecting' });
});

it('says for how long nothing has arrived', () => {
  expect(connection({ heardAt: NOW - 12_000 })).toEqual({ tone: 'late', text: 'No updates', forMs: 12_000 });
});

it('says how far the gateway itself is behind, also while its stream is open', () => {
  expect(connection({ viewAgeMs: 45_000 })).toEqual({ tone: 'late', text: 'Chain is behind', forMs: 45_000 });
});

it('tells a gateway that refuses the stream from one that is gone', () => {
  const refused = 'Too many streams.';
  expect(connection({ heardAt: null, refused })).toEqual({ tone: 'late', text: 'No live updates' });
  const gone = { tone: 'broken', text: 'Gateway unreachable' };
  expect(connection({ heardAt: null, viewAgeMs: null, unreachable: true })).toEqual(gone);
  expect(connection({ heardAt: NOW - 12_000, unreachable: true })).toEqual(gone);
});

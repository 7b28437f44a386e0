import { CommitmentLevel, GeyserError, type GeyserHandlers, serveGeyser } from '@sluice/geyser';
import type { ChainTransaction, StreamableChain } from '../chain.ts';
import { GeyserFaults } from './faults.ts';
import type { AccountWrite, SlotRecord } from './slot-record.ts';
import { type SlotListener, SlotRecorder } from './slot-recorder.ts';
import { StreamSession } from './stream-session.ts';

const PING_INTERVAL_MS = 10_000;
const DEFAULT_REPLAY_SLOTS = 150;

export interface GeyserOptions {
  /** Defaults to loopback. */
  readonly host?: string;
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** Clients must send it as `x-token`; absent: they need none. */
  readonly token?: string;
  /** Slots that `from_slot` can go back; 0 switches replay off. Defaults to 150. */
  readonly replaySlots?: number;
  /** Interval of the server's pings; defaults to 10 s. */
  readonly pingIntervalMs?: number;
}

export interface LocalnetGeyser {
  readonly url: string;
  /** For tests: injects faults. */
  readonly faults: GeyserFaults;
  /** Open streams. */
  readonly streams: number;
  close(): Promise<void>;
}

/** Streams a chain as a validator with the Yellowstone plugin does. */
export async function startGeyserServer(
  chain: StreamableChain,
  options: GeyserOptions = {},
): Promise<LocalnetGeyser> {
  const {
    replaySlots = DEFAULT_REPLAY_SLOTS,
    pingIntervalMs = PING_INTERVAL_MS,
    host,
    port,
    token,
  } = options;
  const sessions = new Set<StreamSession>();
  /** Slots that a fault leaves out. */
  const skipped = new WeakSet<SlotRecord>();
  const toAll = (record: SlotRecord, tell: (session: StreamSession) => void) => {
    if (!skipped.has(record)) for (const session of sessions) tell(session);
  };
  const listener: SlotListener = {
    begun(record) {
      if (!faults.takeSlot()) skipped.add(record);
      toAll(record, (session) => session.begun(record));
    },
    written: (record: SlotRecord, write: AccountWrite) =>
      toAll(record, (session) => session.written(record, write)),
    executed: (record: SlotRecord, transaction: ChainTransaction) =>
      toAll(record, (session) => session.executed(record, transaction)),
    ended: (record) => toAll(record, (session) => session.ended(record)),
    died: (record, isAnnounced) => toAll(record, (session) => session.died(record, isAnnounced)),
  };
  const recorder = new SlotRecorder(chain, replaySlots, listener);
  const faults = new GeyserFaults({
    dropConnections: () => server.dropConnections(),
    forgetReplay: () => recorder.forget(),
    forkNext: (fork) => recorder.forkNext(fork),
    endAll(status, message) {
      for (const session of sessions) session.end(status, message);
    },
    release() {
      for (const session of sessions) session.release();
    },
    flood(updates) {
      const record = recorder.records.at(-1);
      if (record === undefined) return;
      for (let i = 0; i < updates; i += 1) {
        const write = record.writes[i % record.writes.length];
        if (write === undefined) return;
        const again = { ...write, writeVersion: recorder.nextWriteVersion() };
        for (const session of sessions) session.writtenLate(record, again);
      }
    },
  });
  const handlers: GeyserHandlers = {
    subscribe(call) {
      if (faults.refusal !== null) throw new GeyserError(faults.refusal.status, faults.refusal.message);
      const session = new StreamSession(call, { chain, recorder, faults, replaySlots });
      sessions.add(session);
      call.signal.addEventListener('abort', () => sessions.delete(session), { once: true });
      return (request) => session.receive(request);
    },
    replayInfo: () => ({ firstAvailable: replaySlots === 0 ? null : recorder.firstAvailable }),
    slot: (commitment) => (commitment === CommitmentLevel.PROCESSED ? chain.slot : recorder.newestSlot),
    latestBlockhash: () => ({ slot: chain.slot, ...chain.blockhash() }),
    version: () => JSON.stringify({ version: { package: '@sluice/localnet' } }),
  };
  const server = await serveGeyser({
    handlers,
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(token === undefined ? {} : { token }),
  }).catch((error: unknown) => {
    recorder.close();
    throw error;
  });
  const pings = setInterval(() => {
    for (const session of sessions) session.ping();
  }, pingIntervalMs);
  pings.unref();
  return {
    url: server.url,
    faults,
    get streams() {
      return sessions.size;
    },
    async close() {
      clearInterval(pings);
      recorder.close();
      await server.close();
    },
  };
}

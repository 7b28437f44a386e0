import { Counter, Gauge, type Registry } from 'prom-client';

/** Open subscriptions. */
export interface LiveSample {
  readonly streams: number;
  /** Distinct subscriptions among the streams. */
  readonly channels: number;
}

/** Metrics of subscriptions. */
export class LiveMetrics {
  readonly #registry: Registry;
  readonly #executed: Counter;
  readonly #sent: Counter;
  readonly #superseded: Counter;
  readonly #skipped: Counter;
  readonly #ended: Counter<'why'>;

  constructor(registry: Registry) {
    this.#registry = registry;
    const registers = [registry];
    this.#executed = new Counter({
      name: 'sluice_stream_executions_total',
      help: 'Events produced, each once for all its subscribers.',
      registers,
    });
    this.#sent = new Counter({
      name: 'sluice_stream_events_total',
      help: 'Chunks sent to clients; the events of one View share a chunk.',
      registers,
    });
    this.#superseded = new Counter({
      name: 'sluice_stream_superseded_total',
      help: 'Events replaced by newer ones before a slow client read them.',
      registers,
    });
    this.#skipped = new Counter({
      name: 'sluice_stream_skipped_total',
      help: 'Views that a stream skipped because its rate limit was used up.',
      registers,
    });
    this.#ended = new Counter({
      name: 'sluice_streams_ended_total',
      help: 'Streams ended, by reason: the client left or stalled, its key was revoked, the gateway stopped, or nothing can follow.',
      labelNames: ['why'],
      registers,
    });
  }

  executed(): void {
    this.#executed.inc();
  }

  sent(): void {
    this.#sent.inc();
  }

  superseded(events: number): void {
    this.#superseded.inc(events);
  }

  skipped(): void {
    this.#skipped.inc();
  }

  ended(why: string): void {
    this.#ended.inc({ why });
  }

  /** Collects open streams on every scrape. */
  watch(read: () => LiveSample): void {
    const gauge = (name: string, help: string, of: (sample: LiveSample) => number) => {
      new Gauge({
        name: `sluice_${name}`,
        help,
        registers: [this.#registry],
        collect() {
          this.set(of(read()));
        },
      });
    };
    gauge('streams_open', 'Open streams.', ({ streams }) => streams);
    gauge('stream_channels_open', 'Distinct subscriptions with at least one stream.', (s) => s.channels);
  }
}

import { Counter, Gauge, type Registry } from 'prom-client';

/** What is open now. */
export interface LiveSample {
  readonly streams: number;
  /** Distinct subscriptions behind them. */
  readonly channels: number;
}

/** What is measured of subscriptions. */
export class LiveMetrics {
  readonly #registry: Registry;
  readonly #executed: Counter;
  readonly #sent: Counter;
  readonly #superseded: Counter;
  readonly #ended: Counter<'why'>;

  constructor(registry: Registry) {
    this.#registry = registry;
    const registers = [registry];
    this.#executed = new Counter({
      name: 'sluice_stream_executions_total',
      help: 'Events that were made, each once for all who listen.',
      registers,
    });
    this.#sent = new Counter({
      name: 'sluice_stream_events_total',
      help: 'Pieces that were sent to clients; the events of one View are one.',
      registers,
    });
    this.#superseded = new Counter({
      name: 'sluice_stream_superseded_total',
      help: 'Events that a client had not read when a newer one took their place.',
      registers,
    });
    this.#ended = new Counter({
      name: 'sluice_streams_ended_total',
      help: 'Streams that ended: the client went, it did not read, or the gateway stopped.',
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

  ended(why: string): void {
    this.#ended.inc({ why });
  }

  /** Reads what is open whenever the metrics are asked for. */
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
    gauge('streams_open', 'Streams that are open.', ({ streams }) => streams);
    gauge('stream_channels_open', 'Distinct subscriptions that somebody listens to.', (s) => s.channels);
  }
}

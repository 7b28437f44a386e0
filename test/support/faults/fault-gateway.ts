import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../../../src/app/app.ts';
import type { View } from '../../../src/chain/view/view.ts';
import { requestListener } from '../../../src/http/server.ts';
import type { TestApp } from '../apps/test-app.ts';
import { EventStream, type WireEvent } from '../http/event-stream.ts';
import type { Truth } from './reference-answers.ts';
import { askFor, differences, graphReply, outside, type Reply } from './replies.ts';
import { type Question, STREAMS, type StreamName, streamQuestion } from './traffic.ts';

/** A reply and the slot of the world at that time. The world does not advance during a round. */
export interface Heard {
  readonly reply: Reply;
  readonly worldSlot: bigint;
}

/** The response of /ready. */
export interface Readiness {
  readonly status: number;
  readonly text: string;
}

interface StreamedField {
  readonly slot: string;
  readonly reason: string;
}
type Streamed = Readonly<Record<string, StreamedField & Readonly<Record<string, unknown>>>>;

/** A gateway on a socket that records everything it served for comparison. */
export class FaultGateway {
  readonly app: App;
  readonly origin: string;
  readonly heard: Heard[] = [];
  readonly events: { readonly stream: StreamName; readonly event: WireEvent<Streamed> }[] = [];
  readonly wrongBytes: string[] = [];
  /** Streams that ended although the test did not close them. */
  readonly ended: string[] = [];
  readonly #gateway: TestApp;
  readonly #server: Server;
  readonly #truth: Truth;
  readonly #addresses: Readonly<Record<StreamName, string>>;
  readonly #views = new Map<string, View>();
  readonly #checked = new WeakSet<object>();
  #streams: EventStream<Streamed>[] = [];
  #isClosing = false;

  private constructor(
    gateway: TestApp,
    server: Server,
    truth: Truth,
    addresses: Readonly<Record<StreamName, string>>,
  ) {
    this.app = gateway.app;
    this.#gateway = gateway;
    this.#server = server;
    this.#truth = truth;
    this.#addresses = addresses;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { views } = gateway.app.chain;
    const look = (view: View) => {
      this.#views.set(view.moment.id, view);
      this.wrongBytes.push(...truth.wrongBytes(view, this.#checked));
    };
    if (views.newest !== undefined) look(views.newest);
    views.onView(look);
  }

  static async serve(
    gateway: TestApp,
    truth: Truth,
    addresses: Readonly<Record<StreamName, string>>,
  ): Promise<FaultGateway> {
    const { app } = gateway;
    const server = createServer(app.serveCached(requestListener(app.fetch)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FaultGateway(gateway, server, truth, addresses);
  }

  async openStreams(): Promise<void> {
    for (const name of Object.keys(STREAMS) as StreamName[]) {
      const variables = { a: [this.#addresses[name]] };
      const stream = await EventStream.open<Streamed>(this.origin, STREAMS[name].subscription, { variables });
      this.#streams.push(stream);
      void this.#follow(name, stream);
    }
  }

  /** Sends all requests at once. The world must not advance until it returns. */
  async ask(questions: readonly Question[], worldSlot: bigint): Promise<readonly Reply[]> {
    const replies = await Promise.all(questions.map((each) => askFor(fetch, this.origin, each)));
    this.heard.push(...replies.map((reply) => ({ reply, worldSlot })));
    return replies;
  }

  async ready(): Promise<Readiness> {
    const response = await fetch(`${this.origin}/ready`);
    return { status: response.status, text: await response.text() };
  }

  /** Number of complete answers and events compared with the reference. */
  get compared(): number {
    const answers = this.heard.filter(({ reply }) => reply.codes.length === 0 && reply.content !== null);
    return answers.length + this.events.filter(({ event }) => event.data?.data != null).length;
  }

  /** Wrong numbers in answers and events. */
  async wrongNumbers(): Promise<readonly string[]> {
    const wrong = await Promise.all([
      ...this.heard.map(({ reply, worldSlot }) => this.#wrong(reply, worldSlot)),
      ...this.events.map(({ stream, event }) => this.#wrongEvent(stream, event)),
    ]);
    return [...this.wrongBytes, ...wrong.flat()];
  }

  /** Whether a stream has sent an event of this slot. */
  hasStreamed(stream: StreamName, slot: bigint): boolean {
    return this.events.some(
      (each) => each.stream === stream && each.event.data?.data?.[stream]?.slot === String(slot),
    );
  }

  /** Error codes in stream events. */
  streamCodes(): readonly string[] {
    return this.events.flatMap(
      ({ event }) => event.data?.errors?.map((each) => each.extensions?.code ?? 'none') ?? [],
    );
  }

  async stop(): Promise<void> {
    this.#isClosing = true;
    for (const stream of this.#streams) stream.close();
    this.#streams = [];
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    await this.#gateway.stop();
  }

  async #follow(name: StreamName, stream: EventStream<Streamed>): Promise<void> {
    try {
      for (let event = await stream.next(); event !== null; event = await stream.next()) {
        this.events.push({ stream: name, event });
      }
    } catch (error) {
      if (!this.#isClosing) this.ended.push(`${name}: ${String(error)}`);
      return;
    }
    if (!this.#isClosing) this.ended.push(name);
  }

  async #wrongEvent(stream: StreamName, { data }: WireEvent<Streamed>): Promise<readonly string[]> {
    const field = data?.data?.[stream];
    if (data === null || field === undefined || field === null) return [];
    const { field: inner } = STREAMS[stream];
    const parsed = graphReply({ ...data, data: { [inner]: field[inner] } });
    const question = streamQuestion(stream, this.#addresses[stream]);
    const reply = { ...parsed, question, status: 200, headers: new Headers(), text: '' };
    const slotIsTrue = BigInt(field.slot) === parsed.slot;
    return [
      ...(slotIsTrue ? [] : [`${question.name}: slot ${field.slot}`]),
      ...(await this.#wrong(reply, null)),
    ];
  }

  async #wrong(reply: Reply, worldSlot: bigint | null): Promise<readonly string[]> {
    const { question, content, failedAt, slot, live } = reply;
    if (content === null || reply.codes.length > failedAt.length) return [];
    const says = (wrong: readonly string[]) => wrong.slice(0, 3).map((each) => `${question.name}: ${each}`);
    if (question.source === 'history') {
      return says(differences(content, this.#truth.of(question, 0n, 0n), failedAt));
    }
    const view = this.#views.get(reply.view ?? '');
    if (slot === null || view === undefined || view.moment.slot !== slot) {
      return says([`it claims View ${reply.view} of slot ${slot}`]);
    }
    const from = worldSlot ?? live?.min ?? slot;
    const to = worldSlot ?? live?.max ?? slot;
    const isHonest = live === null || live.min === slot || (live.min >= from && live.max <= to);
    if (!isHonest) return says([`it claims reads of slots ${live.min} to ${live.max}`]);
    const { slotMin, slotWhole } = view.moment;
    const oldest = [slotMin, slotWhole, slot].reduce((a, b) => (a < b ? a : b));
    const truths = this.#truth
      .slotsWithin(oldest, slot)
      .flatMap((viewSlot) =>
        this.#truth.slotsWithin(from, to).map((liveSlot) => this.#truth.of(question, viewSlot, liveSlot)),
      );
    const [only] = truths;
    if (truths.length === 1) return says(differences(content, only, failedAt));
    // A mixture of slots can leave the span of whole states, so the reference answers on the same View.
    return says(
      question.source === 'view'
        ? differences(content, await this.#truth.on(question, view), failedAt)
        : outside(content, truths, failedAt),
    );
  }
}

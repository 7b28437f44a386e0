import { type Coding, compressed, preferredCoding } from './content-coding.ts';
import { alreadyHas, type EntityTags, entityTags } from './entity-tag.ts';

/** The parts of a request that decide the form of its answer; a `Request` has them. */
export interface AnswerPreferences {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

/** Status, headers and bytes, however they are sent. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

interface Form {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface EncodedAnswerOptions {
  /** Sent with the answer and with a 304 alike. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** Whether the answer has an entity tag, so that a client can revalidate its copy. */
  readonly tagged: boolean;
  /** Makes a compressed form; `compressed` by default. */
  readonly compress?: (bytes: Uint8Array, coding: 'br' | 'gzip') => Promise<Uint8Array>;
}

/** The bytes of an answer and its compressed forms; each form is made once, when it is first requested. */
export class EncodedAnswer {
  readonly #options: EncodedAnswerOptions;
  readonly #identity: Uint8Array;
  readonly #tags: EntityTags | null;
  readonly #forms = new Map<Coding, Form>();
  readonly #pending = new Map<Coding, Promise<Form>>();
  #byteLength: number;
  /** Called when a compressed form was added. */
  onGrowth: (() => void) | undefined;

  constructor(bytes: Uint8Array, options: EncodedAnswerOptions) {
    this.#options = options;
    this.#identity = bytes;
    this.#byteLength = bytes.byteLength;
    this.#tags = options.tagged ? entityTags(bytes) : null;
    this.#forms.set('identity', this.#form('identity', bytes));
  }

  /** Reads all of a response. An answer gets an entity tag if clients are allowed to store it. */
  static async from(response: Response): Promise<EncodedAnswer> {
    const bytes = Buffer.from(await response.text());
    const headers: Record<string, string> = { vary: 'Accept-Encoding' };
    for (const [name, value] of response.headers) headers[name.toLowerCase()] = value;
    const { 'content-type': contentType = '', 'content-length': _, ...context } = headers;
    const tagged = !(headers['cache-control'] ?? 'no-store').includes('no-store');
    return new EncodedAnswer(bytes, { contentType, tagged, headers: context });
  }

  /** Size of all forms that have been made. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** The answer as the caller prefers it, or undefined if that form has not been made yet. */
  ready(preferences: AnswerPreferences): PlainAnswer | undefined {
    const coding = this.#coding(preferences);
    if (this.#isHeld(preferences, coding)) return this.#notModified(coding);
    const form = this.#forms.get(coding);
    return form === undefined ? undefined : plainAnswer(form, preferences);
  }

  /** The answer as the caller prefers it. */
  async answer(preferences: AnswerPreferences): Promise<PlainAnswer> {
    return this.ready(preferences) ?? plainAnswer(await this.#encode(this.#coding(preferences)), preferences);
  }

  #coding({ headers }: AnswerPreferences): Coding {
    return preferredCoding(headers.get('accept-encoding'), this.#identity.byteLength);
  }

  #isHeld({ headers }: AnswerPreferences, coding: Coding): boolean {
    return this.#tags !== null && alreadyHas(headers.get('if-none-match'), this.#tags, coding);
  }

  #encode(coding: Coding): Promise<Form> {
    const pending = this.#pending.get(coding);
    if (pending !== undefined) return pending;
    const encoding = this.#compress(coding).finally(() => this.#pending.delete(coding));
    this.#pending.set(coding, encoding);
    return encoding;
  }

  async #compress(coding: Coding): Promise<Form> {
    const { compress = compressed } = this.#options;
    const bytes = coding === 'identity' ? this.#identity : await compress(this.#identity, coding);
    const form = this.#form(coding, bytes);
    this.#forms.set(coding, form);
    this.#byteLength += bytes.byteLength;
    this.onGrowth?.();
    return form;
  }

  #form(coding: Coding, bytes: Uint8Array): Form {
    return {
      bytes,
      headers: {
        ...this.#contextHeaders(coding),
        'content-type': this.#options.contentType,
        ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
        'content-length': String(bytes.byteLength),
      },
    };
  }

  #contextHeaders(coding: Coding): Record<string, string> {
    const etag = this.#tags === null ? {} : { etag: this.#tags[coding] };
    return { ...this.#options.headers, ...etag };
  }

  #notModified(coding: Coding): PlainAnswer {
    return { status: 304, headers: this.#contextHeaders(coding), body: null };
  }
}

const plainAnswer = ({ bytes, headers }: Form, { method }: AnswerPreferences): PlainAnswer => ({
  status: 200,
  headers,
  body: method === 'HEAD' ? null : bytes,
});

export function asResponse({ status, headers, body }: PlainAnswer): Response {
  return new Response(body as BodyInit | null, { status, headers });
}

import { type Coding, compressed, preferredCoding } from './content-coding.ts';
import { alreadyHas, type EntityTags, entityTags } from './entity-tag.ts';

/** What decides how an answer is sent; a `Request` is one. */
export interface AnswerWish {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

/** What is sent, by whatever means. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

interface Form {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PackedOptions {
  /** What goes with the answer and with a 304 alike. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** Only what may be asked for again has a tag. */
  readonly tagged: boolean;
}

/** The bytes of an answer and its compressed forms, each made once, when first wanted. */
export class PackedAnswer {
  readonly #options: PackedOptions;
  readonly #identity: Uint8Array;
  readonly #tags: EntityTags | null;
  readonly #forms = new Map<Coding, Form>();
  readonly #making = new Map<Coding, Promise<Form>>();
  /** Told how many bytes a new form has. */
  onGrowth: ((bytes: number) => void) | undefined;

  constructor(bytes: Uint8Array, options: PackedOptions) {
    this.#options = options;
    this.#identity = bytes;
    this.#tags = options.tagged ? entityTags(bytes) : null;
    this.#forms.set('identity', this.#form('identity', bytes));
  }

  get byteLength(): number {
    return this.#identity.byteLength;
  }

  /** The answer as the caller wants it, if it can be given at once. */
  ready(wish: AnswerWish): PlainAnswer | undefined {
    const coding = this.#coding(wish);
    if (this.#isHeld(wish, coding)) return this.#notModified(coding);
    const form = this.#forms.get(coding);
    return form === undefined ? undefined : plain(form, wish);
  }

  /** The answer as the caller wants it. */
  async answer(wish: AnswerWish): Promise<PlainAnswer> {
    return this.ready(wish) ?? plain(await this.#made(this.#coding(wish)), wish);
  }

  #coding({ headers }: AnswerWish): Coding {
    return preferredCoding(headers.get('accept-encoding'), this.byteLength);
  }

  #isHeld({ headers }: AnswerWish, coding: Coding): boolean {
    return this.#tags !== null && alreadyHas(headers.get('if-none-match'), this.#tags, coding);
  }

  #made(coding: Coding): Promise<Form> {
    const begun = this.#making.get(coding) ?? this.#make(coding);
    this.#making.set(coding, begun);
    return begun;
  }

  async #make(coding: Coding): Promise<Form> {
    const bytes = coding === 'identity' ? this.#identity : await compressed(this.#identity, coding);
    const form = this.#form(coding, bytes);
    this.#forms.set(coding, form);
    this.onGrowth?.(bytes.byteLength);
    return form;
  }

  #form(coding: Coding, bytes: Uint8Array): Form {
    return {
      bytes,
      headers: {
        ...this.#context(coding),
        'content-type': this.#options.contentType,
        ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
        'content-length': String(bytes.byteLength),
        'x-content-type-options': 'nosniff',
      },
    };
  }

  #context(coding: Coding): Record<string, string> {
    const etag = this.#tags === null ? {} : { etag: this.#tags[coding] };
    return { ...this.#options.headers, ...etag };
  }

  #notModified(coding: Coding): PlainAnswer {
    return { status: 304, headers: this.#context(coding), body: null };
  }
}

const plain = ({ bytes, headers }: Form, { method }: AnswerWish): PlainAnswer => ({
  status: 200,
  headers,
  body: method === 'HEAD' ? null : bytes,
});

export function asResponse({ status, headers, body }: PlainAnswer): Response {
  return new Response(body as BodyInit | null, { status, headers });
}

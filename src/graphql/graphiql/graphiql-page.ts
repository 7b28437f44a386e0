import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { GraphiQLOptions } from 'graphql-yoga';
import { type Coding, preferredCoding } from '../../http/content-coding.ts';
import { additions } from './graphiql-additions.ts';

interface Rendered {
  readonly etag: string;
  readonly policy: string;
  readonly byteLength: number;
  /** The page in a coding, which it is brought into when somebody first takes it so. */
  readonly body: (coding: Coding) => Promise<Uint8Array>;
}

/** A middling quality: the page is 9 MB, and the first visitor waits for its compression. */
const BROTLI_QUALITY = 5;

const CODED: Readonly<Record<Coding, (page: Buffer) => Promise<Uint8Array>>> = {
  identity: (page) => Promise.resolve(page),
  br: (page) =>
    promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/**
 * GraphiQL as one page that needs nothing from elsewhere. Rendered and compressed when it is first asked for, then served
 * from memory; a browser that has it gets 304.
 */
export class GraphiQLPage {
  readonly #options: () => GraphiQLOptions;
  #rendered: Promise<Rendered> | undefined;

  /** @param options asked for when the page is first wanted: by then the chain has been read. */
  constructor(options: () => GraphiQLOptions) {
    this.#options = options;
  }

  /** Whether the request wants the page and not an answer. With a query in its address it is shown that one. */
  static isWanted({ method, headers }: Request): boolean {
    const wantsHtml = headers.get('accept')?.includes('text/html') ?? false;
    return (method === 'GET' || method === 'HEAD') && wantsHtml;
  }

  async respond(request: Request): Promise<Response> {
    this.#rendered ??= render(this.#options());
    const { etag, policy, byteLength, body: bodyIn } = await this.#rendered;
    const encoding = preferredCoding(request.headers.get('accept-encoding'), byteLength);
    const headers = new Headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      vary: 'accept, accept-encoding',
      etag,
    });
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
    if (encoding !== 'identity') headers.set('content-encoding', encoding);
    const body = await bodyIn(encoding);
    headers.set('content-length', String(body.byteLength));
    return new Response(request.method === 'HEAD' ? null : (body as BodyInit), { headers });
  }
}

async function render(options: GraphiQLOptions): Promise<Rendered> {
  // Nine megabytes of source: loaded when a browser first comes, not when the gateway starts.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL(options).replace('</head>', () => `${additions(options)}</head>`);
  const page = Buffer.from(html);
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 27)}"`;
  const bodies = new Map<Coding, Promise<Uint8Array>>();
  return {
    etag,
    policy: policyOf(html),
    byteLength: page.byteLength,
    body(coding) {
      const body = bodies.get(coding) ?? CODED[coding](page);
      bodies.set(coding, body);
      return body;
    },
  };
}

/** The scripts that are in the page, by their hashes, and no others: a name from the chain that holds one stays a text. */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script/g)].map(([, script = '']) => {
    // As a browser reads it.
    const digest = createHash('sha256').update(script.replace(/\r\n?/g, '\n')).digest('base64');
    return `'sha256-${digest}'`;
  });
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    'worker-src blob: data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

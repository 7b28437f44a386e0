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
  /** The page in a content coding. Compressed on first use. */
  readonly body: (coding: Coding) => Promise<Uint8Array>;
}

/** Medium quality: the page is 9 MB, and the first visitor waits for its compression. */
const BROTLI_QUALITY = 5;

const ENCODERS: Readonly<Record<Coding, (page: Buffer) => Promise<Uint8Array>>> = {
  identity: (page) => Promise.resolve(page),
  br: (page) =>
    promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/**
 * GraphiQL as one self-contained page. Rendered and compressed on the first request, then served from memory. A browser
 * that has the current version gets 304.
 */
export class GraphiQLPage {
  readonly #options: () => GraphiQLOptions;
  #rendered: Promise<Rendered> | undefined;

  /** @param options called on the first request, when the chain has been read and example addresses are known. */
  constructor(options: () => GraphiQLOptions) {
    this.#options = options;
  }

  /** Whether the request wants the page instead of an answer. The page opens the query of the URL, if there is one. */
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
  // Nine megabytes of source: loaded on the first request, not when the gateway starts.
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
      const body = bodies.get(coding) ?? ENCODERS[coding](page);
      bodies.set(coding, body);
      return body;
    },
  };
}

/** Allows only the scripts of the page, by hash. A script in a name from the chain is never executed. */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script/g)].map(([, script = '']) => {
    // Browsers normalise line ends before they hash.
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

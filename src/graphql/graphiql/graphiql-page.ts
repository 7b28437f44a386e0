import { createHash } from 'node:crypto';
import type { GraphiQLOptions } from 'graphql-yoga';
import { namesType } from '../../http/accept.ts';
import { asResponse, EncodedAnswer } from '../../http/encoded-answer.ts';
import { additions } from './graphiql-additions.ts';
import { graphiqlParts } from './graphiql-files.ts';

/** URL of GraphiQL's files relative to the page, which works under a path prefix. */
const FILES_FOLDER = 'graphql/';

/**
 * The page of GraphiQL. Rendered and compressed on the first request, then served from memory. A browser that has the
 * current version gets 304.
 */
export class GraphiQLPage {
  readonly #options: () => GraphiQLOptions;
  #page: Promise<EncodedAnswer> | undefined;

  /** @param options called on the first request, when the chain has been read and values for the examples are known. */
  constructor(options: () => GraphiQLOptions) {
    this.#options = options;
  }

  /** Whether the request wants the page instead of an answer. The page opens the query of the URL, if there is one. */
  static isWanted({ method, headers }: Request): boolean {
    return (method === 'GET' || method === 'HEAD') && namesType(headers.get('accept'), 'text/html');
  }

  async respond(request: Request): Promise<Response> {
    this.#page ??= render(this.#options());
    return asResponse(await (await this.#page).answer(request));
  }
}

async function render(options: GraphiQLOptions): Promise<EncodedAnswer> {
  const { page } = await graphiqlParts();
  const html = page(options, FILES_FOLDER).replace('</head>', () => `${additions(options)}</head>`);
  return new EncodedAnswer(Buffer.from(html), {
    contentType: 'text/html; charset=utf-8',
    tagged: true,
    headers: {
      'cache-control': 'no-cache',
      'content-security-policy': policyOf(html),
      vary: 'accept, accept-encoding',
    },
  });
}

/** Allows our own files, and the scripts of the page by hash. A script in a name from the chain is never executed. */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script/g)].map(([, script = '']) => {
    // Browsers normalise line ends before they hash.
    const digest = createHash('sha256').update(script.replace(/\r\n?/g, '\n')).digest('base64');
    return `'sha256-${digest}'`;
  });
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    'font-src data:',
    "img-src 'self' data:",
    'worker-src blob: data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

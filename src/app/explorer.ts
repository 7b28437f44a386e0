import { readFile } from 'node:fs/promises';
import { namesType } from '../http/accept.ts';
import { asResponse } from '../http/encoded-answer.ts';
import { staticAnswer } from '../http/static-answer.ts';
import { PACKAGE_FOLDER } from '../node/package-files.ts';

/** Made by `npm run build` from packages/explorer: `index.html`, and in `explorer/` the files that it loads. */
export const EXPLORER_BUILD: URL = new URL('dist/explorer/', PACKAGE_FOLDER);

const FILES = '/explorer/';
/** One folder, no hidden files. */
const FILE_NAME = /^[\w-]+(?:\.[\w-]+)*\.([a-z0-9]+)$/;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** The page loads only its own files, runs no script in a name from the chain, and connects only to this gateway. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Wallets describe themselves with an icon in a data URL.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  vary: 'Accept, Accept-Encoding',
};
/** Names contain a digest of the content. */
const FILE_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' };

export interface ExplorerAnswer {
  /** Path with parameters, for metrics and the log. */
  readonly route: string;
  readonly response: Response;
}

/**
 * The explorer: a page at `/` for clients that name HTML, as browsers do, and its files. Other programs are redirected to the
 * API, as before there was a page. Files are read for each request, because browsers keep the files and revalidate the
 * page: a copy in memory would hardly be used.
 */
export class Explorer {
  readonly #folder: URL;
  /** The build compresses each file once. */
  readonly #prepared: URL;

  constructor(folder: URL = EXPLORER_BUILD) {
    this.#folder = folder;
    this.#prepared = new URL('../prepared/', folder);
  }

  /** Undefined for a request that is not about the explorer, and when it has not been built. */
  async respond(request: Request, path: string): Promise<ExplorerAnswer | undefined> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    if (path === '/')
      return namesType(request.headers.get('accept'), 'text/html')
        ? await this.#answer(request, { route: '/', file: 'index.html', type: 'text/html; charset=utf-8' })
        : undefined;
    if (!path.startsWith(FILES)) return undefined;
    const name = path.slice(FILES.length);
    const type = CONTENT_TYPES[FILE_NAME.exec(name)?.[1] ?? ''];
    if (type === undefined) return undefined;
    return await this.#answer(request, { route: `${FILES}{file}`, file: `explorer/${name}`, type });
  }

  async #answer(
    request: Request,
    { route, file, type }: { readonly route: string; readonly file: string; readonly type: string },
  ): Promise<ExplorerAnswer | undefined> {
    const bytes = await this.#read(file);
    if (bytes === undefined) return undefined;
    const headers = route === '/' ? PAGE_HEADERS : FILE_HEADERS;
    const answer = staticAnswer(bytes, { contentType: type, headers }, this.#prepared);
    return { route, response: asResponse(await answer.answer(request)) };
  }

  async #read(file: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(new URL(file, this.#folder));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

import type { IncomingMessage } from 'node:http';

export interface RequestKeysOptions {
  /** Null: answers name the host that each request was sent to. */
  readonly publicUrl: string | null;
  /** Requests to this path are known by their body. */
  readonly bodyPath: string;
  /** Rewrites aliases in a path to the documented spelling. */
  readonly documentedPath: (target: string) => string;
}

/**
 * Keys of requests in the answer cache. The host is part of a key where answers contain URLs of this gateway. The REST
 * API stores an answer under the target in its documented spelling, so a request that is spelled so is found here.
 */
export class RequestKeys {
  readonly #options: RequestKeysOptions;

  constructor(options: RequestKeysOptions) {
    this.#options = options;
  }

  /** The key of a GET or HEAD. */
  ofTarget({ url = '', headers }: IncomingMessage): string {
    const { publicUrl, documentedPath } = this.#options;
    return targetKey(publicUrl ?? `http://${headers.host}`, documentedPath(url));
  }

  hasBodyKey({ url }: Pick<IncomingMessage, 'url'>): boolean {
    return url === this.#options.bodyPath;
  }

  /** The key of a POST whose body has been read; null for any other. The media type of an answer follows `Accept`. */
  ofBody(incoming: Pick<IncomingMessage, 'url' | 'headers'> & { readonly rawBody?: Buffer }): string | null {
    const { headers, rawBody } = incoming;
    if (rawBody === undefined || !this.hasBodyKey(incoming)) return null;
    const { accept = '', host = '' } = headers;
    return `${this.#options.publicUrl ?? host}\n${accept}\n${rawBody.toString('latin1')}`;
  }
}

/** @param target path and query in the documented spelling */
export const targetKey = (baseUrl: string, target: string): string => `${baseUrl}${target}`;

import { SluiceError } from '../../errors/sluice-error.ts';
import { type Graph, readAnswer, requestBody } from '../../mcp/graph.ts';

export interface RemoteGateway {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Empty for none. */
  readonly key: string;
}

/** The GraphQL API of a gateway in another process. */
export function remoteGraph({ url, key }: RemoteGateway): Graph {
  const headers = {
    'content-type': 'application/json',
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
  };
  return {
    async execute(request, signal) {
      const init = {
        method: 'POST',
        headers,
        body: requestBody(request),
        signal,
        redirect: 'error',
      } as const;
      try {
        const response = await fetch(`${url}/graphql`, init);
        return readAnswer(await response.json());
      } catch (error) {
        signal.throwIfAborted();
        throw new SluiceError('GATEWAY_UNREACHABLE', { url }, { cause: error });
      }
    },
    giveWay: () => null,
  };
}

import type { StreamEndpoint } from './stream-connection.ts';

/** Where an endpoint is, without the token that its URL may contain. */
export interface GeyserAddress {
  readonly url: string;
  readonly token?: string;
  readonly tokenHeader: string;
}

/** Takes the token, which is the user name or the password, out of a URL. */
export function geyserAddress(text: string, tokenHeader: string): GeyserAddress {
  const { origin, username, password } = new URL(text);
  const token = decodeURIComponent(username === '' ? password : username);
  return { url: origin, tokenHeader, ...(token === '' ? {} : { token }) };
}

/** Loads the client with the first connection: a gateway that only polls starts without it. */
export function geyserEndpoints(urls: readonly string[], tokenHeader: string): readonly StreamEndpoint[] {
  return urls.map((url, i) => ({
    name: `geyser-${i + 1}`,
    async connect() {
      const { GeyserClient } = await import('@sluice/geyser/client');
      return new GeyserClient(geyserAddress(url, tokenHeader));
    },
  }));
}

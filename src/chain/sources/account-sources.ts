import type { AccountSource } from '../view/account-source.ts';
import type { GeyserSource } from './geyser/geyser-source.ts';
import { type PollingOptions, PollingSource } from './polling.ts';
import { WebSocketSource, type WebSocketSourceOptions } from './websocket.ts';

export interface AccountSourcesOptions extends Omit<WebSocketSourceOptions, 'urls' | 'kinds'> {
  readonly wsUrls: readonly string[];
  readonly polling: PollingOptions;
  /** Null: no endpoint is configured. */
  readonly stream: GeyserSource | null;
}

/** All sources of a chain: another one is a file beside this one and a line here. */
export function accountSources({
  wsUrls,
  polling,
  stream,
  ...options
}: AccountSourcesOptions): readonly AccountSource[] {
  return [
    new PollingSource(polling),
    // Vaults are most of the bytes that polling reads.
    new WebSocketSource({ ...options, urls: wsUrls, kinds: ['vault'] }),
    ...(stream === null ? [] : [stream]),
  ];
}

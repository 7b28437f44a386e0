import type { SubscribeRequest, SubscribeUpdate } from '@sluice/geyser/messages';

/** A subscription, as `@sluice/geyser` has it. */
export interface AccountStream extends AsyncIterable<SubscribeUpdate> {
  /** Replaces the subscription. */
  update(request: SubscribeRequest): void;
  /** Answered by an update `pong` of this id. */
  ping(id: number): void;
}

/** A connection to an endpoint. */
export interface StreamConnection {
  subscribe(request: SubscribeRequest, signal: AbortSignal): AccountStream;
  close(): Promise<void>;
}

/** An endpoint under our name for it. Its address and its token are never shown. */
export interface StreamEndpoint {
  /** Its place in the settings, `geyser-1`. */
  readonly name: string;
  connect(): StreamConnection | Promise<StreamConnection>;
}

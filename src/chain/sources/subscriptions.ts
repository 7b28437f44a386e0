import {
  type AccountNotificationsApi,
  createDefaultRpcSubscriptionsTransport,
  createSolanaRpcSubscriptionsFromTransport,
  getChannelPoolingChannelCreator,
  getRpcSubscriptionsChannelWithAutoping,
  type ProgramNotificationsApi,
  type RpcSubscriptions,
} from '@solana/kit';
import { type OpenSocket, openFrameChannel, openWebSocket } from './frame-channel.ts';

/** Subscriptions to changed accounts over a WebSocket. */
export type Subscriptions = RpcSubscriptions<ProgramNotificationsApi & AccountNotificationsApi>;

/** Providers close connections without traffic. */
const PING_MS = 5_000;
/** The lowest limit of providers. */
const POOL = { maxSubscriptionsPerChannel: 100, minChannels: 1 };

/** The library's subscriptions, over a channel of ours: its own neither bounds nor checks what an endpoint sends. */
export function connectSubscriptions(url: string, open: OpenSocket = openWebSocket): Subscriptions {
  const createChannel = getChannelPoolingChannelCreator(async ({ abortSignal }) => {
    const channel = await openFrameChannel(url, abortSignal, open);
    return getRpcSubscriptionsChannelWithAutoping({ abortSignal, channel, intervalMs: PING_MS });
  }, POOL);
  return createSolanaRpcSubscriptionsFromTransport(createDefaultRpcSubscriptionsTransport({ createChannel }));
}

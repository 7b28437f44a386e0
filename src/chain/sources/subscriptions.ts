import {
  type AccountNotificationsApi,
  createSolanaRpcSubscriptions,
  type ProgramNotificationsApi,
  type RpcSubscriptions,
} from '@solana/kit';

/** Subscriptions to changed accounts over a WebSocket. */
export type Subscriptions = RpcSubscriptions<ProgramNotificationsApi & AccountNotificationsApi>;

export const connectSubscriptions = (url: string): Subscriptions => createSolanaRpcSubscriptions(url);

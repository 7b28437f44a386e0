export { GeyserClient, type GeyserClientOptions, type GeyserEndpoint } from './client.ts';
export { GeyserError, GrpcStatus } from './errors.ts';
export type { GeyserStream } from './geyser-stream.ts';
export * from './messages.ts';
export {
  type GeyserHandlers,
  type GeyserServer,
  type ServeGeyserOptions,
  type SubscribeCall,
  serveGeyser,
} from './server.ts';
export {
  decodeTransactionError,
  encodeTransactionError,
  type TransactionErrorJson,
} from './transaction-error.ts';

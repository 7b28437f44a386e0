export {
  type Clock,
  createEndpointPool,
  type Distrust,
  type EndpointPool,
  type EndpointPoolOptions,
  type EndpointStatus,
  type RpcCall,
} from './pool/endpoint-pool.ts';
export { isRpcError, RpcError, type RpcErrorCode, type RpcErrorContext } from './rpc-error.ts';
export { bytesOf } from './transport/account-json.ts';
export { systemClock } from './transport/clock.ts';
export { MAX_SLOT_LAG } from './transport/endpoint-status.ts';

/** For the folders that may not import the pool of RPC endpoints. */
export { unlessAborted } from '@sluice/rpc-pool/abort';

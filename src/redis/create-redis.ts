import { Redis, type RedisOptions } from 'ioredis';
import { MasterConnector } from './master-connector.ts';
import { isSentinelUrl, parseSentinelUrl, type SentinelAddress } from './sentinel-address.ts';

type ClientOptions = Omit<RedisOptions, 'replyMapping'>;

/**
 * A client for a valid `REDIS_URL`: of one Redis, or of the master that sentinels name. Commands without a reply are never
 * sent again by themselves: nobody knows whether they were executed.
 */
export function createRedis(url: string, given: ClientOptions): Redis {
  const options: ClientOptions = { ...given, autoResendUnfulfilledCommands: false };
  if (!isSentinelUrl(url)) return new Redis(url, options);
  const address = parseSentinelUrl(url);
  if (address === null) throw new TypeError('malformed URL of sentinels');
  const { db, username, password, isEncrypted } = address;
  return new Redis({
    ...options,
    db,
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    // The connector connects. This lets the client wait for the handshake.
    ...(isEncrypted && { tls: {} }),
    Connector: connectorTo(address),
  });
}

const connectorTo = (address: SentinelAddress) =>
  class extends MasterConnector {
    constructor() {
      super(address);
    }
  };

import { isIP } from 'node:net';
import { SluiceError } from '../../errors/sluice-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Which receivers are allowed. */
export interface ReceiverRules {
  /** Also http, any port, and addresses of private networks. */
  readonly allowPrivate: boolean;
}

const MAX_LENGTH = 2_000;
const PORTS = ['', '443', '8443'];

/** The URL of a receiver. Names are resolved when a message is sent. @throws ALERT_URL_REFUSED */
export function receiverUrl(text: string, { allowPrivate }: ReceiverRules): URL {
  if (text.length > MAX_LENGTH) throw refused(`it has more than ${MAX_LENGTH} characters`);
  if (!URL.canParse(text)) throw refused('it is not a URL');
  const url = new URL(text);
  const protocols = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!protocols.includes(url.protocol)) throw refused('it must start with https://');
  if (url.username !== '' || url.password !== '') throw refused('it must not contain a user or password');
  if (allowPrivate) return url;
  if (!PORTS.includes(url.port)) throw refused('its port must be 443 or 8443');
  const address = literalAddress(url);
  if (address !== null && !isPublicAddress(address)) throw refused('its address is not public');
  return url;
}

/** The address that a URL names instead of a host; null for a host. */
export function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

const refused = (reason: string) => new SluiceError('ALERT_URL_REFUSED', { reason });

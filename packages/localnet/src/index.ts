export { type Localnet, type LocalnetOptions, startLocalnet } from './api.ts';
export type { WorldAddresses } from './world-addresses.ts';

/** The recorder's follower, or a request. Each lane has its own share of the slots and of the RPC calls. */
export type Lane = 'follower' | 'request';

/** In the order of their first turns. */
export const LANES: readonly Lane[] = ['follower', 'request'];

/** On whose behalf an address is read. */
export interface Reader {
  readonly lane: Lane;
  /** The payer of the request, a key or a network; the callers of a lane take turns. Empty for the follower. */
  readonly caller: string;
}

export const FOLLOWER: Reader = { lane: 'follower', caller: '' };

export const requestBy = (caller: string): Reader => ({ lane: 'request', caller });

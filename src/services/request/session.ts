import type { ChainSession } from '../../chain/session/session.ts';

/** The chain as one request sees it. */
export type Session = ChainSession;

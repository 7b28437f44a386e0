import type { ApiKey } from './api-key.ts';

/** Where keys are. Revoked ones stay, so that a list tells of them. */
export interface KeyStore {
  all(): Promise<readonly ApiKey[]>;
  add(key: ApiKey): Promise<void>;
  /** False when there is no such key, or when it was revoked before. */
  revoke(id: string, now: Date): Promise<boolean>;
  close(): Promise<void>;
}

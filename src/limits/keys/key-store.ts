import type { ApiKey } from './api-key.ts';

/** Stores API keys. Revoked keys are retained, so that listings show them. */
export interface KeyStore {
  all(): Promise<readonly ApiKey[]>;
  add(key: ApiKey): Promise<void>;
  /** False when the key does not exist or is already revoked. */
  revoke(id: string, now: Date): Promise<boolean>;
  close(): Promise<void>;
}

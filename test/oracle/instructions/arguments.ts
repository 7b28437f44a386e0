import { AccountRole } from '@solana/kit';
import type BN from 'bn.js';
import { U64_MAX } from '../constants.ts';
import { bn } from '../fill.ts';
import type { Prng } from '../prng.ts';
import type { Remaining } from './template.ts';

/** An amount at 0, 1, a usual value, just above 2^53 and the largest. */
export const amounts: BN[] = [bn(0), bn(1), bn(1_234_567_890n), bn((1n << 53n) + 1n), bn(U64_MAX)];

export const noArgs: Record<string, never>[] = [{}];

const list = (prng: Prng, count: number, role: AccountRole.READONLY | AccountRole.WRITABLE): Remaining =>
  Array.from({ length: count }, () => ({ address: prng.address(), role }));

export const nothing = (): Remaining => [];

export const writable =
  (count: number) =>
  (prng: Prng): Remaining =>
    list(prng, count, AccountRole.WRITABLE);

/** Writable accounts, then read-only ones: a vault's reserves and their markets, or reserves and referrer states. */
export const writableThenReadonly =
  (first: number, second: number) =>
  (prng: Prng): Remaining => [
    ...list(prng, first, AccountRole.WRITABLE),
    ...list(prng, second, AccountRole.READONLY),
  ];

import { isSluiceError } from '../../errors/sluice-error.ts';
import { CLOCK_SYSVAR, SYSVAR_PROGRAM } from '../../programs/program-ids.ts';
import { type Clock, decodeClock } from '../../programs/sysvar/clock.ts';
import { bytesOf } from './account-json.ts';
import { slotOfResult } from './result-shapes.ts';
import { asksForEncodedAccounts, type RpcRequest } from './rpc-request.ts';

/** What an answer says about the present of the chain. */
export interface ChainClaim {
  readonly slot: number;
  /** Unix seconds of the clock account. Null when the answer does not contain it. */
  readonly time: number | null;
}

/** A node reads clock and context from one bank. Proxies in front of several nodes may mix neighbouring ones. */
const MAX_CLOCK_GAP_SLOTS = 32;

/** An answer that contradicts itself: no clock where there must be one, or a clock of another slot. */
export class Contradiction extends Error {}

/** The claim of an answer; null when it has no slot. @throws Contradiction */
export function claimOf(request: RpcRequest, result: unknown): ChainClaim | null {
  const slot = slotOfResult(result, request.method);
  if (slot === null) return null;
  const clocks = clocksIn(request, result);
  if (clocks.some((clock) => Math.abs(Number(clock.slot) - slot) > MAX_CLOCK_GAP_SLOTS))
    throw new Contradiction('its clock and its slot differ');
  const last = clocks.at(-1);
  return { slot, time: last === undefined ? null : Number(last.unixTimestamp) };
}

interface EncodedAccount {
  readonly owner: string;
  readonly data: readonly [string | Uint8Array, ...unknown[]];
}

function clocksIn({ method, params }: RpcRequest, result: unknown): readonly Clock[] {
  const [addresses] = params;
  if (method !== 'getMultipleAccounts' || !asksForEncodedAccounts(method, params)) return [];
  if (!Array.isArray(addresses)) return [];
  const { value } = result as { readonly value: readonly (EncodedAccount | null)[] };
  return addresses.flatMap((each, i) => (each === CLOCK_SYSVAR ? [clockOf(value[i] ?? null)] : []));
}

function clockOf(account: EncodedAccount | null): Clock {
  try {
    if (account?.owner === SYSVAR_PROGRAM)
      return decodeClock({ address: CLOCK_SYSVAR, owner: SYSVAR_PROGRAM, data: bytesOf(account.data) });
  } catch (error) {
    if (!isSluiceError(error)) throw error;
  }
  throw new Contradiction('it gives no clock of the cluster');
}

import { CLOCK_SYSVAR, SYSVAR_PROGRAM } from '@sluice/protocol/program-ids';
import { isProtocolError } from '@sluice/protocol/protocol-error';
import { type Clock, decodeClock } from '@sluice/protocol/sysvar/clock';
import { bytesOf } from '../transport/account-json.ts';
import { slotOfResult } from '../transport/result-shapes.ts';
import { asksForEncodedAccounts, type RpcRequest } from '../transport/rpc-request.ts';

/** Current slot and time of the chain according to one answer. */
export interface ReportedTip {
  readonly slot: number;
  /** Unix seconds of the clock account. Null when the answer does not contain it. */
  readonly time: number | null;
}

/** A node reads clock and context from one bank. Proxies in front of several nodes may mix neighbouring ones. */
const MAX_CLOCK_GAP_SLOTS = 32;

/** An answer that contradicts itself: no clock where there must be one, or a clock of another slot. */
export class InconsistentAnswer extends Error {}

/** The claim of an answer; null when it has no slot. @throws InconsistentAnswer */
export function reportedTipOf(request: RpcRequest, result: unknown): ReportedTip | null {
  const slot = slotOfResult(result, request.method);
  if (slot === null) return null;
  const clocks = clocksIn(request, result);
  if (clocks.some((clock) => Math.abs(Number(clock.slot) - slot) > MAX_CLOCK_GAP_SLOTS))
    throw new InconsistentAnswer('its clock and its slot differ');
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
    if (!isProtocolError(error)) throw error;
  }
  throw new InconsistentAnswer('it gives no clock of the cluster');
}

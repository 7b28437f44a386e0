import { checkLength, checkOwner, type RawAccount, viewOf } from '../layout/account.ts';
import { i64, u64 } from '../layout/codec.ts';
import { type StructInput, type StructOf, struct } from '../layout/struct.ts';
import { SYSVAR_PROGRAM } from '../program-ids.ts';

const layout = struct({
  slot: u64,
  /** Unix seconds. */
  epochStartTimestamp: i64,
  epoch: u64,
  leaderScheduleEpoch: u64,
  /** Unix seconds. */
  unixTimestamp: i64,
});

/** The cluster's slot and time. */
export type Clock = StructOf<typeof layout.fields>;

export function decodeClock(account: RawAccount): Clock {
  checkOwner('Clock', account, [SYSVAR_PROGRAM]);
  checkLength('Clock', account, layout.size);
  return layout.read(viewOf(account.data), 0);
}

export function encodeClock(clock: StructInput<typeof layout.fields>): Uint8Array {
  const data = new Uint8Array(layout.size);
  layout.write(viewOf(data), 0, clock);
  return data;
}

import type { Address } from '@solana/kit';
import { getSysvarClockCodec, type SysvarClock } from '@solana/sysvars';
import { getAddressLookupTableCodec } from '@solana-program/address-lookup-table';
import { SLOT, U64_MAX, UNIX_SECONDS } from '../constants.ts';
import { kitNormalised } from '../kit-normalise.ts';
import { Prng } from '../prng.ts';
import type { AccountCase, AccountVectors } from '../vector-file.ts';

interface Table {
  deactivationSlot: bigint;
  lastExtendedSlot: bigint;
  lastExtendedSlotStartIndex: number;
  authority: Address | null;
  addresses: number;
}

/** The deactivation slot of a table that is in use. */
const ACTIVE = U64_MAX;

const prng = new Prng('runtime');

function tableCase(name: string, note: string, given: Partial<Table>): AccountCase {
  const table: Table = {
    deactivationSlot: ACTIVE,
    lastExtendedSlot: SLOT - 1_000n,
    lastExtendedSlotStartIndex: 0,
    authority: prng.address(),
    addresses: 0,
    ...given,
  };
  const addresses = Array.from({ length: table.addresses }, () => prng.address());
  const bytes = Buffer.from(getAddressLookupTableCodec().encode({ ...table, addresses }));
  return { name, note, bytes, fields: kitNormalised(getAddressLookupTableCodec().decode(bytes)) };
}

function clockCase(name: string, note: string, clock: Record<keyof SysvarClock, bigint>): AccountCase {
  const bytes = Buffer.from(getSysvarClockCodec().encode(clock as SysvarClock));
  return { name, note, bytes, fields: kitNormalised(getSysvarClockCodec().decode(bytes)) };
}

export const runtimeVectors = (): AccountVectors[] => [
  {
    file: 'address-lookup-table',
    account: 'AddressLookupTable',
    program: 'address-lookup-table',
    size: null,
    discriminator: '01000000',
    cases: [
      tableCase('empty', 'no addresses yet', { lastExtendedSlot: 0n }),
      tableCase('one address', '', { addresses: 1 }),
      tableCase('30 addresses', 'extended twice', { addresses: 30, lastExtendedSlotStartIndex: 20 }),
      tableCase('256 addresses', 'full', { addresses: 256, lastExtendedSlotStartIndex: 255 }),
      tableCase('deactivated', 'the deactivation slot is set', { addresses: 3, deactivationSlot: SLOT }),
      tableCase('frozen', 'no authority', { addresses: 2, authority: null }),
    ],
  },
  {
    file: 'sysvar-clock',
    account: 'Clock',
    program: 'sysvar',
    size: 40,
    discriminator: null,
    cases: [
      clockCase('typical', '', {
        slot: SLOT,
        epochStartTimestamp: UNIX_SECONDS - 90_000n,
        epoch: 800n,
        leaderScheduleEpoch: 801n,
        unixTimestamp: UNIX_SECONDS,
      }),
      clockCase('zero', 'genesis', {
        slot: 0n,
        epochStartTimestamp: 0n,
        epoch: 0n,
        leaderScheduleEpoch: 0n,
        unixTimestamp: 0n,
      }),
      clockCase('extreme', 'largest slot, time before 1970', {
        slot: U64_MAX,
        epochStartTimestamp: -(1n << 63n),
        epoch: U64_MAX,
        leaderScheduleEpoch: U64_MAX,
        unixTimestamp: -1n,
      }),
    ],
  },
];

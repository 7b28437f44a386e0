import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { FundedChain, hexOf, other, payer, SOL, someAddress } from '../support/runtime/funded-chain.ts';
import {
  hex64,
  paying,
  rawInstruction,
  readonly,
  signedWire,
  signing,
  writable,
} from '../support/runtime/signed-wire.ts';

/** 128 and 56 bytes at 6,960 lamports; each address takes 32 more. */
const TABLE_RENT = 1_280_640n;
const ENTRY_RENT = 222_720n;

let chain: FundedChain;
let table: Address;
let bump: number;
let recentSlot: bigint;

beforeEach(async () => {
  chain = new FundedChain();
  chain.set(other.address, { lamports: SOL });
  recentSlot = chain.clock.slot - 1n;
  const slotBytes = Buffer.from(hex64(recentSlot), 'hex');
  [table, bump] = await getProgramDerivedAddress({
    programAddress: LOOKUP_TABLE_PROGRAM,
    seeds: [getAddressEncoder().encode(payer.address), slotBytes],
  });
});

const instruction = (data: string, ...accounts: EncodedInstruction['accounts']) =>
  rawInstruction(LOOKUP_TABLE_PROGRAM, data, accounts);

const create = (slot = recentSlot, usedBump = bump, address = table) =>
  instruction(
    `00000000${hex64(slot)}${Buffer.of(usedBump).toString('hex')}`,
    writable(address),
    signing(payer.address),
    paying(payer.address),
    readonly(SYSTEM_PROGRAM),
  );
const extend = (entries: readonly Address[], authority = payer) =>
  instruction(
    `02000000${hex64(BigInt(entries.length))}${entries.map(hexOf).join('')}`,
    writable(table),
    signing(authority.address),
    paying(authority.address),
    readonly(SYSTEM_PROGRAM),
  );
const byAuthority = (tag: string) => instruction(`${tag}000000`, writable(table), signing(payer.address));
const close = () => instruction('04000000', writable(table), signing(payer.address), writable(payer.address));

const send = (...instructions: EncodedInstruction[]) => chain.outcomeOf(...instructions);

async function mustSend(...instructions: EncodedInstruction[]): Promise<void> {
  expect(await send(...instructions)).toMatchObject({ failure: null });
}

const failsWith = (failure: unknown) => ({ failure: { InstructionError: [0, failure] } });

describe('a lookup table', () => {
  test('is created at its derived address, in the layout of the program', async () => {
    await mustSend(create());
    const account = chain.accounts.get(table);
    expect(account).toMatchObject({ owner: LOOKUP_TABLE_PROGRAM, lamports: TABLE_RENT });
    expect(Buffer.from(account?.data ?? []).toString('hex')).toBe(
      `01000000${'ff'.repeat(8)}${'00'.repeat(8)}0001${hexOf(payer.address)}0000`,
    );
  });

  test('counts the lamports that were sent to it before', async () => {
    chain.set(table, { lamports: SOL });
    await mustSend(create());
    expect(chain.accounts.get(table)).toMatchObject({ owner: LOOKUP_TABLE_PROGRAM, lamports: SOL });
    expect(chain.lamportsOf(payer.address)).toBe(SOL - 5_000n);
  });

  test('cannot be created for a slot that is not recent, at another address, or twice', async () => {
    expect(await send(create(chain.clock.slot))).toMatchObject(failsWith('InvalidInstructionData'));
    expect(await send(create(chain.clock.slot - 513n))).toMatchObject(failsWith('InvalidInstructionData'));
    expect(await send(create(recentSlot, bump, someAddress(9)))).toMatchObject(failsWith('InvalidArgument'));
    await mustSend(create());
    chain.advance();
    expect(await send(create())).toMatchObject(failsWith('AccountAlreadyInitialized'));
  });

  test('is extended by its authority, who pays the rent', async () => {
    const entries = [someAddress(10), someAddress(11), someAddress(12)];
    await mustSend(create(), extend(entries));
    const account = chain.accounts.get(table);
    expect(account?.lamports).toBe(TABLE_RENT + 3n * ENTRY_RENT);
    expect(Buffer.from(account?.data.subarray(56) ?? []).toString('hex')).toBe(entries.map(hexOf).join(''));
    expect(await send(extend([someAddress(13)], other))).toMatchObject(failsWith('IncorrectAuthority'));
    expect(await send(extend([]))).toMatchObject(failsWith('InvalidInstructionData'));
  });

  test('holds 256 addresses', async () => {
    await mustSend(create());
    for (let count = 0; count < 250; count += 25) {
      await mustSend(extend(Array.from({ length: 25 }, (_, i) => someAddress(count + i))));
    }
    const seven = Array.from({ length: 7 }, (_, i) => someAddress(i));
    expect(await send(extend(seven))).toMatchObject(failsWith('InvalidInstructionData'));
    await mustSend(extend(seven.slice(1)));
    expect(await send(extend([someAddress(1)]))).toMatchObject(failsWith('InvalidArgument'));
  });

  test('can be used in the slot after it was extended', async () => {
    const target = someAddress(20);
    await mustSend(create(), extend([target]));
    const use = () =>
      signedWire({
        blockhash: chain.blockhash,
        signers: [payer],
        instructions: [
          transferLamports.encode(
            SYSTEM_PROGRAM,
            { source: payer.address, destination: target },
            { lamports: SOL / 2n },
          ),
        ],
        tables: { [table]: [target] },
      });
    expect(chain.send(await use())).toEqual({ kind: 'refused', failure: 'InvalidAddressLookupTableIndex' });
    chain.advance();
    chain.mustSend(await use());
    expect(chain.lamportsOf(target)).toBe(SOL / 2n);
  });

  test('can be frozen, and never changed again', async () => {
    await mustSend(create());
    expect(await send(byAuthority('01'))).toMatchObject(failsWith('InvalidInstructionData'));
    await mustSend(extend([someAddress(10)]));
    chain.advance();
    await mustSend(byAuthority('01'));
    expect(await send(extend([someAddress(11)]))).toMatchObject(failsWith('Immutable'));
    expect(await send(byAuthority('03'))).toMatchObject(failsWith('Immutable'));
  });

  test('can be closed 513 slots after it was deactivated, and pays back its rent', async () => {
    await mustSend(create());
    expect(await send(close())).toMatchObject(failsWith('InvalidArgument'));
    await mustSend(byAuthority('03'));
    chain.advance(512n);
    expect(await send(close())).toMatchObject(failsWith('InvalidArgument'));
    chain.advance();
    const before = chain.lamportsOf(payer.address);
    await mustSend(close());
    expect(chain.lamportsOf(payer.address)).toBe(before + TABLE_RENT - 5_000n);
    expect(chain.accounts.get(table)).toBeUndefined();
  });

  test('is not any account of another program', async () => {
    chain.set(table, { lamports: SOL, data: new Uint8Array(56) });
    expect(await send(extend([someAddress(1)]))).toMatchObject(failsWith('InvalidAccountOwner'));
  });
});

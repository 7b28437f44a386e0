import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { farmState } from '../../src/programs/farms/farm-state.ts';
import { userState } from '../../src/programs/farms/user-state.ts';
import { lendingMarket } from '../../src/programs/klend/lending-market.ts';
import { obligation } from '../../src/programs/klend/obligation.ts';
import { referrerTokenState } from '../../src/programs/klend/referrer-token-state.ts';
import { reserve } from '../../src/programs/klend/reserve.ts';
import { userMetadata } from '../../src/programs/klend/user-metadata.ts';
import { vaultGlobalConfig } from '../../src/programs/kvault/global-config.ts';
import { vaultState } from '../../src/programs/kvault/vault-state.ts';
import type { AccountLayout } from '../../src/programs/layout/account.ts';
import type { Fields } from '../../src/programs/layout/struct.ts';
import { decodeLookupTable, encodeLookupTable } from '../../src/programs/lookup-table/lookup-table.ts';
import {
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  SCOPE_PROGRAM,
  SYSVAR_PROGRAM,
} from '../../src/programs/program-ids.ts';
import { oraclePrices } from '../../src/programs/scope/oracle-prices.ts';
import { decodeClock, encodeClock } from '../../src/programs/sysvar/clock.ts';
import { accountVectors } from '../support/vectors/account-vectors.ts';
import { normalForm } from '../support/vectors/normal-form.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;

const layouts: readonly [string, AccountLayout<Fields>, Address][] = [
  ['klend-lending-market', lendingMarket, klend],
  ['klend-reserve', reserve, klend],
  ['klend-obligation', obligation, klend],
  ['klend-user-metadata', userMetadata, klend],
  ['klend-referrer-token-state', referrerTokenState, klend],
  ['kvault-vault-state', vaultState, kvault],
  ['kvault-global-config', vaultGlobalConfig, kvault],
  ['farms-farm-state', farmState, farms],
  ['farms-user-state', userState, farms],
  ['scope-oracle-prices', oraclePrices, SCOPE_PROGRAM],
] as [string, AccountLayout<Fields>, Address][];

describe.each(layouts)('%s', (file, layout, program) => {
  const vectors = accountVectors(file);

  it('has the size and discriminator that the SDK writes', () => {
    expect(layout.size).toBe(vectors.size);
    expect(Buffer.from(layout.discriminator).toString('hex')).toBe(vectors.discriminator);
  });

  it.each(vectors.cases.map((each) => [each.name, each] as const))(
    '%s: every field as the SDK reads it',
    (_, each) => {
      const decoded = layout.decode({ owner: program, data: each.data }, program);
      expect(normalForm(decoded, each.fields)).toEqual(each.fields);
    },
  );

  it.each(vectors.cases.map((each) => [each.name, each] as const))(
    '%s: encodes to the same bytes',
    (_, each) => {
      const decoded = layout.decode({ owner: program, data: each.data }, program);
      expect(Buffer.from(layout.encode(decoded)).equals(each.data)).toBe(true);
    },
  );

  it('accepts an account that is longer than the layout', () => {
    const [first] = vectors.cases;
    const grown = new Uint8Array(layout.size + 1000);
    grown.set(first?.data ?? []);
    expect(normalForm(layout.decode({ owner: program, data: grown }, program), first?.fields)).toEqual(
      first?.fields,
    );
  });
});

describe('address lookup tables', () => {
  it.each(accountVectors('address-lookup-table').cases.map((each) => [each.name, each] as const))(
    '%s',
    (_, each) => {
      const account = { owner: LOOKUP_TABLE_PROGRAM, data: each.data };
      const table = decodeLookupTable(account);
      expect({
        discriminator: 1,
        deactivationSlot: (table.deactivationSlot ?? 2n ** 64n - 1n).toString(),
        lastExtendedSlot: table.lastExtendedSlot.toString(),
        lastExtendedSlotStartIndex: table.lastExtendedStartIndex,
        authority: table.authority,
        padding: 0,
        addresses: table.addresses,
      }).toEqual(each.fields);
      expect(Buffer.from(encodeLookupTable(table)).equals(each.data)).toBe(true);
    },
  );
});

describe('clock', () => {
  it.each(accountVectors('sysvar-clock').cases.map((each) => [each.name, each] as const))('%s', (_, each) => {
    const clock = decodeClock({ owner: SYSVAR_PROGRAM, data: each.data });
    expect(normalForm(clock, each.fields)).toEqual(each.fields);
    expect(Buffer.from(encodeClock(clock)).equals(each.data)).toBe(true);
  });
});

import { farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { type AccountLayout, viewOf } from '@sluice/protocol/layout/account';
import type { Fields } from '@sluice/protocol/layout/struct';
import { decodeLookupTable, encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import {
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  SCOPE_PROGRAM,
  SYSVAR_PROGRAM,
} from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { decodeClock, encodeClock } from '@sluice/protocol/sysvar/clock';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { normalForm } from '../../packages/protocol/test/support/normal-form.ts';
import { accountVectors } from '../support/vectors/account-vectors.ts';
import { known } from '../support/vectors/former-padding.ts';

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
      // Random bytes stand for bases of rates that no program knows, which `decode` refuses.
      const decoded = layout.body.read(viewOf(each.data), layout.discriminator.length);
      expect(known(file, normalForm(decoded, each.fields))).toEqual(known(file, each.fields));
    },
  );

  it.each(vectors.cases.map((each) => [each.name, each] as const))(
    '%s: encodes to the same bytes',
    (_, each) => {
      const decoded = layout.body.read(viewOf(each.data), layout.discriminator.length);
      expect(Buffer.from(layout.encode(decoded)).equals(each.data)).toBe(true);
    },
  );

  it('accepts an account that is longer than the layout', () => {
    const [first] = vectors.cases;
    const grown = new Uint8Array(layout.size + 1000);
    grown.set(first?.data ?? []);
    const decoded = layout.decode({ owner: program, data: grown }, program);
    expect(known(file, normalForm(decoded, first?.fields))).toEqual(known(file, first?.fields));
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

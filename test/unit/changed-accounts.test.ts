import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { expect, it } from 'vitest';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { ChangedAccounts } from '../../src/builders/account-changes.ts';

const { klend } = MAINNET_PROGRAMS;
const address = named('obligation');

// `slice` of a Buffer shares its bytes.
it.each([
  ['bytes', new Uint8Array(obligation.encode({}))],
  ['a Buffer', Buffer.from(obligation.encode({}))],
])('a change leaves the account as it was, given as %s', (_, data) => {
  const account = { address, owner: klend, lamports: 1n, data };
  const changes = new ChangedAccounts(() => account, named('payer'));
  changes.patch(address, obligation, { elevationGroup: 3 });
  const after = changes.read(address) ?? expect.fail('no account');
  expect(obligation.decode(after, klend).elevationGroup).toBe(3);
  expect(new Uint8Array(data)).toEqual(new Uint8Array(obligation.encode({})));
});

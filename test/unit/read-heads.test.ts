import { reserve } from '@sluice/protocol/klend/reserve';
import { RESERVE_HEAD_BYTES } from '@sluice/protocol/klend/reserve-head';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { AccountReader } from '../../src/chain/accounts/account-reader.ts';
import { CatalogueBuilder } from '../../src/chain/view/catalogue.ts';
import { decodersFor } from '../../src/chain/view/kinds.ts';
import { readHeads, settlePatched } from '../../src/chain/view/read-heads.ts';

const { klend: owner } = MAINNET_PROGRAMS;
const ADDRESS = testAddress(1);
const HEAD_SLOT = 20n;
/** `config.status`, the first setting. */
const SETTINGS = 4_856;
const BASIS = 4_865;

const held = reserve.encode({ lastUpdate: { slot: 1n }, config: { loanToValuePct: 70 } });
const refreshed = Uint8Array.from(held);
refreshed[16] = 19;

interface Answer {
  readonly data: Uint8Array;
  readonly slot: bigint;
  readonly owner?: typeof owner;
}

/** Reads the head of a refreshed reserve, then its settings as the answer has them. Returns what has to be read whole. */
async function settle(answer: Answer | null) {
  const builder = new CatalogueBuilder(decodersFor(MAINNET_PROGRAMS));
  const at = { address: ADDRESS, owner, lamports: 1n };
  builder.take('reserve', ADDRESS, { ...at, data: held, slot: 10n }, 10n);
  const reader = Object.create(AccountReader.prototype, {
    readHeads: {
      value: async () => {
        const data = refreshed.subarray(0, RESERVE_HEAD_BYTES);
        const account = { ...at, data, space: refreshed.length, slot: HEAD_SLOT };
        return [{ address: ADDRESS, account, page: { slot: HEAD_SLOT } }];
      },
    },
    readSlices: {
      value: async () => [
        answer === null
          ? { account: null, slot: HEAD_SLOT }
          : { account: { ...at, space: held.length, ...answer }, slot: answer.slot },
      ],
    },
  }) as AccountReader;
  const reading = { reader, builder, minSlot: 0n, signal: new AbortController().signal };
  const { patched, unsettled } = await readHeads(reading, [{ kind: 'reserve', address: ADDRESS }]);
  expect(unsettled).toEqual([]);
  const whole = await settlePatched(reading, patched);
  const moment = { slot: 0n } as Parameters<CatalogueBuilder['view']>[0];
  const taken = builder.view(moment).get('reserve', ADDRESS)?.value.lastUpdate.slot;
  return { whole: whole.map(({ address }) => address), taken };
}

const settingsOf = (data: Uint8Array) => data.subarray(SETTINGS, SETTINGS + 40);
const TAKEN = { whole: [], taken: 19n };
const READ_WHOLE = { whole: [ADDRESS], taken: 1n };

it('a refreshed reserve is taken when its settings are as before', async () => {
  expect(await settle({ data: settingsOf(held), slot: HEAD_SLOT })).toEqual(TAKEN);
  expect(await settle({ data: settingsOf(held), slot: HEAD_SLOT + 1n })).toEqual(TAKEN);
});

it('a proxy that ignores slices answers the whole account', async () => {
  expect(await settle({ data: refreshed, slot: HEAD_SLOT })).toEqual(TAKEN);
  const data = Uint8Array.from(refreshed);
  data[BASIS] = 1;
  expect(await settle({ data, slot: HEAD_SLOT })).toEqual(READ_WHOLE);
});

it('a refreshed reserve is read whole when its settings changed, or that cannot be told', async () => {
  const changed = Uint8Array.from(held);
  changed[BASIS] = 1;
  expect(await settle({ data: settingsOf(changed), slot: HEAD_SLOT })).toEqual(READ_WHOLE);
  // An endpoint that is behind: the change may have come since.
  expect(await settle({ data: settingsOf(held), slot: HEAD_SLOT - 1n })).toEqual(READ_WHOLE);
  expect(await settle({ data: settingsOf(held), slot: HEAD_SLOT, owner: testAddress(9) })).toEqual(
    READ_WHOLE,
  );
  expect(await settle({ data: new Uint8Array(), slot: HEAD_SLOT })).toEqual(READ_WHOLE);
  expect(await settle(null)).toEqual(READ_WHOLE);
});

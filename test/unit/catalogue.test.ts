import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeMint } from '@sluice/protocol/token/mint';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { CatalogueBuilder } from '../../src/chain/view/catalogue.ts';
import { decodersFor } from '../../src/chain/view/kinds.ts';
import type { ViewMoment } from '../../src/chain/view/view.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';

const { klend, kvault } = MAINNET_PROGRAMS;
const [VAULT, OTHER_VAULT, RESERVE, MINT, SHARES] = [1, 2, 3, 4, 5].map(testAddress) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const MOMENT: ViewMoment = {
  id: 'test-1',
  number: 1,
  slot: 10n,
  timestamp: 10n,
  slotDurationMs: integer(400),
  builtAtMs: 0,
  slotMin: 10n,
  slotMax: 10n,
  slotWhole: 10n,
  torn: false,
};

const mintBytes = encodeMint({
  mintAuthority: null,
  supply: 1n,
  decimals: 6,
  freezeAuthority: null,
  extensions: [],
});
const vaultBytes = (fields: Parameters<typeof vaultState.encode>[0]) => vaultState.encode(fields);

function builderWith() {
  const builder = new CatalogueBuilder(decodersFor(MAINNET_PROGRAMS));
  const take = (
    kind: Parameters<typeof builder.take>[0],
    address: Address,
    owner: Address,
    data: Uint8Array | null,
    slot = 10n,
  ) => builder.take(kind, address, data && { address, owner, data, lamports: 1n, slot }, slot);
  return { builder, take, view: () => builder.view(MOMENT) };
}

describe('an account in the catalogue', () => {
  it('is replaced by newer data only', () => {
    const { take, view } = builderWith();
    take('vault', VAULT, kvault, vaultBytes({ sharesIssued: 2n }), 20n);
    take('vault', VAULT, kvault, vaultBytes({ sharesIssued: 1n }), 19n);
    take('vault', VAULT, kvault, null, 18n);
    expect(view().get('vault', VAULT)?.value.sharesIssued).toBe(2n);
    take('vault', VAULT, kvault, vaultBytes({ sharesIssued: 3n }), 21n);
    expect(view().get('vault', VAULT)?.value.sharesIssued).toBe(3n);
  });

  it('keeps its decoded form and first slot while its bytes do not change', () => {
    const { take, view } = builderWith();
    take('vault', VAULT, kvault, vaultBytes({ sharesIssued: 2n }), 20n);
    take('vault', OTHER_VAULT, kvault, vaultBytes({ sharesIssued: 5n }), 20n);
    const before = view();
    take('vault', VAULT, kvault, vaultBytes({ sharesIssued: 2n }), 30n);
    take('vault', OTHER_VAULT, kvault, vaultBytes({ sharesIssued: 6n }), 30n);
    const after = view();
    expect(after.get('vault', VAULT)).toBe(before.get('vault', VAULT));
    expect(after.get('vault', VAULT)?.slot).toBe(20n);
    expect(after.get('vault', OTHER_VAULT)).not.toBe(before.get('vault', OTHER_VAULT));
  });

  it('shares the configuration of a changing reserve until it changes', () => {
    const { take, view } = builderWith();
    const settingsAt = (slot: bigint, depositLimit: bigint) => {
      const data = reserve.encode({ lastUpdate: { slot }, config: { depositLimit } });
      take('reserve', RESERVE, klend, data, slot);
      const held = view().get('reserve', RESERVE)?.value;
      expect(held?.lastUpdate.slot).toBe(slot);
      expect(held?.config.depositLimit).toBe(depositLimit);
      return held?.config;
    };
    const first = settingsAt(10n, 5n);
    expect(settingsAt(11n, 5n)).toBe(first);
    expect(settingsAt(12n, 5n)).toBe(first);
    expect(settingsAt(13n, 6n)).not.toBe(first);
  });

  it('does not change earlier Views', () => {
    const { take, view } = builderWith();
    take('vault', VAULT, kvault, vaultBytes({ sharesIssued: 2n }), 20n);
    const before = view();
    take('vault', VAULT, kvault, vaultBytes({ sharesIssued: 3n }), 21n);
    take('vault', OTHER_VAULT, kvault, vaultBytes({}), 21n);
    expect(before.get('vault', VAULT)?.value.sharesIssued).toBe(2n);
    expect([...before.all('vault').keys()]).toEqual([VAULT]);
  });

  it('is replaced by an error while it cannot be decoded', () => {
    const { take, view } = builderWith();
    const code = () => {
      const found = view().find('reserve', RESERVE);
      return isCodedError(found) ? found.code : found?.address;
    };
    take('reserve', RESERVE, klend, reserve.encode({}).slice(0, 100), 10n);
    expect(code()).toBe('ACCOUNT_TOO_SHORT');
    take('reserve', RESERVE, klend, null, 11n);
    expect(code()).toBe('ACCOUNT_NOT_FOUND');
    take('reserve', RESERVE, kvault, reserve.encode({}), 12n);
    expect(code()).toBe('ACCOUNT_WRONG_OWNER');
    take('reserve', RESERVE, klend, reserve.encode({}), 13n);
    expect(code()).toBe(RESERVE);
  });
});

describe('an account referenced by a vault', () => {
  it('is stored per kind, so a wrong reference does not hide the real account', () => {
    const { builder, take, view } = builderWith();
    take('vault', VAULT, kvault, vaultBytes({ tokenMint: MINT, sharesMint: SHARES }));
    // The creator of a vault may set any address as its farm and its lookup table.
    take('vault', OTHER_VAULT, kvault, vaultBytes({ vaultFarm: MINT, vaultLookupTable: SHARES }));
    const unread = builder.unread().filter(({ address }) => address === MINT || address === SHARES);
    expect(new Set(unread.map(({ kind, address }) => `${kind} ${address}`))).toEqual(
      new Set([`mint ${MINT}`, `mint ${SHARES}`, `farm ${MINT}`, `table ${SHARES}`]),
    );
    for (const { kind, address } of unread) take(kind, address, TOKEN_PROGRAM, mintBytes);
    expect(view().get('mint', MINT)?.value.decimals).toBe(6);
    expect(view().get('mint', SHARES)?.value.decimals).toBe(6);
    expect(view().find('farm', MINT)).toMatchObject({ code: 'ACCOUNT_WRONG_OWNER' });
    expect(view().find('mint', MINT)).toMatchObject({ address: MINT });
  });

  it('is requested once, even if it does not exist', () => {
    const { builder, take } = builderWith();
    take('vault', VAULT, kvault, vaultBytes({ tokenMint: MINT }));
    expect(builder.unread()).toContainEqual({ kind: 'mint', address: MINT });
    take('mint', MINT, TOKEN_PROGRAM, null);
    expect(builder.unread()).not.toContainEqual({ kind: 'mint', address: MINT });
    expect(builder.known('mint')).toContain(MINT);
  });
});

it('forgets accounts that discovery no longer lists, including broken ones', () => {
  const { builder, take, view } = builderWith();
  take('vault', VAULT, kvault, vaultBytes({}));
  take('vault', OTHER_VAULT, kvault, new Uint8Array());
  builder.retain('vault', new Set());
  expect(builder.known('vault')).toEqual([]);
  expect(view().find('vault', VAULT)).toBeUndefined();
  expect(view().find('vault', OTHER_VAULT)).toBeUndefined();
});

import { vaultAuthority } from '@sluice/protocol/kvault/addresses';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, NO_ADDRESS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { AccountRole } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressNumber } from '../support/builders/lending-accounts.ts';
import { COLLATERAL, OWNERS, PAYER, QueueBench } from '../support/localnet/queue-bench.ts';

/** Tickets of a vault, which asks to hear of their payments. The deployed vault program has no instruction for that. */

const { kvault } = MAINNET_PROGRAMS;
const VAULT = addressNumber(850);
const OF_VAULTS = 1;
const AUTHORITY = vaultAuthority(kvault, VAULT).address;
const [ALICE] = OWNERS;
const CALLBACK = { progressCallbackProgram: kvault, progressCallbackCustomAccount0: VAULT };

let bench: QueueBench;
beforeEach(() => {
  bench = new QueueBench();
  const common = { lamports: 10n ** 10n, executable: false };
  bench.set(VAULT, { ...common, owner: kvault, data: vaultState.encode({}) });
  bench.set(AUTHORITY, { ...common, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) });
  bench.setBalance(bench.liquidityOf(AUTHORITY), bench.reserve(0).liquidity.mintPubkey, AUTHORITY, 0n);
  bench.giveCollateral(AUTHORITY, COLLATERAL);
});

const enqueueing = (vault = VAULT, owner = AUTHORITY) =>
  bench.enqueueing(owner, 4_000_000n, { progressCallbackCustomAccount0: vault }, OF_VAULTS);

/** The payment with the vault as a writable account, which its program would need. */
function payingInto(vault = VAULT): EncodedInstruction {
  const { accounts, ...call } = bench.paying(0n, CALLBACK);
  const metas = accounts.map((meta) =>
    meta.address === vault ? { ...meta, role: AccountRole.WRITABLE } : meta,
  );
  return { ...call, accounts: metas };
}

describe('a ticket with a callback of vaults', () => {
  it('stores the vault of the authority that signs', () => {
    bench.succeed([enqueueing()]);
    expect(bench.ticket(0n)).toMatchObject({
      owner: AUTHORITY,
      progressCallbackType: OF_VAULTS,
      progressCallbackCustomAccounts: [VAULT, NO_ADDRESS],
    });
  });

  it('is refused to anybody else, and for accounts that are no vault (6155)', () => {
    expect(bench.failureOf([enqueueing(VAULT, ALICE)])).toBe(6155);
    expect(bench.failureOf([enqueueing(bench.liquidityOf(AUTHORITY))])).toBe(6155);
    bench.set(VAULT, { ...bench.account(VAULT), data: new Uint8Array(7) });
    expect(bench.failureOf([enqueueing()])).toBe(6155);
  });

  it('cannot be paid: the vault program does not know the call', () => {
    bench.succeed([enqueueing()]);
    expect(bench.failureOf([payingInto()])).toBe(101);
    const { logs } = bench.run([payingInto()]);
    expect(logs).toContain(`Program ${kvault} failed: custom program error: 0x65`);
  });

  it('is not paid without the accounts of the callback, nor with a vault that cannot be written', () => {
    bench.succeed([enqueueing()]);
    expect(bench.failureOf([bench.paying(0n)])).toBe(6156);
    const { progressCallbackCustomAccount0, progressCallbackProgram } = CALLBACK;
    expect(bench.failureOf([bench.paying(0n, { progressCallbackProgram })])).toBe(6156);
    expect(bench.failureOf([bench.paying(0n, { progressCallbackCustomAccount0 })])).toBe(6156);
    expect(bench.failureOf([bench.paying(0n, CALLBACK)])).toBe('PrivilegeEscalation');
  });

  it('names the only accounts that its payment may be given (2012)', () => {
    bench.succeed([enqueueing()]);
    for (const name of ['progressCallbackProgram', 'progressCallbackCustomAccount0']) {
      expect(bench.failureOf([bench.paying(0n, { ...CALLBACK, [name]: PAYER })])).toBe(2012);
    }
  });

  it('can be cancelled, and then loses its turn without a call', () => {
    bench.succeed([enqueueing(), bench.cancelling(AUTHORITY, 0n, 4_000_000n)]);
    expect(bench.held(bench.collateralOf(AUTHORITY))).toBe(COLLATERAL);
    bench.succeed([bench.paying(0n)]);
    expect(bench.ticket(0n)).toBeNull();
  });
});

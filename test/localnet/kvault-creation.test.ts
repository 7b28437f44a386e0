import { sharesMint, vaultTokenVault } from '@sluice/protocol/kvault/addresses';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import {
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import { decodeMint, encodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import { AccountRole, type Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import type { BuiltStep } from '../../src/builders/action.ts';
import { investVaultAction, setAllocationAction } from '../../src/builders/curator/action.ts';
import { createVaultAction } from '../../src/builders/curator/create-vault.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { NOTHING_KNOWN } from '../support/localnet/built-steps.ts';
import {
  CuratorBench,
  expectOutcome,
  figuresOf,
  isRefused,
  runStep,
} from '../support/localnet/curator-bench.ts';

/** The creation of vaults: the program's checks, and what the builder promises. */

const { kvault } = MAINNET_PROGRAMS;
const VAULT = named('key pair of a new vault');
const STRANGER = named('stranger');
/** Rent of 62,552 bytes, of a token account and of a mint: (bytes + 128) x 6,960 lamports. */
const RENTS = { vault: 436_252_800n, tokens: 2_039_280n, shares: 1_461_600n };

function bench(tokens = 10_000n, vault = 'Jetty USDC'): CuratorBench {
  const made = new CuratorBench(vault);
  made.fund(tokens);
  return made;
}

const mintOf = ({ vault }: CuratorBench): Address => vault.token.mint.address;

const creation = (chain: CuratorBench, change: Partial<Parameters<typeof createVaultAction>[1]> = {}) =>
  chain.step(
    createVaultAction(NOTHING_KNOWN, { wallet: chain.wallet, vault: VAULT, mint: mintOf(chain), ...change }),
  );

function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isCodedError(error, 'BUILD_REFUSED')) return error.message;
    throw error;
  }
  return expect.fail('it was built');
}

/** The same instructions with other accounts in the last one. */
function withAccounts({ action }: BuiltStep, places: Readonly<Record<number, Address>>) {
  const [first, last] = action.instructions;
  if (first === undefined || last === undefined) throw new RangeError('two instructions are expected');
  return [
    first,
    {
      ...last,
      accounts: last.accounts.map((meta, place) => ({ ...meta, address: places[place] ?? meta.address })),
    },
  ];
}

const failureOf = (chain: CuratorBench, instructions: ReturnType<typeof withAccounts>) =>
  chain.run(instructions).failure?.reason;

describe('the creation of a vault', () => {
  it('leaves the accounts as promised, and a vault that works', () => {
    const chain = bench();
    const lamports = chain.account(chain.wallet).lamports;
    const step = creation(chain);
    expect(figuresOf(step)).toMatchObject({
      paid: { amount: 1_000n },
      rent: { amount: RENTS.vault + RENTS.tokens + RENTS.shares },
    });
    expect(step.preview().warnings.map(({ code }) => code)).toEqual(['NEW_VAULT_SIGNS']);
    expectOutcome(chain, step);
    expect(chain.account(chain.wallet).lamports).toBe(lamports - RENTS.vault - RENTS.tokens - RENTS.shares);
    const account = chain.account(VAULT);
    expect(account.data).toHaveLength(62_552);
    expect(vaultState.decode(account, kvault)).toMatchObject({
      vaultAdminAuthority: chain.wallet,
      allocationAdmin: chain.wallet,
      tokenMint: mintOf(chain),
      tokenMintDecimals: 6n,
      sharesMintDecimals: 6n,
      tokenAvailable: 1_000n,
      sharesIssued: 1_000n,
      prevAumSf: 1_000n << 60n,
      depositCap: 2n ** 64n - 1n,
      creationTimestamp: chain.clock.unixTimestamp,
    });
    expect(chain.balance(vaultTokenVault(kvault, VAULT).address)).toBe(1_000n);
    const shares = decodeMint(chain.account(sharesMint(kvault, VAULT).address));
    expect(shares).toMatchObject({ supply: 0n, decimals: 6, freezeAuthority: null });
    expect(chain.balance(chain.tokenAccount)).toBe(9_000n);

    const place = { wallet: chain.wallet, vault: VAULT, reserve: chain.reserveAddress(0) };
    const added = setAllocationAction(NOTHING_KNOWN, { ...place, weight: 1n });
    expect(runStep(chain, chain.step(added))).toBeNull();
    expect(runStep(chain, chain.step(investVaultAction(NOTHING_KNOWN, place)))).toBeNull();
    const [slot] = vaultState.decode(chain.account(VAULT), kvault).vaultAllocationStrategy;
    expect(slot?.ctokenAllocation).toBeGreaterThan(0n);
  });

  it('is signed by the wallet and by the key pair of the vault, and is the instruction of the interface', () => {
    const [account, init, ...others] = creation(bench()).action.instructions;
    expect(others).toEqual([]);
    expect(account?.accounts.map(({ role }) => role)).toEqual([
      AccountRole.WRITABLE_SIGNER,
      AccountRole.WRITABLE_SIGNER,
    ]);
    expect(account?.accounts[1]?.address).toBe(VAULT);
    expect(Buffer.from(init?.data ?? []).toString('hex')).toBe('4d4f559621d9346a');
    expect(init?.accounts.map(({ role }) => role)).toEqual([
      AccountRole.WRITABLE_SIGNER,
      AccountRole.WRITABLE,
      AccountRole.READONLY,
      AccountRole.WRITABLE,
      AccountRole.READONLY,
      AccountRole.WRITABLE,
      AccountRole.WRITABLE,
      ...Array.from({ length: 4 }, () => AccountRole.READONLY),
    ]);
  });

  it('wraps SOL for a vault of SOL', () => {
    const chain = bench(0n, 'Harbor SOL');
    chain.forget(chain.tokenAccount);
    const step = creation(chain, { mint: WRAPPED_SOL_MINT });
    expectOutcome(chain, step);
    expect(decodeTokenAccount(chain.account(vaultTokenVault(kvault, VAULT).address)).amount).toBe(1_000n);
    expect(step.action.wrappedSol).toBe('closed');
  });

  it('is refused for an address in use, and for what is no mint', () => {
    const chain = bench();
    expect(refusalOf(() => creation(chain, { vault: chain.vault.address }))).toContain('in use');
    expect(refusalOf(() => creation(chain, { vault: chain.wallet }))).toContain('of its own');
    expect(refusalOf(() => creation(chain, { mint: STRANGER }))).toContain('no mint');
    expect(refusalOf(() => creation(chain, { mint: chain.vault.address }))).toContain('is no mint');
    expect(runStep(chain, creation(chain))).toBeNull();
    expect(refusalOf(() => creation(chain))).toContain('in use');
  });

  it('is refused for a token without decimals, as by the program', () => {
    const chain = bench();
    const step = creation(chain);
    const account = chain.account(mintOf(chain));
    chain.set(mintOf(chain), { ...account, data: encodeMint({ ...decodeMint(account), decimals: 0 }) });
    expect(refusalOf(() => creation(chain))).toContain('7018 TokenMintDecimalsIncorrect');
    expect(runStep(chain, step)).toBe(7018);
  });

  it('is refused by the program for other accounts than its own', () => {
    const chain = bench();
    const step = creation(chain);
    const custom = (number: number) => ({ Custom: number });
    // An account that the program has written already.
    expect(failureOf(chain, withAccounts(step, { 1: chain.vault.address }))).toEqual(custom(2013));
    expect(failureOf(chain, withAccounts(step, { 3: STRANGER }))).toEqual(custom(2006));
    expect(failureOf(chain, withAccounts(step, { 5: STRANGER }))).toEqual(custom(2006));
    const { tokenVault } = chain.vault;
    expect(failureOf(chain, withAccounts(step, { 6: tokenVault.address }))).toEqual(custom(2015));
    expect(failureOf(chain, withAccounts(step, { 9: SYSTEM_PROGRAM }))).toEqual(custom(3008));
    expect(failureOf(chain, withAccounts(step, { 10: SYSTEM_PROGRAM }))).toEqual(custom(3008));
    expect(failureOf(chain, withAccounts(step, { 8: TOKEN_PROGRAM }))).toEqual(custom(3015));
  });

  it('changes the accounts as it says, or is refused where it says, whatever the wallet has', () => {
    const seen = { done: 0, refused: 0 };
    const rents = RENTS.vault + RENTS.tokens + RENTS.shares;
    fc.assert(
      fc.property(
        fc.constantFrom('Jetty USDC', 'Keel Euro', 'Harbor SOL'),
        fc.oneof(fc.bigInt(0n, 2_000n), fc.bigInt(0n, 10n ** 12n)),
        fc.oneof(fc.bigInt(0n, 2n * rents), fc.bigInt(rents, rents + 3n * RENTS.tokens)),
        fc.bigInt(0n, 5_000_000n),
        (name, tokens, lamports, sent) => {
          const chain = bench(tokens, name);
          chain.set(chain.wallet, { ...chain.account(chain.wallet), lamports });
          if (sent > 900_000n) {
            chain.set(vaultTokenVault(kvault, VAULT).address, {
              owner: SYSTEM_PROGRAM,
              lamports: sent,
              data: new Uint8Array(0),
              executable: false,
            });
          }
          const step = creation(chain);
          if (isRefused(step)) {
            expect(runStep(chain, step)).not.toBeNull();
            seen.refused += 1;
            return;
          }
          expectOutcome(chain, step);
          seen.done += 1;
        },
      ),
      { numRuns: cases(60, 300) },
    );
    expect(seen.done).toBeGreaterThan(5);
    expect(seen.refused).toBeGreaterThan(5);
  }, 300_000);
});

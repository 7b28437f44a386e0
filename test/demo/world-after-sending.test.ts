import type { Address } from '@solana/kit';
import { expect, test } from 'vitest';
import { isTokenAccount } from '../../src/demo/rpc/token-index.ts';
import { createDemoLedger, type DemoLedger } from '../../src/demo/world/demo-ledger.ts';
import { SLOT_MS } from '../../src/demo/world/time.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../src/programs/program-ids.ts';
import { decodeMint } from '../../src/programs/token/mint.ts';
import { decodeTokenAccount } from '../../src/programs/token/token-account.ts';

/** The part of each mint's supply that no account of the world holds. Wrapped SOL has no supply of its own. */
function heldElsewhere(ledger: DemoLedger): Map<Address, bigint> {
  const sums = new Map<Address, bigint>();
  const add = (mint: Address, amount: bigint) => sums.set(mint, (sums.get(mint) ?? 0n) + amount);
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [address, account] of ledger.programAccounts(program)) {
      if (!isTokenAccount(account)) {
        add(address, decodeMint(account).supply);
        continue;
      }
      const { mint, amount } = decodeTokenAccount(account);
      add(mint, -amount);
    }
  }
  sums.delete(WRAPPED_SOL_MINT);
  return sums;
}

test('the world goes on with what it was given, and no token appears or vanishes', () => {
  let nowMs = Date.UTC(2026, 5, 1);
  const ledger = createDemoLedger({ now: () => nowMs });
  const advance = (slots: number) => {
    for (let i = 0; i < slots; i += 1) {
      nowMs += SLOT_MS;
      ledger.tick();
    }
  };
  const before = heldElsewhere(ledger);
  const given = ledger.world.wallets.filter((_, i) => i % 3 === 0).slice(0, 30);
  for (const { address } of given) {
    for (const { mint } of ledger.world.tokens.slice(1, 5)) {
      const wire = ledger.faucet.tokens(address, mint.address, 1_000_000n);
      expect(wire && ledger.send(wire).failure).toBeNull();
    }
  }
  const payers = new Set<Address | undefined>();
  ledger.onTransaction(({ error, addresses: [payer] }) => {
    expect(error).toBeNull();
    payers.add(payer);
  });
  advance(600);
  expect(given.filter(({ address }) => payers.has(address)).length).toBeGreaterThan(5);
  expect(heldElsewhere(ledger)).toEqual(before);
});

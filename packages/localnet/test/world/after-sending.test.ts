import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { expect, test } from 'vitest';
import { isTokenAccount } from '../../src/rpc/token-index.ts';
import { slotAt, startOf } from '../../src/world/time.ts';
import { createWorldChain, type WorldChain } from '../../src/world/world-chain.ts';

/** The part of each mint's supply that no account of the world holds. Wrapped SOL has no supply of its own. */
function heldElsewhere(localChain: WorldChain): Map<Address, bigint> {
  const sums = new Map<Address, bigint>();
  const add = (mint: Address, amount: bigint) => sums.set(mint, (sums.get(mint) ?? 0n) + amount);
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [address, account] of localChain.programAccounts(program)) {
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
  const localChain = createWorldChain({ now: () => nowMs });
  const advance = (slots: number) => {
    for (let i = 0; i < slots; i += 1) {
      nowMs = startOf(slotAt(nowMs) + 1n);
      localChain.tick();
    }
  };
  const before = heldElsewhere(localChain);
  const given = localChain.world.wallets.filter((_, i) => i % 3 === 0).slice(0, 30);
  for (const { address } of given) {
    for (const { mint } of localChain.world.tokens.slice(1, 5)) {
      const wire = localChain.faucet.tokens(address, mint.address, 1_000_000n);
      expect(wire && localChain.send(wire).failure).toBeNull();
    }
  }
  const payers = new Set<Address | undefined>();
  localChain.onTransaction(({ error, addresses: [payer] }) => {
    expect(error).toBeNull();
    payers.add(payer);
  });
  advance(600);
  expect(given.filter(({ address }) => payers.has(address)).length).toBeGreaterThan(5);
  expect(heldElsewhere(localChain)).toEqual(before);
});

import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '@sluice/protocol/program-ids';
import { EXTENSION_TYPE } from '@sluice/protocol/token/extension-types';
import { decodeMint, encodeMint } from '@sluice/protocol/token/mint';
import { describe, expect, it } from 'vitest';
import { COLLATERAL, DEAR, OWNERS, PAYER, QueueBench, RESERVE } from '../support/localnet/queue-bench.ts';

/** Tickets on the localnet whose turn comes when their destination cannot be paid any more. */

const [ALICE, BOB, CAROL] = OWNERS;
/** Rent of a ticket, and what it holds in advance for its destination. */
const TICKET_LAMPORTS = 4_510_080n + 7_850_880n;
const PAID = Uint8Array.of(1);
const SKIPPED = Uint8Array.of(0);

describe('a ticket whose destination cannot be paid', () => {
  function skipped(spoil: (bench: QueueBench) => void): QueueBench {
    const bench = new QueueBench();
    bench.enqueue(ALICE, 4_000_001n);
    bench.enqueue(BOB, 1_000_000n);
    spoil(bench);
    expect(bench.succeed([bench.paying(0n)])).toEqual(SKIPPED);
    return bench;
  }

  it('loses its turn, and keeps its tokens', () => {
    const bench = skipped((each) => each.changeToken(each.liquidityOf(ALICE), { frozen: true }));
    expect(bench.ticket(0n)).toMatchObject({ invalid: 1, queuedCollateralAmount: 4_000_001n });
    expect(bench.queue).toEqual({ collateral: 1_000_000n, nextIssued: 2n, nextPaid: 1n });
    expect(bench.held(bench.vaultOf(ALICE))).toBe(4_000_001n);
    expect(bench.held(bench.liquidityOf(ALICE))).toBe(0n);
    expect(bench.succeed([bench.paying(1n)])).toEqual(PAID);
  });

  it('can be recovered by anybody, to the associated account of its owner', () => {
    const bench = skipped((each) => each.changeToken(each.liquidityOf(ALICE), { frozen: true }));
    const lamports = bench.lamports(ALICE);
    bench.succeed([bench.recovering(0n, PAYER)]);
    expect(bench.held(bench.collateralOf(ALICE))).toBe(COLLATERAL);
    expect(bench.held(bench.vaultOf(ALICE))).toBe(0n);
    expect(bench.ticket(0n)).toBeNull();
    expect(bench.lamports(ALICE)).toBe(lamports + TICKET_LAMPORTS);
    expect(bench.queue).toEqual({ collateral: 1_000_000n, nextIssued: 2n, nextPaid: 1n });
  });

  it('can be recovered by its owner to another account', () => {
    const bench = skipped((each) => each.changeToken(each.liquidityOf(ALICE), { frozen: true }));
    const other = bench.collateralOf(PAYER);
    bench.setBalance(other, bench.reserve(0).collateral.mintPubkey, ALICE, 0n);
    bench.succeed([bench.recovering(0n, ALICE, { userSourceCollateral: other })]);
    expect(bench.held(other)).toBe(4_000_001n);
  });

  it.each<[string, (bench: QueueBench) => void]>([
    ['has a delegate', (bench) => bench.changeToken(bench.liquidityOf(ALICE), { delegate: BOB })],
    ['has another owner', (bench) => bench.changeToken(bench.liquidityOf(ALICE), { owner: CAROL })],
    ['has another mint', (bench) => bench.changeToken(bench.liquidityOf(ALICE), { mint: BOB })],
    [
      'belongs to another program',
      (bench) => {
        const address = bench.liquidityOf(ALICE);
        bench.set(address, { ...bench.account(address), owner: RESERVE });
      },
    ],
    [
      'is not the associated account and was closed',
      (bench) => {
        const other = bench.collateralOf(PAYER);
        bench.changeTicket(0n, { userDestinationLiquidityTa: other });
      },
    ],
    [
      'is a wallet with data',
      (bench) => {
        const address = bench.liquidityOf(ALICE);
        bench.set(address, { ...bench.account(address), owner: SYSTEM_PROGRAM });
      },
    ],
  ])('is one whose destination %s', (_, spoil) => {
    expect(skipped(spoil).ticket(0n)?.invalid).toBe(1);
  });
});

describe('a ticket of a Token-2022 reserve', () => {
  /** A reserve whose token has the given extension from now on. */
  function spoilMint(bench: QueueBench, type: number, data: Uint8Array): void {
    const { mintPubkey } = bench.reserve(0).liquidity;
    const account = bench.account(mintPubkey);
    const { mintAuthority, supply, decimals, freezeAuthority } = decodeMint(account);
    const mint = { mintAuthority, supply, decimals, freezeAuthority, extensions: [{ type, data }] };
    bench.set(mintPubkey, { ...account, data: encodeMint(mint) });
  }

  function token2022Bench(): QueueBench {
    const bench = new QueueBench({ ...DEAR, tokenProgram: TOKEN_2022_PROGRAM });
    const { mintPubkey, supplyVault } = bench.reserve(0).liquidity;
    for (const address of [mintPubkey, supplyVault, ...OWNERS.map(bench.liquidityOf)]) {
      bench.set(address, { ...bench.account(address), owner: TOKEN_2022_PROGRAM });
    }
    expect(bench.held(supplyVault)).toBe(500_000_000_000n);
    bench.enqueue(ALICE, 4_000_000n);
    return bench;
  }

  it('is paid', () => {
    const bench = token2022Bench();
    expect(bench.succeed([bench.paying(0n)])).toEqual(PAID);
    expect(bench.held(bench.liquidityOf(ALICE))).toBe(5_000_000n);
  });

  it('loses its turn while the token is paused', () => {
    const bench = token2022Bench();
    spoilMint(bench, EXTENSION_TYPE.pausable, new Uint8Array(33).fill(1, 32));
    expect(bench.succeed([bench.paying(0n)])).toEqual(SKIPPED);
  });

  it('loses its turn when a closed destination could only be opened frozen', () => {
    const bench = token2022Bench();
    spoilMint(bench, EXTENSION_TYPE.defaultAccountState, Uint8Array.of(2));
    bench.closeToken(bench.liquidityOf(ALICE), ALICE);
    expect(bench.succeed([bench.paying(0n)])).toEqual(SKIPPED);
  });

  it('opens a closed destination with the extensions that the mint demands', () => {
    const bench = token2022Bench();
    bench.closeToken(bench.liquidityOf(ALICE), ALICE);
    const lamports = bench.lamports(ALICE);
    expect(bench.succeed([bench.paying(0n)])).toEqual(PAID);
    // 165 bytes, the kind of account, and the header of the extension "immutable owner".
    const opened = 6_960n * (128n + 170n);
    expect(bench.lamports(bench.liquidityOf(ALICE))).toBe(opened);
    expect(bench.lamports(ALICE)).toBe(lamports + TICKET_LAMPORTS - opened);
  });
});

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { userState } from '@sluice/protocol/farms/user-state';
import { obligation } from '@sluice/protocol/klend/obligation';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { PositionAccount } from '../src/chain/positions/position-kinds.ts';
import { PositionTable } from '../src/chain/positions/position-table.ts';
import { PositionSnapshot } from '../src/chain/positions/positions.ts';
import { nanosecondsPerCall, printTable } from './measure.ts';

const OPTIONS = {
  obligations: { type: 'string', default: '200000' },
  shares: { type: 'string', default: '300000' },
  stakes: { type: 'string', default: '100000' },
} as const;

/** Values of the size that real ones have: 64 or 128 bits of which the upper ones are zero. */
const random = (bits: bigint) => BigInt(`0x${randomBytes(16).toString('hex')}`) >> (128n - bits);
const addresses = (count: number) => Array.from({ length: count }, newAddress);
const newAddress = (): Address => addressFromBytes(randomBytes(32));
const oneOf = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;

/**
 * Memory and time of the accounts of all wallets: `npm run bench -- positions --obligations 200000 --shares 300000`.
 * An obligation has one to three deposits and up to two debts, with all values of its last refresh.
 */
export async function run(args: readonly string[]): Promise<void> {
  const [mode, ...rest] = args;
  if (mode === 'measure') {
    await measure(rest);
    return;
  }
  const file = fileURLToPath(new URL('run.ts', import.meta.url));
  const flags = ['--expose-gc', '--import', 'tsx'];
  const child = spawn(process.execPath, [...flags, file, 'positions', 'measure', ...args], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  process.exitCode = Number(code ?? 1);
}

async function measure(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const counts = {
    obligations: Number(values.obligations),
    shares: Number(values.shares),
    stakes: Number(values.stakes),
  };
  const wallets = addresses(1_000);
  const before = memoryMb();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = process.cpuUsage();
  const table = await PositionTable.load(MAINNET_PROGRAMS, accounts(counts, wallets));
  const { user, system } = process.cpuUsage(startedAt);
  delay.disable();
  const afterLoad = memoryMb();
  const positions = new PositionSnapshot(table, 1n);
  const lookup = nanosecondsPerCall(() => positions.ofWallet('obligation', oneOf(wallets)));
  const change = nanosecondsPerCall(() => {
    const account = oneOf(positions.ofWallet('obligation', oneOf(wallets)));
    if (account !== undefined)
      table.put({ kind: 'obligation', account: { ...account, slot: account.slot + 1n } });
  });
  printTable([
    ['accounts of all wallets', ''],
    ['obligations', String(positions.count('obligation'))],
    ['share accounts', String(positions.count('tokenAccount'))],
    ['stakes', String(positions.count('farmUser'))],
    ['table, MB', (table.memoryBytes / 1e6).toFixed(1)],
    ['growth of the process, MB', (afterLoad - before).toFixed(1)],
    ['processor time of making and loading the accounts, s', ((user + system) / 1e6).toFixed(1)],
    ['longest pause of the event loop, ms', (delay.max / 1e6).toFixed(0)],
    ['obligations of a wallet, µs', (lookup / 1_000).toFixed(1)],
    ['a change and the lookup before it, µs', (change / 1_000).toFixed(1)],
  ]);
}

/** Resident memory after a collection. */
function memoryMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
}

function* accounts(
  counts: { readonly obligations: number; readonly shares: number; readonly stakes: number },
  wallets: readonly Address[],
): Generator<PositionAccount> {
  const [markets, reserves, mints, farms] = [addresses(40), addresses(200), addresses(60), addresses(260)];
  const walletAt = (i: number) => (i % 10 === 0 ? oneOf(wallets) : newAddress());
  for (let i = 0; i < counts.obligations; i += 1) {
    const data = obligationData(oneOf(markets), reserves, walletAt(i));
    yield { kind: 'obligation', account: accountOf(MAINNET_PROGRAMS.klend, data) };
  }
  for (let i = 0; i < counts.shares; i += 1) {
    const data = encodeTokenAccount({
      mint: oneOf(mints),
      owner: walletAt(i),
      amount: random(48n),
      delegate: null,
      delegatedAmount: 0n,
      frozen: false,
      nativeRentLamports: null,
      closeAuthority: null,
      extensions: [],
    });
    yield { kind: 'tokenAccount', account: accountOf(TOKEN_PROGRAM, data) };
  }
  for (let i = 0; i < counts.stakes; i += 1) {
    const owner = walletAt(i);
    const data = userState.encode({
      userId: BigInt(i),
      farmState: oneOf(farms),
      owner,
      rewardsTallyScaled: [random(100n), random(100n)],
      rewardsIssuedUnclaimed: [random(40n)],
      lastClaimTs: [1_750_000_000n],
      activeStakeScaled: random(110n),
      bump: 254n,
      delegatee: owner,
      lastStakeTs: 1_750_000_000n,
      rewardsIssuedCumulative: [random(48n)],
    });
    yield { kind: 'farmUser', account: accountOf(MAINNET_PROGRAMS.farms, data) };
  }
}

function accountOf(owner: Address, data: Uint8Array) {
  return { address: newAddress(), owner, data, lamports: 24_165_120n, slot: 350_000_000n };
}

function obligationData(lendingMarket: Address, reserves: readonly Address[], owner: Address): Uint8Array {
  const some = (most: number) => Array.from({ length: Math.floor(Math.random() * (most + 1)) });
  return obligation.encode({
    tag: oneOf([0n, 1n, 3n]),
    lastUpdate: { slot: 350_000_000n + random(20n), stale: 1, priceStatus: 63 },
    lendingMarket,
    owner,
    deposits: [...some(2), 0].map(() => ({
      depositReserve: oneOf(reserves),
      depositedAmount: random(44n),
      marketValueSf: random(90n),
    })),
    borrows: some(2).map(() => ({
      borrowReserve: oneOf(reserves),
      cumulativeBorrowRateBsf: { value: [random(61n), 1n, 0n, 0n] },
      borrowedAmountSf: random(104n),
      marketValueSf: random(90n),
      borrowFactorAdjustedMarketValueSf: random(90n),
      borrowedAmountOutsideElevationGroups: random(44n),
    })),
    depositedValueSf: random(90n),
    borrowFactorAdjustedDebtValueSf: random(90n),
    borrowedAssetsMarketValueSf: random(90n),
    allowedBorrowValueSf: random(90n),
    unhealthyBorrowValueSf: random(90n),
    hasDebt: 1,
    lowestReserveDepositLiquidationLtv: 75n,
    highestBorrowFactorPct: 100n,
  });
}

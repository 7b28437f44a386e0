import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { runDump } from '../../src/cli/dump/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { type AccountSet, DUMP_FOLDERS, REAL_SET, readDump } from '../support/real-bytes/account-sets.ts';
import { describeReads } from '../support/real-bytes/read-suite.ts';
import { ABSENT } from '../support/vectors/shared-fixtures.ts';

/** Read from the bytes of markets, reserves, obligations, farms, mints and price accounts. */
const LENDING_TYPES = [
  ...['Market', 'MarketTotals', 'MarketRisk', 'ElevationGroup', 'OraclePrice', 'CollateralReserve'],
  ...['Reserve', 'ReserveRisk', 'ReserveLimits', 'ReserveFees', 'ReserveCapacity', 'ApyBreakdown', 'Price'],
  ...['Obligation', 'ObligationDeposit', 'ObligationBorrow', 'Farm', 'FarmReward', 'Token', 'Wallet'],
  ...['TransactionExplanation', 'ExplainedInstruction', 'ReserveHistory', 'ReservePoint'],
];

/** Read from the bytes of vaults, their farms, tables and share mints, and of a wallet's positions in them. */
const EARN_TYPES = [
  ...['Vault', 'VaultState', 'VaultAllocation', 'VaultAllocationState', 'VaultFees', 'VaultMinimums'],
  ...['VaultInterest', 'VaultPosition', 'VaultPositionWhatIf', 'VaultHistory', 'VaultPoint', 'ShareMetadata'],
  ...['LookupTable', 'FarmStake', 'ClaimableReward', 'ObligationStats', 'ObligationWhatIf', 'WalletTotals'],
  ...['Preview', 'Simulation', 'BorrowRoute', 'ReserveCapacity', 'EarnSummary'],
];

const folder = mkdtempSync(join(tmpdir(), 'sluice-dump-'));
afterAll(() => rmSync(folder, { recursive: true }));

const real = REAL_SET;
describeReads({
  name: `real accounts of mainnet${ABSENT}`,
  open: real && (async () => real),
  reaches: LENDING_TYPES,
});

for (const dump of DUMP_FOLDERS) {
  describeReads({
    name: `the dump ${basename(dump)}`,
    open: async () => readDump(dump),
    reaches: LENDING_TYPES,
  });
}

describeReads({
  name: 'a dump of the localnet',
  open: dumpOfLocalnet,
  reaches: [...LENDING_TYPES, ...EARN_TYPES],
});

async function dumpOfLocalnet(): Promise<AccountSet> {
  const localChain = unchangedChain();
  const rpc = await serveChain(localChain);
  const out = join(folder, 'embedded');
  const { wallet, vault, market } = localChain.addresses;
  try {
    const command = {
      rpc: rpc.url,
      out,
      markets: [market],
      vaults: [vault],
      wallets: [wallet],
      accounts: [],
    };
    const config = loadConfig({ SOLANA_RPC_URLS: rpc.url, SOLANA_CLUSTER: 'localnet' });
    await runDump(config, command, () => {}, new AbortController().signal);
  } finally {
    await rpc.close();
  }
  return readDump(out);
}

import type { Address } from '@solana/kit';
import type { Ledger, LedgerAccount } from '../src/demo/ledger.ts';
import { startDemoRpc } from '../src/demo/rpc/server.ts';
import { createDemoLedger, type DemoLedger } from '../src/demo/world/demo-ledger.ts';
import { reserve } from '../src/programs/klend/reserve.ts';
import { type VaultState, vaultState } from '../src/programs/kvault/vault-state.ts';
import { MAINNET_PROGRAMS } from '../src/programs/program-ids.ts';

const { klend, kvault } = MAINNET_PROGRAMS;
const startsWith = ({ data }: LedgerAccount, prefix: Uint8Array) =>
  Buffer.compare(data.subarray(0, prefix.length), prefix) === 0;

/** Vaults and reserves to hide so that the given numbers remain. Hides unused reserves first. */
function surplus(ledger: DemoLedger, vaults: number, reserves: number): ReadonlySet<Address> {
  const all = (program: Address, prefix: Uint8Array) =>
    [...ledger.programAccounts(program)].filter(([, account]) => startsWith(account, prefix));
  const vaultAccounts = all(kvault, vaultState.discriminator);
  const used = new Set(
    vaultAccounts
      .slice(0, vaults)
      .flatMap(([, account]) => allocationsOf(vaultState.decode(account, kvault))),
  );
  const reserveAddresses = all(klend, reserve.discriminator).map(([address]) => address);
  const unusedFirst = reserveAddresses.sort((a, b) => Number(used.has(a)) - Number(used.has(b)));
  return new Set([
    ...vaultAccounts.slice(vaults).map(([address]) => address),
    ...unusedFirst.slice(0, Math.max(0, unusedFirst.length - reserves)),
  ]);
}

const allocationsOf = ({ vaultAllocationStrategy }: VaultState) =>
  vaultAllocationStrategy.map(({ reserve: address }) => address);

/** The ledger without some of its accounts. */
function without(ledger: DemoLedger, hidden: ReadonlySet<Address>): Ledger {
  return {
    get slot() {
      return ledger.slot;
    },
    get blockHeight() {
      return ledger.blockHeight;
    },
    blockTime: (slot) => ledger.blockTime(slot),
    blockhash: () => ledger.blockhash(),
    isBlockhashValid: (hash) => ledger.isBlockhashValid(hash),
    account: (address) => (hidden.has(address) ? undefined : ledger.account(address)),
    *programAccounts(program) {
      for (const entry of ledger.programAccounts(program)) if (!hidden.has(entry[0])) yield entry;
    },
    transactionsOf: (address) => ledger.transactionsOf(address),
    transaction: (signature) => ledger.transaction(signature),
    block: (slot) => ledger.block(slot),
    onSlot: (listener) => ledger.onSlot(listener),
    onTransaction: (listener) => ledger.onTransaction(listener),
    faucet: ledger.faucet,
    simulate: (wire, options) => ledger.simulate(wire, options),
    send: (wire) => ledger.send(wire),
  };
}

/** The embedded chain in a separate process: `view-chain.ts SCALE [VAULTS RESERVES]`. */
const [scale = 1, vaults = Number.MAX_SAFE_INTEGER, reserves = Number.MAX_SAFE_INTEGER] = process.argv
  .slice(2)
  .map(Number);
const ledger = createDemoLedger({ scale, now: Date.now });
const rpc = await startDemoRpc(without(ledger, surplus(ledger, vaults, reserves)));
ledger.start();
process.stdout.write(`${rpc.url}\n`);
process.once('SIGTERM', () => {
  ledger.stop();
  void rpc.close();
});

import type { LocalChain, StoredAccount } from '@sluice/localnet/chain';
import { startRpcServer } from '@sluice/localnet/rpc/server';
import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';
import { reserve } from '@sluice/protocol/klend/reserve';
import { type VaultState, vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';

const { klend, kvault } = MAINNET_PROGRAMS;
const startsWith = ({ data }: StoredAccount, prefix: Uint8Array) =>
  Buffer.compare(data.subarray(0, prefix.length), prefix) === 0;

/** Vaults and reserves to hide so that the given numbers remain. Hides unused reserves first. */
function surplus(localChain: WorldChain, vaults: number, reserves: number): ReadonlySet<Address> {
  const all = (program: Address, prefix: Uint8Array) =>
    [...localChain.programAccounts(program)].filter(([, account]) => startsWith(account, prefix));
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

/** The chain without some of its accounts. */
function without(localChain: WorldChain, hidden: ReadonlySet<Address>): LocalChain {
  return {
    get slot() {
      return localChain.slot;
    },
    get blockHeight() {
      return localChain.blockHeight;
    },
    blockTime: (slot) => localChain.blockTime(slot),
    blockhash: () => localChain.blockhash(),
    isBlockhashValid: (hash) => localChain.isBlockhashValid(hash),
    account: (address) => (hidden.has(address) ? undefined : localChain.account(address)),
    *programAccounts(program) {
      for (const entry of localChain.programAccounts(program)) if (!hidden.has(entry[0])) yield entry;
    },
    transactionsOf: (address) => localChain.transactionsOf(address),
    transaction: (signature) => localChain.transaction(signature),
    block: (slot) => localChain.block(slot),
    onSlot: (listener) => localChain.onSlot(listener),
    onTransaction: (listener) => localChain.onTransaction(listener),
    faucet: localChain.faucet,
    simulate: (wire, options) => localChain.simulate(wire, options),
    send: (wire) => localChain.send(wire),
  };
}

/** The localnet in a separate process: `view-chain.ts SCALE [VAULTS RESERVES]`. */
const [scale = 1, vaults = Number.MAX_SAFE_INTEGER, reserves = Number.MAX_SAFE_INTEGER] = process.argv
  .slice(2)
  .map(Number);
const localChain = createWorldChain({ scale, now: Date.now });
const rpc = await startRpcServer(without(localChain, surplus(localChain, vaults, reserves)));
localChain.start();
process.stdout.write(`${rpc.url}\n`);
process.once('SIGTERM', () => {
  localChain.stop();
  void rpc.close();
});

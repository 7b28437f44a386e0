import type { LocalChain, StoredAccount } from '@sluice/localnet/chain';
import { startRpcServer } from '@sluice/localnet/rpc/server';
import { createWorldChain } from '@sluice/localnet/world/world-chain';
import { obligation, obligationCollateral, obligationLiquidity } from '@sluice/protocol/klend/obligation';
import { viewOf } from '@sluice/protocol/layout/account';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { serveParent } from '../peers/worker.ts';

/** Sent to the parent when the chain is ready. */
export interface LoanChain {
  readonly url: string;
  readonly market: Address;
  readonly loans: number;
  /** The first loans, for a contender that reads only some. */
  readonly sample: readonly Address[];
}

const { klend } = MAINNET_PROGRAMS;
const [count = 100_000, sampled = 2_000] = process.argv.slice(2).map(Number);
const AMOUNT_AT = obligationCollateral.offsets.depositedAmount;
const DEBT_AT = obligationLiquidity.offsets.borrowedAmountSf;
const U64 = (1n << 64n) - 1n;

/**
 * The localnet with a stopped clock and many more loans in one market: `loan-chain.ts LOANS SAMPLE`. Each is a copy of
 * a loan of the world under another address and owner, with other amounts, so that healths are spread.
 */
const stoppedAt = Date.now();
const localChain = createWorldChain({ scale: 1, now: () => stoppedAt });
const { market } = localChain.addresses;
const templates = [...localChain.programAccounts(klend)].flatMap(([, account]) => {
  if (account.data.length < obligation.size || account.owner !== klend) return [];
  if (obligation.discriminator.some((byte, i) => account.data[i] !== byte)) return [];
  const { lendingMarket, hasDebt } = obligation.decode(account, klend);
  return lendingMarket === market && hasDebt === 1 ? [account] : [];
});

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const bytes = (): Uint8Array => Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));

function loan(template: StoredAccount): StoredAccount {
  const data = template.data.slice();
  const view = viewOf(data);
  data.set(bytes(), obligation.offsetOf('owner'));
  view.setBigUint64(obligation.offsetOf('lastUpdate'), localChain.slot - 1_000n, true);
  const percent = () => BigInt(50 + Math.floor(random() * 100));
  const [more, owed] = [percent(), percent()];
  for (let i = 0; i < 8; i += 1) {
    const at = obligation.offsetOf('deposits') + i * obligationCollateral.size + AMOUNT_AT;
    view.setBigUint64(at, (view.getBigUint64(at, true) * more) / 100n, true);
  }
  for (let i = 0; i < 5; i += 1) {
    const at = obligation.offsetOf('borrows') + i * obligationLiquidity.size + DEBT_AT;
    const amount = (view.getBigUint64(at + 8, true) << 64n) | view.getBigUint64(at, true);
    const scaled = (amount * owed) / 100n;
    view.setBigUint64(at, scaled & U64, true);
    view.setBigUint64(at + 8, scaled >> 64n, true);
  }
  return { ...template, data };
}

const loans = new Map<Address, StoredAccount>();
for (let i = 0; i < count; i += 1) {
  const template = templates[i % templates.length];
  if (template !== undefined) loans.set(addressFromBytes(bytes()), loan(template));
}
const addresses = [...loans.keys()];

/** The world's own accounts, without its own loans in the market. */
const own = new Set(templates);
const crowded: LocalChain = {
  get slot() {
    return localChain.slot;
  },
  get blockHeight() {
    return localChain.blockHeight;
  },
  faucet: null,
  blockTime: (slot) => localChain.blockTime(slot),
  blockhash: () => localChain.blockhash(),
  isBlockhashValid: (hash) => localChain.isBlockhashValid(hash),
  account: (address) => loans.get(address) ?? localChain.account(address),
  *programAccounts(program) {
    for (const entry of localChain.programAccounts(program)) if (!own.has(entry[1])) yield entry;
    if (program === klend) yield* loans;
  },
  transactionsOf: (address) => localChain.transactionsOf(address),
  transaction: (signature) => localChain.transaction(signature),
  block: (slot) => localChain.block(slot),
  onSlot: (listener) => localChain.onSlot(listener),
  onTransaction: (listener) => localChain.onTransaction(listener),
  simulate: (wire, options) => localChain.simulate(wire, options),
  send: (wire) => localChain.send(wire),
};
const rpc = await startRpcServer(crowded, {});
let changes = 0n;

serveParent(
  { url: rpc.url, market, loans: loans.size, sample: addresses.slice(0, sampled) } satisfies LoanChain,
  {
    /** Changes some loans, as an action on each would. */
    change(some: number) {
      changes += 1n;
      for (let i = 0; i < some; i += 1) {
        const address = addresses[Math.floor(random() * addresses.length)];
        const account = address && loans.get(address);
        if (!account) continue;
        const data = account.data.slice();
        viewOf(data).setBigUint64(
          obligation.offsetOf('lastUpdate'),
          localChain.slot - 1_000n + changes,
          true,
        );
        loans.set(address, { ...account, data });
      }
    },
  },
);

import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  getTransactionDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
  signTransaction,
} from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type BuiltTransaction,
  callBuilder,
  type InstructionBundle,
} from '../../docs/signing/call-builder.ts';
import { transactionOf } from '../../docs/signing/from-bundle.ts';
import { sendThroughGateway } from '../../docs/signing/through-gateway.ts';
import { confirmed, decodeTransaction, send, signWithKey } from '../../docs/signing/with-kit.ts';
import { signWithWallet } from '../../docs/signing/with-wallet.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';

/** The programs of docs/signing.md, with the key of `/localnet.json`, against a started gateway and its localnet. */

interface LocalnetPage {
  readonly wallet: string;
  readonly vault: string;
  readonly market: string;
  readonly depositReserve: string;
  readonly borrowReserve: string;
  readonly rpcUrl: string;
  readonly secretKey: readonly number[];
}

let gateway: GatewayProcess;
let url: string;
let localnet: LocalnetPage;
let rpc: Rpc<SolanaRpcApi>;
let signer: KeyPairSigner;

beforeAll(async () => {
  gateway = new GatewayProcess({ LOG_LEVEL: 'warn' });
  url = await gateway.ready();
  localnet = (await (await fetch(`${url}/localnet.json`)).json()) as LocalnetPage;
  rpc = createSolanaRpc(localnet.rpcUrl);
  signer = await createKeyPairSignerFromBytes(Uint8Array.from(localnet.secretKey));
});
afterAll(async () => {
  gateway?.kill('SIGTERM');
  await gateway?.exited;
});

type Path = `/ktx/k${'vault' | 'lend'}/${string}`;

/** Builds a whole transaction, signs it with the key, and lets the gateway send it. Resolves to its slot. */
async function throughGateway(path: Path, body: Record<string, string>): Promise<string> {
  const { transaction } = await callBuilder<BuiltTransaction>(url, path, body);
  const sent = await sendThroughGateway(url, await signWithKey(decodeTransaction(transaction), signer));
  expect(sent.error).toBeNull();
  expect(['CONFIRMED', 'FINALIZED']).toContain(sent.status);
  return sent.slot ?? expect.fail('no slot');
}

/** Compiles the instructions itself, lets a wallet sign, and sends to the RPC. */
async function throughRpc(path: Path, body: Record<string, string>): Promise<string> {
  const bundle = await callBuilder<InstructionBundle>(url, `${path}-instructions`, body);
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const budget = { units: 600_000, microLamportsPerUnit: 10_000n };
  const unsigned = transactionOf(bundle, signer.address, lifetime, budget);
  const signed = await signWithWallet(
    unsigned,
    { address: signer.address },
    {
      signTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction }) => {
            const done = await signTransaction([signer.keyPair], getTransactionDecoder().decode(transaction));
            return { signedTransaction: new Uint8Array(getTransactionEncoder().encode(done)) };
          }),
        ),
    },
  );
  const signature = await send(rpc, signed);
  expect(await confirmed(rpc, signature, lifetime.lastValidBlockHeight, 100)).toBe(true);
  return String(await rpc.getSlot().send());
}

/** Shares of the vault, and what the vanilla obligation has deposited and owes, in whole tokens. */
async function read(slot: string) {
  const query = `{ wallet(address: "${localnet.wallet}") {
    vaultPosition(vault: "${localnet.vault}") { totalShares }
    obligations(market: "${localnet.market}") { nodes {
      tagNumber
      deposits { reserveAddress amount { amount } }
      borrows { reserveAddress amount { amount } }
    } }
  } }`;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-min-slot': slot },
    body: JSON.stringify({ query }),
  });
  type Row = { readonly reserveAddress: string; readonly amount: { readonly amount: string } };
  const { data } = (await response.json()) as {
    data: {
      wallet: {
        vaultPosition: { totalShares: string };
        obligations: { nodes: { tagNumber: number; deposits: Row[]; borrows: Row[] }[] };
      };
    };
  };
  const loan = data.wallet.obligations.nodes.find(({ tagNumber }) => tagNumber === 0);
  const amountIn = (rows: readonly Row[] | undefined, reserve: string) =>
    Number(rows?.find(({ reserveAddress }) => reserveAddress === reserve)?.amount.amount ?? 0);
  return {
    shares: Number(data.wallet.vaultPosition.totalShares),
    deposit: amountIn(loan?.deposits, localnet.depositReserve),
    debt: amountIn(loan?.borrows, localnet.borrowReserve),
  };
}

it.each([
  ['the gateway', throughGateway],
  ['an RPC endpoint', throughRpc],
] as const)('the localnet wallet performs all six actions, sent through %s', async (_, act) => {
  const { wallet, vault: kvault, market, depositReserve, borrowReserve } = localnet;
  const steps = [
    ['/ktx/kvault/deposit', { kvault, amount: '7' }, { shares: 6.7 }],
    ['/ktx/kvault/withdraw', { kvault, amount: '5' }, { shares: -5 }],
    ['/ktx/klend/deposit', { market, reserve: depositReserve, amount: '0.5' }, { deposit: 0.5 }],
    ['/ktx/klend/borrow', { market, reserve: borrowReserve, amount: '3' }, { debt: 3 }],
    ['/ktx/klend/repay', { market, reserve: borrowReserve, amount: '2' }, { debt: -2 }],
    ['/ktx/klend/withdraw', { market, reserve: depositReserve, amount: '0.25' }, { deposit: -0.25 }],
  ] as const;
  let before = await read('0');
  for (const [path, body, change] of steps) {
    const after = await read(await act(path, { wallet, ...body }));
    // Interest accrues meanwhile, and a share is worth a little more than a token.
    const wanted = { shares: 0, deposit: 0, debt: 0, ...change };
    for (const name of ['shares', 'deposit', 'debt'] as const) {
      expect(after[name] - before[name], `${path}: ${name}`).toBeCloseTo(
        wanted[name],
        name === 'shares' ? 0 : 1,
      );
    }
    before = after;
  }
});

import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { withdrawTicket as ticketAddress } from '@sluice/protocol/klend/addresses';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAddress, wireTransaction } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { accountIn, serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { transferSol } from '../../packages/localnet/test/support/rpc/sending-client.ts';
import { examine } from '../../src/cli/doctor/examine.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { startReadyApp, type TestApp } from '../support/apps/test-app.ts';

/** `config.reserved1` of a reserve: the three bytes after `interestRateBasis`. */
const RESERVED = 4866;
/** `padding3` of an obligation: the last bytes, after the borrow orders. */
const LAST_PADDING = 3112;

let localChain: TestChain;
let rpc: LocalnetRpc;
let gateway: TestApp;
let lines: string[];
let first: Address;
let second: Address;

function placeBytes(address: Address, offset: number, ...bytes: readonly number[]): void {
  const account = accountIn(localChain, address);
  const data = account.data.slice();
  data.set(bytes, offset);
  localChain.place(address, { ...account, data });
}

const addressesOf = ({ discriminator }: { readonly discriminator: Uint8Array }) =>
  [...localChain.programAccounts(MAINNET_PROGRAMS.klend)]
    .filter(([, { data }]) => Buffer.compare(data.subarray(0, 8), discriminator) === 0)
    .map(([address]) => address);

const samples = async () =>
  (await (await gateway.get('/metrics')).text())
    .split('\n')
    .filter((line) => line.startsWith('sluice_padding_accounts{'));

/** Waits for a View of everything as it is now. */
async function readWhole(): Promise<void> {
  localChain.advance();
  await gateway.app.chain.reach(localChain.slot, AbortSignal.timeout(60_000));
}

beforeAll(async () => {
  localChain = new TestChain();
  const [one, other] = addressesOf(reserve);
  if (one === undefined || other === undefined) throw new Error('the world has no two reserves');
  [first, second] = [one, other];
  rpc = await serveChain(localChain);
  lines = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  gateway = await startReadyApp({ rpcUrls: [rpc.url], logger, env: { DRIFT_INTERVAL_MS: '0' } });
});

afterAll(async () => {
  await gateway?.stop();
  await rpc?.close();
});

describe('padding that is not zero', () => {
  it('is not found on the localnet, and the doctor names the kinds of accounts that it looked at', async () => {
    expect(await samples()).toEqual([]);
    expect(lines).toEqual([]);
    const env = { SOLANA_RPC_URLS: rpc.url, SOLANA_CLUSTER: 'localnet' };
    const { findings } = await examine({ env, listenMs: 1, pauseMs: 1 });
    expect(findings.filter(({ check }) => check === 'padding')).toEqual([
      {
        level: 'ok',
        subject: 'view',
        check: 'padding',
        says: 'All bytes that this release takes for unused are zero. It looked at these kinds of accounts: lending market, reserve, obligation, vault, vault settings, farm, farm settings.',
      },
    ]);
  });

  it('is found when an account changes, warned of once, and counted by kind and offset', async () => {
    placeBytes(first, RESERVED, 0, 1, 0);
    await readWhole();
    expect(await samples()).toEqual([
      `sluice_padding_accounts{kind="reserve",field="config.reserved1",offset="4867"} 1`,
    ]);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        level: 'warn',
        padding: { kind: 'reserve', field: 'config.reserved1', offset: 4867, accounts: 1, example: first },
        msg: `The reserve ${first} has bytes in config.reserved1 (offset 4867) that this release takes for unused: a newer program may store something there, so compare its version with the one that this release implements.`,
      }),
    ]);
    // The first account again with other bytes, and a second one.
    placeBytes(first, RESERVED, 0, 2, 0);
    placeBytes(second, RESERVED, 1, 0, 0);
    await readWhole();
    expect(await samples()).toEqual([
      `sluice_padding_accounts{kind="reserve",field="config.reserved1",offset="4866"} 2`,
    ]);
    expect(lines).toHaveLength(1);
  });

  it('is shown by the doctor with kind, field, offset, count and an example', async () => {
    const env = { SOLANA_RPC_URLS: rpc.url, SOLANA_CLUSTER: 'localnet' };
    const { findings } = await examine({ env, listenMs: 1, pauseMs: 1 });
    const found = findings.filter(({ check }) => check === 'padding');
    expect(found).toEqual([
      {
        level: 'warning',
        subject: 'view',
        check: 'padding',
        says: expect.stringMatching(
          new RegExp(
            `^config.reserved1 of the reserve is not zero at offset 4866 in 2 accounts, such as ${second}, although this release takes it for unused`,
          ),
        ),
        figures: { offset: 4866, accounts: 2 },
      },
    ]);
  });

  it('is found in an obligation that a request reads', async () => {
    const [address] = addressesOf(obligation);
    if (address === undefined) throw new Error('the world has no obligation');
    placeBytes(address, LAST_PADDING + 9, 1);
    const { errors } = await gateway.query('query ($a: Address!) { obligation(address: $a) { address } }', {
      variables: { a: address },
    });
    expect(errors).toEqual([]);
    expect(await samples()).toContain(
      `sluice_padding_accounts{kind="obligation",field="padding3",offset="3121"} 1`,
    );
    expect(lines.at(-1)).toContain(`The obligation ${address} has bytes in padding3 (offset 3121)`);
  });

  it('is found in the settings of the vault program, which builders read', async () => {
    const { address } = vaultGlobalConfigAddress(MAINNET_PROGRAMS.kvault);
    // Where the next vault program has its `conditionalLiquidityEnabled`.
    placeBytes(address, 88, 1);
    const { vault, wallet } = localChain.addresses;
    const { errors } = await gateway.query(
      `mutation { buildVaultDeposit(input: { wallet: "${wallet}", vault: "${vault}", amount: { tokens: "1" } }) { __typename } }`,
    );
    expect(errors).toEqual([]);
    expect(await samples()).toContain(
      'sluice_padding_accounts{kind="vaultConfig",field="padding",offset="88"} 1',
    );
    expect(lines.at(-1)).toContain(`The vault settings ${address} has bytes in padding (offset 88)`);
    const { findings } = await examine({
      env: { SOLANA_RPC_URLS: rpc.url, SOLANA_CLUSTER: 'localnet' },
      listenMs: 1,
      pauseMs: 1,
    });
    expect(findings.map(({ says }) => says).join()).toContain(
      `padding of the vault settings is not zero at offset 88 in 1 account, such as ${address}`,
    );
  });

  it('is found in a withdraw ticket of a wallet', async () => {
    const { wallet, reserve: queued } = localChain.addresses;
    const { address } = ticketAddress(MAINNET_PROGRAMS.klend, queued, 77n);
    const ticket = { sequenceNumber: 77n, owner: wallet, reserve: queued, queuedCollateralAmount: 1n };
    localChain.place(address, { ...accountIn(localChain, queued), data: withdrawTicket.encode(ticket) });
    placeBytes(address, 519, 1);
    const { errors } = await gateway.query(
      `{ wallet(address: "${wallet}") { withdrawTickets { nodes { address } } } }`,
    );
    expect(errors).toEqual([]);
    expect(await samples()).toContain(
      'sluice_padding_accounts{kind="withdrawTicket",field="endPadding",offset="519"} 1',
    );
  });

  it('is found in an account that an explanation reads', async () => {
    const { wallet, reserve: fees } = localChain.addresses;
    const address = testAddress(901);
    localChain.place(address, { ...accountIn(localChain, fees), data: referrerTokenState.encode({}) });
    placeBytes(address, 359, 1);
    const wire = wireTransaction({ feePayer: wallet, instructions: [transferSol(wallet, address, 1n)] });
    const { errors } = await gateway.query(
      'query ($t: Base64!) { explainTransaction(transaction: $t) { __typename } }',
      { variables: { t: Buffer.from(wire).toString('base64') } },
    );
    expect(errors).toEqual([]);
    expect(await samples()).toContain(
      'sluice_padding_accounts{kind="referrerTokenState",field="padding",offset="359"} 1',
    );
  });

  it('is found in obligations that the recorder and the drift comparison read', async () => {
    const [one, other] = addressesOf(obligation).slice(-2);
    if (one === undefined || other === undefined) throw new Error('the world has no obligations');
    const found = () => gateway.app.chain.padding.uses().filter(({ kind }) => kind === 'obligation');
    // `deposits[0].padding`, which the recorder's slice contains.
    placeBytes(one, 96 + 64, 1);
    await gateway.app.chain.scanObligations(AbortSignal.timeout(60_000));
    expect(found()).toContainEqual({
      kind: 'obligation',
      field: 'deposits[].padding',
      offset: 160,
      accounts: 1,
      example: one,
    });
    // Refreshed just now.
    const stamp = Buffer.alloc(9);
    stamp.writeBigUInt64LE(localChain.slot);
    placeBytes(other, 16, ...stamp);
    placeBytes(other, 2325, 1);
    await gateway.app.chain.refreshedObligations(10, AbortSignal.timeout(60_000));
    expect(found()).toContainEqual({
      kind: 'obligation',
      field: 'reserved',
      offset: 2325,
      accounts: 1,
      example: other,
    });
  });
});

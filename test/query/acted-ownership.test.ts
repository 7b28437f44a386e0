import { lendingAdminKey } from '@sluice/localnet/world/runtime-accounts';
import { lendingGlobalConfigAddress } from '@sluice/protocol/klend/addresses';
import { approveObligationOwnershipTransfer } from '@sluice/protocol/klend/obligation-instructions';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import {
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createKeyPairSignerFromBytes,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { isBuilt, PlanActor } from '../support/apps/plan-actor.ts';
import { Explainer, sentences } from '../support/explain/explainer.ts';

/** The transfer of an obligation on the frozen localnet, from its offer to the acts of its new owner. */

const { klend } = MAINNET_PROGRAMS;
const USDC = 1_000_000n;
const TRANSFER = 'newOwner state canAbort remainingSteps';

interface Transfer {
  readonly newOwner: Address;
  readonly state: string;
  readonly canAbort: boolean;
  readonly remainingSteps: readonly string[];
}

interface Plan {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly { readonly base64: string; readonly splitReason: string | null }[];
  readonly preview: {
    readonly ownership: {
      readonly obligation: Address;
      readonly ownerBefore: Address;
      readonly ownerAfter: Address;
      readonly before: Transfer | null;
      readonly after: Transfer | null;
    };
    readonly warnings: readonly { readonly code: string }[];
  };
  readonly simulation: { readonly success: boolean };
}

let world: ActingApp;
let owner: PlanActor;
let heir: PlanActor;
let admin: KeyPairSigner;
let market: Address;
let obligation: Address;

beforeAll(async () => {
  world = await startActingApp();
  const { addresses, chain } = world.localnet;
  ({ market } = addresses);
  owner = new PlanActor(world, await world.newWallet({ [addresses.tokenMint]: 20_000n * USDC }));
  heir = new PlanActor(world, await world.newWallet({ [addresses.tokenMint]: 1_000n * USDC }));
  admin = await createKeyPairSignerFromBytes(lendingAdminKey(chain.world.seed).secretKey);
  await owner.act(
    owner.lending('Deposit', addresses.reserve, '10000'),
    owner.lending('Borrow', addresses.depositReserve, '2'),
  );
  obligation = (await obligationsOf(owner))[0] ?? expect.fail('no obligation');
});
afterAll(() => world?.stop());

async function obligationsOf(actor: PlanActor): Promise<Address[]> {
  const { data } = await world.gateway.query<{
    wallet: { obligations: { nodes: readonly { address: Address }[] } };
  }>(`{ wallet(address: "${actor.address}") { obligations(first: 5) { nodes { address } } } }`, {
    headers: owner.headers,
  });
  return data.wallet.obligations.nodes.map(({ address }) => address);
}

async function build(name: string, inputType: string, input: object): Promise<Plan> {
  const { data, errors } = await world.gateway.query<{ plan: Plan }>(
    `mutation ($input: ${inputType}!) { plan: ${name}(input: $input) {
      __typename
      ... on BuildError { code message }
      ... on TransactionPlan {
        transactions { base64 splitReason }
        preview {
          ownership { obligation ownerBefore ownerAfter before { ${TRANSFER} } after { ${TRANSFER} } }
          warnings { code }
        }
        simulation { success }
      }
    } }`,
    { variables: { input }, headers: owner.headers },
  );
  expect(errors).toEqual([]);
  return data.plan;
}

const initiate = (input: object = {}) =>
  build('buildInitiateObligationTransfer', 'InitiateObligationTransferInput', {
    wallet: owner.address,
    market,
    newOwner: heir.address,
    ...input,
  });
const abort = () =>
  build('buildAbortObligationTransfer', 'AbortObligationTransferInput', { wallet: owner.address, market });
const accept = (wallet = heir.address) =>
  build('buildAcceptObligation', 'AcceptObligationInput', { wallet, obligation });

async function send(plan: Plan, { signer }: PlanActor): Promise<Plan> {
  expect(plan).toMatchObject({ __typename: 'TransactionPlan', simulation: { success: true } });
  expect(plan.transactions).toHaveLength(1);
  ({ headers: owner.headers } = await world.send('RPC', plan.transactions[0]?.base64 ?? '', signer));
  heir.headers = owner.headers;
  return plan;
}

/** The approval, which only the admin signs and no builder makes. */
async function approval(): Promise<string> {
  const { value } = await world.rpc.getLatestBlockhash().send();
  const instruction = approveObligationOwnershipTransfer.encode(
    klend,
    {
      globalAdmin: admin.address,
      globalConfig: lendingGlobalConfigAddress(klend).address,
      obligation,
      pendingOwner: heir.address,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
    {},
  );
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(heir.address, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(value, message),
    (message) => appendTransactionMessageInstructions([instruction], message),
    (message) => getBase64EncodedWireTransaction(compileTransaction(message)),
  );
}

async function transfer(): Promise<Transfer | null> {
  const { data } = await world.gateway.query<{
    obligation: { owner: { address: Address }; ownershipTransfer: Transfer | null };
  }>(`{ obligation(address: "${obligation}") { owner { address } ownershipTransfer { ${TRANSFER} } } }`, {
    headers: owner.headers,
  });
  return data.obligation.ownershipTransfer;
}

const refused = (reason: RegExp) => ({
  __typename: 'BuildRefused',
  code: 'BUILD_REFUSED',
  message: expect.stringMatching(reason),
});

describe('the transfer of an obligation', () => {
  it('starts with an offer, which the graph and REST show', async () => {
    expect(await transfer()).toBeNull();
    expect(await abort()).toMatchObject(refused(/6177 ObligationOwnershipTransferNotInInitiatedState/));
    const { preview } = await send(await initiate(), owner);
    const { address: from } = owner;
    expect(preview.ownership).toMatchObject({
      obligation,
      ownerBefore: from,
      ownerAfter: from,
      before: null,
    });
    const pending = await transfer();
    expect(pending).toEqual({
      newOwner: heir.address,
      state: 'INITIATED',
      canAbort: true,
      remainingSteps: [
        'The admin of the lending program approves the transfer. Until then the owner can abort it.',
        `The new owner ${heir.address} accepts the obligation.`,
      ],
    });
    expect(preview.ownership.after).toEqual(pending);
    const answer = await world.get<
      Record<string, readonly { obligation: Address; ownershipTransfer?: unknown }[]>
    >(`/portfolio/${from}`, owner.headers);
    expect(answer.lending?.find((each) => each.obligation === obligation)?.ownershipTransfer).toEqual(
      pending,
    );
    expect(await initiate()).toMatchObject(refused(/6176 ObligationOwnershipTransferInProgress/));
    expect(await accept()).toMatchObject(refused(/6180 ObligationOwnershipTransferNotApproved/));
    expect(await accept(owner.address)).toMatchObject(refused(/6179 ObligationInvalidPendingOwner/));
  });

  it('can be aborted by the owner, and is explained', async () => {
    const plan = await abort();
    const explained = await new Explainer(world, owner.signer).explain(plan.transactions[0]?.base64 ?? '');
    expect(sentences(explained)).toContain('Withdraw the offer of ownership of the obligation');
    expect(explained.unknown).toEqual({ programs: [], writableAccounts: [] });
    await send(plan, owner);
    expect(await transfer()).toBeNull();
    const again = await initiate();
    const offer = await new Explainer(world, owner.signer).explain(again.transactions[0]?.base64 ?? '');
    expect(sentences(offer)).toEqual([expect.stringMatching(/^Offer the ownership of the obligation to /)]);
    await send(again, owner);
  });

  it('is approved by the admin, which ends the right to abort', async () => {
    const wire = await approval();
    const explained = await new Explainer(world, admin).explain(wire);
    expect(sentences(explained).join(' ')).toContain('Approve the transfer of the obligation');
    ({ headers: owner.headers } = await world.send('RPC', wire, admin, heir.signer));
    heir.headers = owner.headers;
    expect(await transfer()).toMatchObject({ state: 'APPROVED', canAbort: false });
    expect(await abort()).toMatchObject(refused(/6177/));
    expect(await initiate()).toMatchObject(refused(/6176/));
  });

  it('ends with the acceptance, and the new owner acts on the obligation by its address', async () => {
    const { reserve } = world.localnet.addresses;
    const { preview } = await send(await accept(), heir);
    expect(preview.ownership).toMatchObject({ ownerAfter: heir.address, after: null });
    expect(preview.warnings.map(({ code }) => code)).toContain('OBLIGATION_MAY_CHANGE');
    expect(await transfer()).toBeNull();
    expect(await obligationsOf(heir)).toEqual([obligation]);
    expect(await obligationsOf(owner)).toEqual([]);
    const deposit = {
      lendingDeposit: {
        wallet: heir.address,
        market,
        reserve,
        amount: { tokens: '100' },
        obligation: { address: obligation },
      },
    };
    const plan = await heir.act(deposit);
    expect(plan.preview.tokens?.after).not.toBe(plan.preview.tokens?.before);
    const back = { ...deposit.lendingDeposit, wallet: owner.address };
    expect(await owner.refused([{ lendingDeposit: back }])).toMatchObject({
      code: 'BUILD_REFUSED',
      message: expect.stringContaining('belongs to another wallet'),
    });
  });
});

describe('a step of the transfer in a plan', () => {
  const step = () => ({
    initiateObligationTransfer: {
      wallet: heir.address,
      market,
      newOwner: owner.address,
      obligation: { address: obligation },
    },
  });

  it('has a transaction to itself', async () => {
    const deposit = heir.lending('Deposit', world.localnet.addresses.reserve, '5');
    const other = heir.lending('Deposit', world.localnet.addresses.reserve, '7');
    const plan = await heir.build([deposit, step(), other]);
    if (!isBuilt(plan)) return expect.fail(plan.message);
    expect(plan.transactions.map(({ steps }) => steps)).toEqual([[0], [1], [2]]);
    const reasons = await world.gateway.query<{ plan: { transactions: { splitReason: string | null }[] } }>(
      `mutation ($actions: [BuildAction!]!) { plan: buildPlan(actions: $actions) {
        ... on TransactionPlan { transactions { splitReason } } } }`,
      { variables: { actions: [deposit, step()] }, headers: heir.headers },
    );
    expect(reasons.data.plan.transactions).toEqual([{ splitReason: null }, { splitReason: 'ALONE' }]);
    const sent = await heir.act(heir.lending('Deposit', world.localnet.addresses.reserve, '6'), step());
    expect(sent.landed).toHaveLength(2);
    expect(await transfer()).toMatchObject({ newOwner: owner.address, state: 'INITIATED' });
  });

  it.each([
    ['MEMO_INVALID', () => ({ memo: 'with love' })],
    ['TIP_INVALID', () => ({ tip: { account: owner.address, lamports: '5000' } })],
  ])('is refused with an option that would stand beside it: %s', async (code, options) => {
    const wallet = { ...step().initiateObligationTransfer, obligation: { address: obligation } };
    const plan = await heir.refused(
      [{ abortObligationTransfer: { wallet: wallet.wallet, market, obligation: wallet.obligation } }],
      options(),
    );
    expect(plan).toMatchObject({ code, message: expect.stringContaining('6182') });
  });
});

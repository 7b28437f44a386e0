import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { assign, createAccount } from '@sluice/protocol/system/account-instructions';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { approve, setAuthority } from '@sluice/protocol/token/account-instructions';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { closeAccount, transfer } from '@sluice/protocol/token/instructions';
import { burn } from '@sluice/protocol/token/supply-instructions';
import { AccountRole, type Address, address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { legacyTransaction } from '../support/explain/built-transaction.ts';
import { Explainer } from '../support/explain/explainer.ts';
import { LeverageDesk } from '../support/leverage/leverage-desk.ts';
import { given, swapWith } from '../support/leverage/maker-swap.ts';

/** Swaps that take something from the wallet which signs them. */

const STRANGER = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const ROUTER = address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
const PAIR = { collateral: 'mSOL', debt: 'USDC' } as const;
const [PAID, RECEIVED] = [149_000_000n, 640_000_000n];

let world: ActingApp;
let desk: LeverageDesk;
beforeAll(async () => {
  world = await startActingApp();
  const own = [
    ['mSOL', 5_000_000_000n],
    ['USDC', 1_000_000_000n],
    ['USDT', 1_000_000_000n],
  ] as const;
  desk = await LeverageDesk.open(world, own, ['mSOL', 'USDC', 'USDT']);
});
afterAll(() => world?.stop());

const accountOf = (owner: Address, symbol: string) =>
  associatedTokenAddress(owner, TOKEN_PROGRAM, desk.of(symbol).mint).address;
const own = (symbol: string) => accountOf(desk.wallet.address, symbol);
const moved = (symbol: string, to: Address, amount: bigint) =>
  transfer.encode(
    TOKEN_PROGRAM,
    { source: own(symbol), destination: accountOf(to, symbol), owner: desk.wallet.address },
    { amount },
  );

/** The maker's swap, or other instructions in its place. */
const maker = (paid = PAID, received = RECEIVED): readonly EncodedInstruction[] =>
  swapWith(
    desk.maker.address,
    desk.wallet.address,
    { mint: desk.of('USDC').mint, amount: paid },
    { mint: desk.of('mSOL').mint, amount: received },
  );

const inputOf = (instructions: readonly EncodedInstruction[], strict: boolean) => ({
  deposit: { tokens: '1' },
  borrow: { tokens: '150' },
  swap: {
    instructions: given(instructions),
    inAmount: String(PAID),
    minOut: String(RECEIVED),
    signers: [desk.maker.address],
  },
  options: { ...desk.options, strict },
});

const build = (instructions: readonly EncodedInstruction[], strict = false) =>
  desk.build('Multiply', PAIR, inputOf(instructions, strict));

/** Warnings about the swap of levels above INFO. */
async function warned(instructions: readonly EncodedInstruction[]) {
  const plan = await build(instructions);
  expect(plan.code, plan.message).toBeUndefined();
  return plan.preview.warnings
    .filter(({ message }) => message.includes('of the swap'))
    .map(({ level, code, message }) => [level, code, Number(/^Instruction (\d+)/.exec(message)?.[1])]);
}

type Theft = readonly [string, string, () => EncodedInstruction];

const wallet = () => desk.wallet.address;
const THEFTS: readonly Theft[] = [
  [
    'hands the wallet to a program',
    'AUTHORITY_CHANGED',
    () => assign.encode(SYSTEM_PROGRAM, { account: wallet() }, { owner: STRANGER }),
  ],
  [
    'transfers SOL to a stranger',
    'SOL_TO_OTHER',
    () =>
      transferLamports.encode(
        SYSTEM_PROGRAM,
        { source: wallet(), destination: STRANGER },
        { lamports: 1_000_000_000n },
      ),
  ],
  [
    'transfers SOL to a new account of the maker',
    'SOL_TO_OTHER',
    () =>
      createAccount.encode(
        SYSTEM_PROGRAM,
        { payer: wallet(), newAccount: desk.maker.address },
        { lamports: 1_000_000_000n, space: 0n, owner: SYSTEM_PROGRAM },
      ),
  ],
  ['transfers another token to a stranger', 'TOKENS_TO_OTHER', () => moved('USDT', STRANGER, 1n)],
  ['transfers another token to the maker', 'TOKENS_TO_OTHER', () => moved('USDT', desk.maker.address, 1n)],
  ['transfers the bought token back', 'TOKENS_TO_OTHER', () => moved('mSOL', desk.maker.address, 1n)],
  ['pays more than the swap may spend', 'TOKENS_TO_OTHER', () => moved('USDC', STRANGER, 1n)],
  [
    'lets a stranger spend another token',
    'SPENDING_ALLOWED',
    () =>
      approve.encode(
        TOKEN_PROGRAM,
        { source: own('USDT'), delegate: STRANGER, owner: wallet() },
        { amount: 1n },
      ),
  ],
  [
    'gives away another token account',
    'AUTHORITY_CHANGED',
    () =>
      setAuthority.encode(
        TOKEN_PROGRAM,
        { account: own('USDT'), authority: wallet() },
        { authorityType: 2, newAuthorityTag: 1, newAuthority: STRANGER },
      ),
  ],
  [
    'closes another token account to a stranger',
    'ACCOUNT_CLOSED_TO_OTHER',
    () =>
      closeAccount.encode(
        TOKEN_PROGRAM,
        { account: own('USDT'), destination: STRANGER, owner: wallet() },
        {},
      ),
  ],
  [
    'destroys another token',
    'TOKENS_BURNED',
    () =>
      burn.encode(
        TOKEN_PROGRAM,
        { account: own('USDT'), mint: desk.of('USDT').mint, authority: wallet() },
        { amount: 1n },
      ),
  ],
  [
    'batches token instructions, with accounts that it calls read-only',
    'UNKNOWN_INSTRUCTION_WRITES',
    () => ({
      programAddress: TOKEN_PROGRAM,
      accounts: [
        { address: own('USDT'), role: AccountRole.READONLY },
        { address: wallet(), role: AccountRole.READONLY },
      ],
      data: Uint8Array.of(0xff, 2, 1, 0),
    }),
  ],
];

describe('an instruction beside the swap that', () => {
  it.each(THEFTS)('%s is an error, and refused when strict', async (_, code, theft) => {
    const instructions = [...maker(), theft()];
    // One that pays too much makes the payment of the maker too much as well.
    const all = await warned(instructions);
    expect(all).toContainEqual(['ERROR', code, 2]);
    expect(all.every(([level]) => level === 'ERROR')).toBe(true);
    const refused = await build(instructions, true);
    expect(refused).toMatchObject({ __typename: 'BuildRefused', code: 'BUILD_REFUSED' });
    expect(refused.message).toContain(`${code}: Instruction 2 of the swap: `);
  });

  it.each(THEFTS)('%s has the same code in an explanation', async (_, code, theft) => {
    const explainer = new Explainer(world, desk.wallet);
    const lifetime = { blockhash: STRANGER, lastValidBlockHeight: 1n };
    const explained = await explainer.explain(legacyTransaction(wallet(), lifetime, [theft()]));
    expect(explained.warnings.map((each) => each.code)).toContain(code);
  });
});

describe('a swap', () => {
  it('that is only a transfer to a stranger is an error, although the tokens are those that it sells', async () => {
    const instructions = [moved('USDC', STRANGER, PAID)];
    expect(await warned(instructions)).toEqual([['ERROR', 'TOKENS_TO_OTHER', 0]]);
    const refused = await build(instructions, true);
    expect(refused.message).toContain('pays 0 mSOL by transfers; its minOut is 0.64 mSOL');
  });

  it('with a maker who pays less than the minimum is an error', async () => {
    expect(await warned(maker(PAID, RECEIVED - 1n))).toEqual([['ERROR', 'TOKENS_TO_OTHER', 0]]);
  });

  it('with a maker who pays the minimum has no warning, and is built when strict', async () => {
    expect(await warned(maker())).toEqual([]);
    expect(await build(maker(), true)).toMatchObject({ __typename: 'TransactionPlan' });
  });

  it('may pay a fee to somebody else out of what it spends', async () => {
    const instructions = [...maker(PAID - 1_000n), moved('USDC', STRANGER, 1_000n)];
    expect(await warned(instructions)).toEqual([]);
  });

  it('by a program that is not known is a warning, and not refused', async () => {
    const route = {
      programAddress: ROUTER,
      accounts: [
        { address: wallet(), role: AccountRole.READONLY_SIGNER },
        { address: own('USDC'), role: AccountRole.WRITABLE },
        { address: own('mSOL'), role: AccountRole.WRITABLE },
      ],
      data: Uint8Array.of(1),
    };
    expect(await warned([route])).toEqual([['WARNING', 'UNKNOWN_PROGRAM_WRITES', 0]]);
    expect(await build([route], true)).toMatchObject({ __typename: 'TransactionPlan' });
  });
});

const PLAN = `mutation ($actions: [BuildAction!]!, $options: BuildOptions) {
  plan: buildPlan(actions: $actions, options: $options) {
    __typename
    ... on BuildError { code message step }
    ... on TransactionPlan { preview { warnings { level code } } }
  } }`;

it('a plan refuses a theft unless it is built without checks', async () => {
  const [, , theft] = THEFTS[0] ?? expect.fail('no theft');
  const { options, ...input } = inputOf([...maker(), theft()], false);
  const plan = async (strict?: boolean) => {
    const actions = [{ multiply: { ...desk.target(PAIR), ...input } }];
    const variables = { actions, options: { ...desk.options, ...(strict === undefined ? {} : { strict }) } };
    const { data, errors } = await world.gateway.query<{ plan: object }>(PLAN, { variables });
    expect(errors).toEqual([]);
    return data.plan;
  };
  expect(await plan()).toMatchObject({ code: 'BUILD_REFUSED', step: 0 });
  expect(await plan(options.strict)).toMatchObject({
    preview: { warnings: expect.arrayContaining([{ level: 'ERROR', code: 'AUTHORITY_CHANGED' }]) },
  });
});

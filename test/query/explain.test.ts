import {
  type AccountMeta,
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeTransaction, signWithKey } from '../../docs/signing/with-kit.ts';
import { RECENT_BLOCKHASHES_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/program-ids.ts';
import { associatedTokenAddress } from '../../src/programs/token/addresses.ts';
import { type ActingApp, signerOf, startActingApp } from '../support/apps/acting-app.ts';

const USDC = 1_000_000n;
const STRANGER = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const UNKNOWN_PROGRAM = address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');

interface Explained {
  readonly __typename: string;
  readonly code?: string;
  readonly feePayer: Address;
  readonly sizeBytes: number;
  readonly version: string;
  readonly signers: readonly { readonly address: Address; readonly hasSigned: boolean }[];
  readonly lifetime: { readonly kind: string; readonly value: string; readonly nonceAccount: Address | null };
  readonly computeUnitLimit: number | null;
  readonly computeUnitPrice: string | null;
  readonly networkFeeLamports: string | null;
  readonly instructions: readonly {
    readonly programAddress: Address;
    readonly isKnown: boolean;
    readonly name: string | null;
    readonly summary: string;
    readonly accounts: readonly {
      readonly address: Address;
      readonly role: string | null;
      readonly name: string | null;
      readonly lookupTable: Address | null;
    }[];
    readonly arguments: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly unknown: { readonly programs: readonly Address[]; readonly writableAccounts: readonly Address[] };
  readonly warnings: readonly {
    readonly code: string;
    readonly message: string;
    readonly instructionIndex: number | null;
  }[];
  readonly simulation?: {
    readonly success: boolean;
    readonly error: { readonly name: string | null } | null;
    readonly balanceChanges: readonly { readonly change: { readonly baseUnits: string } }[];
  };
}

const FIELDS = `__typename
  ... on InvalidTransaction { code message }
  ... on TransactionExplanation {
    version sizeBytes feePayer signers { address hasSigned } lifetime { kind value nonceAccount }
    computeUnitLimit computeUnitPrice networkFeeLamports
    instructions {
      programAddress programName isKnown name summary arguments { name value }
      accounts { address role name isSigner isWritable lookupTable }
    }
    unknown { programs writableAccounts }
    warnings { code message instructionIndex }
  }`;
const SIMULATION =
  '... on TransactionExplanation { simulation { success logs error { name } balanceChanges { change { baseUnits } } } }';

let world: ActingApp;
let signer: KeyPairSigner;
let usdc: Address;
let headers: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  world = await startActingApp();
  const { tokenMint } = world.chain.addresses;
  signer = await world.newWallet({ [tokenMint]: 10_000n * USDC });
  usdc = associatedTokenAddress(signer.address, TOKEN_PROGRAM, tokenMint).address;
});
afterAll(() => world?.stop());

async function explain(transaction: string, extra = '', wallet?: Address): Promise<Explained> {
  const query = `query ($transaction: Base64!, $wallet: Address) {
    explained: explainTransaction(transaction: $transaction, wallet: $wallet) { ${FIELDS} ${extra} } }`;
  const { data, errors } = await world.gateway.query<{ explained: Explained }>(query, {
    variables: { transaction, wallet },
    headers,
  });
  expect(errors).toEqual([]);
  return data.explained;
}

async function buildAll(mutation: string, type: string, input: object): Promise<string[]> {
  const query = `mutation ($input: ${type}!) { plan: ${mutation}(input: $input) {
    ... on BuildError { code message } ... on TransactionPlan { transactions { base64 } } } }`;
  const { data, errors } = await world.gateway.query<{
    plan: { message?: string; transactions?: readonly { base64: string }[] };
  }>(query, { variables: { input: { wallet: signer.address, ...input } }, headers });
  expect(errors).toEqual([]);
  const transactions = data.plan.transactions ?? expect.fail(data.plan.message);
  return transactions.map(({ base64 }) => base64);
}

async function build(mutation: string, type: string, input: object): Promise<string> {
  const [first, ...rest] = await buildAll(mutation, type, input);
  expect(rest).toEqual([]);
  return first ?? expect.fail('no transaction');
}

/** Every account is named, nothing is unknown and nothing is suspicious. */
function expectWholly({ instructions, unknown, warnings }: Explained): void {
  const unnamed = instructions.flatMap(({ name, accounts }) =>
    accounts.filter((each) => each.name === null || each.role === null).map((each) => [name, each]),
  );
  expect(unnamed).toEqual([]);
  expect(instructions.filter(({ isKnown, name }) => !isKnown || name === null)).toEqual([]);
  expect(unknown).toEqual({ programs: [], writableAccounts: [] });
  expect(warnings).toEqual([]);
}

/** The transaction with another address in the place of one. */
function replaced(base64: string, from: Address, to: Address): string {
  const hex = (at: Address) => Buffer.from(getAddressEncoder().encode(at)).toString('hex');
  const wire = Buffer.from(base64, 'base64').toString('hex');
  return Buffer.from(wire.replaceAll(hex(from), hex(to)), 'hex').toString('base64');
}

const sentences = ({ instructions }: Explained) => instructions.map(({ summary }) => summary);

describe('transactions of the builders', () => {
  const lending = (reserve: Address, tokens: string | null) => ({
    market: world.chain.addresses.market,
    reserve,
    amount: tokens === null ? { all: 'ALL' } : { tokens },
  });
  async function explainAndSend(base64: string, sentence: string | RegExp): Promise<Explained> {
    const explained = await explain(base64);
    expectWholly(explained);
    expect(sentences(explained)).toContainEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
    ({ headers } = await world.send('RPC', base64, signer));
    return explained;
  }

  it('are explained without a gap', async () => {
    const { vault, reserve, depositReserve } = world.chain.addresses;
    await explainAndSend(
      await build('buildVaultDeposit', 'VaultDepositInput', { vault, amount: { tokens: '12.5' } }),
      /^Deposit up to 12\.5 USDC into /,
    );
    await explainAndSend(
      await build('buildUnstakeShares', 'ShareStakingInput', { vault, amount: { shares: '2.25' } }),
      /^Unstake 2\.25 \S+ from farm of /,
    );
    await explainAndSend(
      await build('buildStakeShares', 'ShareStakingInput', { vault, amount: { shares: '1.5' } }),
      /^Stake 1\.5 \S+ in farm of /,
    );
    await explainAndSend(
      await build('buildVaultWithdraw', 'VaultWithdrawInput', { vault, amount: { shares: '1' } }),
      /^Withdraw 1 \S+ from /,
    );
    const deposit = await explainAndSend(
      await build('buildLendingDeposit', 'LendingActionInput', lending(reserve, '500.25')),
      'Deposit 500.25 USDC as collateral',
    );
    const action = deposit.instructions.find(({ summary }) => summary.startsWith('Deposit 500.25'));
    const names = new Map(action?.accounts.map(({ role, name }) => [role, name]));
    expect(names.get('owner')).toBe('your wallet');
    expect(names.get('obligation')).toBe('your obligation');
    expect(names.get('reserve')).toBe('USDC reserve');
    expect(names.get('reserveLiquidityMint')).toBe('USDC');
    expect(names.get('userSourceLiquidity')).toBe('your USDC account');
    expect(names.get('placeholderUserDestinationCollateral')).toBe('not given');
    expect(action?.arguments).toEqual([{ name: 'liquidityAmount', value: '500250000' }]);
    await explainAndSend(
      await build('buildLendingBorrow', 'LendingActionInput', lending(depositReserve, '0.5')),
      'Borrow 0.5 SOL',
    );
    await explainAndSend(
      await build('buildLendingRepay', 'LendingActionInput', lending(depositReserve, null)),
      'Repay all debt of SOL',
    );
    await explainAndSend(
      await build('buildLendingWithdraw', 'LendingActionInput', lending(reserve, null)),
      'Withdraw all of the deposit in the USDC reserve',
    );
  });

  it('that claim rewards or ask for an elevation group are explained without a gap', async () => {
    const { address: wallet } = await signerOf([...world.chain.secretKey]);
    const claims = await buildAll('buildClaimRewards', 'ClaimRewardsInput', { wallet });
    expect(claims).not.toEqual([]);
    for (const transaction of claims) {
      const claim = await explain(transaction);
      expectWholly(claim);
      expect(sentences(claim)).toContainEqual(expect.stringMatching(/^Claim the \S+ rewards of /));
    }
    const { market, reserve } = world.chain.addresses;
    const deposit = await build('buildLendingDeposit', 'LendingActionInput', lending(reserve, '3'));
    ({ headers } = await world.send('RPC', deposit, signer));
    const request = { market, group: 1 };
    const group = await explain(
      await build('buildRequestElevationGroup', 'RequestElevationGroupInput', request),
    );
    expectWholly(group);
    expect(sentences(group)).toContain('Move the obligation to elevation group 1');
  });

  it('that another signer pays address the wallet that is named', async () => {
    const sponsor = await world.newWallet({});
    const base64 = await build('buildLendingDeposit', 'LendingActionInput', {
      ...lending(world.chain.addresses.reserve, '1'),
      options: { feePayer: sponsor.address, memo: 'order 7', tip: { account: STRANGER, lamports: '5000' } },
    });
    const explained = await explain(base64, '', signer.address);
    expect(explained.feePayer).toBe(sponsor.address);
    expect(explained.signers.map((each) => each.address)).toEqual([sponsor.address, signer.address]);
    expect(sentences(explained)).toEqual(
      expect.arrayContaining(['Log the memo "order 7"', 'Transfer 0.000005 SOL to 9WzD…AWWM']),
    );
    const named = explained.instructions.flatMap(({ accounts }) => accounts);
    const nameOf = (at: Address) => named.find((each) => each.address === at)?.name;
    expect([nameOf(signer.address), nameOf(usdc)]).toEqual(['your wallet', 'your USDC account']);
    expect(explained.warnings.map(({ code }) => code)).toEqual(['SOL_TO_OTHER']);
    expect(explained.unknown).toEqual({ programs: [], writableAccounts: [STRANGER] });
  });

  it('have their fee, size, lifetime and signatures', async () => {
    const input = {
      ...lending(world.chain.addresses.reserve, '1'),
      options: { computeUnitLimit: 400_001, priorityFeeMicroLamports: '1000' },
    };
    const base64 = await build('buildLendingDeposit', 'LendingActionInput', input);
    const explained = await explain(base64, SIMULATION);
    expect(explained).toMatchObject({
      version: '0',
      feePayer: signer.address,
      signers: [{ address: signer.address, hasSigned: false }],
      lifetime: { kind: 'BLOCKHASH', nonceAccount: null },
      sizeBytes: Buffer.from(base64, 'base64').length,
      computeUnitLimit: 400_001,
      computeUnitPrice: '1000',
      // 5000, and 400.001 lamports rounded up.
      networkFeeLamports: '5401',
      simulation: { success: true, error: null },
    });
    // The reserve takes the value of a whole number of collateral units, which can be a unit less than offered.
    const paid = explained.simulation?.balanceChanges.map(({ change }) => change.baseUnits) ?? [];
    expect(paid.some((units) => ['-1000000', '-999999'].includes(units))).toBe(true);
    const signed = await signWithKey(decodeTransaction(base64), signer);
    expect((await explain(signed)).signers).toEqual([{ address: signer.address, hasSigned: true }]);
    const forged = Buffer.from(signed, 'base64');
    forged[10] = (forged[10] ?? 0) ^ 1;
    expect((await explain(forged.toString('base64'))).signers[0]?.hasSigned).toBe(false);
  });
});

describe('transactions of others', () => {
  const transactionOf = (...instructions: readonly Instruction[]) =>
    getBase64EncodedWireTransaction(
      pipe(
        createTransactionMessage({ version: 'legacy' }),
        (message) => setTransactionMessageFeePayer(signer.address, message),
        (message) =>
          setTransactionMessageLifetimeUsingBlockhash(
            { blockhash: STRANGER as string as never, lastValidBlockHeight: 1n },
            message,
          ),
        (message) => appendTransactionMessageInstructions(instructions, message),
        compileTransaction,
      ),
    );
  const instruction = (
    programAddress: Address,
    data: string,
    accounts: readonly AccountMeta[],
  ): Instruction => ({
    programAddress,
    accounts,
    data: Uint8Array.from(Buffer.from(data, 'hex')),
  });
  const writable = (at: Address): AccountMeta => ({ address: at, role: AccountRole.WRITABLE });
  const owner = (): AccountMeta => ({ address: signer.address, role: AccountRole.WRITABLE_SIGNER });
  const readonly = (at: Address): AccountMeta => ({ address: at, role: AccountRole.READONLY });
  const codes = ({ warnings }: Explained) => warnings.map(({ code }) => code);
  const key = Buffer.from(new Uint8Array(32).fill(7)).toString('hex');

  it('warn of tokens and SOL that go to somebody else', async () => {
    const other = await world.newWallet({ [world.chain.addresses.tokenMint]: 1n });
    const theirs = associatedTokenAddress(
      other.address,
      TOKEN_PROGRAM,
      world.chain.addresses.tokenMint,
    ).address;
    const explained = await explain(
      transactionOf(
        instruction(TOKEN_PROGRAM, '0360e3160000000000', [writable(usdc), writable(theirs), owner()]),
        instruction(SYSTEM_PROGRAM, '0200000000ca9a3b00000000', [owner(), writable(STRANGER)]),
      ),
    );
    expect(explained).toMatchObject({
      version: 'legacy',
      networkFeeLamports: '5000',
      computeUnitLimit: null,
    });
    expect(sentences(explained)[0]).toMatch(/^Transfer 1\.5 USDC to USDC account of /);
    expect(sentences(explained)[1]).toBe('Transfer 1 SOL to 9WzD…AWWM');
    expect(codes(explained)).toEqual(['TOKENS_TO_OTHER', 'SOL_TO_OTHER']);
    expect(explained.unknown).toEqual({ programs: [], writableAccounts: [theirs, STRANGER] });
  });

  it('warn of approvals, new authorities and closed accounts', async () => {
    const explained = await explain(
      transactionOf(
        instruction(TOKEN_PROGRAM, '04ffffffffffffffff', [writable(usdc), readonly(STRANGER), owner()]),
        instruction(TOKEN_PROGRAM, `060201${key}`, [writable(usdc), owner()]),
        instruction(TOKEN_PROGRAM, '060300', [writable(usdc), owner()]),
        instruction(TOKEN_PROGRAM, '09', [writable(usdc), writable(STRANGER), owner()]),
        instruction(TOKEN_PROGRAM, '09', [writable(usdc), owner(), owner()]),
      ),
    );
    expect(explained.warnings.map(({ code, instructionIndex }) => [code, instructionIndex])).toEqual([
      ['SPENDING_ALLOWED', 0],
      ['AUTHORITY_CHANGED', 1],
      ['AUTHORITY_CHANGED', 2],
      ['ACCOUNT_CLOSED_TO_OTHER', 3],
    ]);
    expect(sentences(explained)).toEqual([
      'Allow 9WzD…AWWM to spend all USDC of your USDC account',
      expect.stringMatching(/^Give the ownership of your USDC account to /),
      'Remove an authority of your USDC account',
      'Close your USDC account and send its SOL to 9WzD…AWWM',
      'Close your USDC account and send its SOL to your wallet',
    ]);
  });

  it('warn of unknown programs and instructions that may change accounts of the wallet', async () => {
    const explained = await explain(
      transactionOf(
        instruction(UNKNOWN_PROGRAM, '01', [writable(usdc), readonly(STRANGER)]),
        instruction(UNKNOWN_PROGRAM, '01', [readonly(usdc)]),
        instruction(TOKEN_PROGRAM, 'fe', [writable(usdc)]),
      ),
      SIMULATION,
    );
    expect(codes(explained)).toEqual([
      'UNKNOWN_PROGRAM_WRITES',
      'UNKNOWN_PROGRAM_WRITES',
      'UNKNOWN_INSTRUCTION_WRITES',
    ]);
    expect(sentences(explained)).toEqual([
      'Calls an unknown program',
      'Calls an unknown program',
      'Calls an unknown instruction of the Token program',
    ]);
    expect(explained.instructions[0]).toMatchObject({ isKnown: false, name: null, arguments: [] });
    expect(explained.unknown.programs).toEqual([UNKNOWN_PROGRAM]);
    expect(explained.simulation).toMatchObject({ success: false, balanceChanges: [] });
  });

  it('warn of an action that pays to somebody else', async () => {
    const { market, reserve, tokenMint } = world.chain.addresses;
    const other = await world.newWallet({ [tokenMint]: 1n });
    const theirs = associatedTokenAddress(other.address, TOKEN_PROGRAM, tokenMint).address;
    const deposit = { market, reserve, amount: { tokens: '5' } };
    const base64 = await build('buildLendingDeposit', 'LendingActionInput', deposit);
    ({ headers } = await world.send('RPC', base64, signer));
    const withdrawal = await build('buildLendingWithdraw', 'LendingActionInput', {
      market,
      reserve,
      amount: { tokens: '1' },
    });
    expect((await explain(withdrawal)).warnings).toEqual([]);
    const explained = await explain(replaced(withdrawal, usdc, theirs));
    expect(explained.warnings.map(({ code, message }) => [code, message])).toContainEqual([
      'TOKENS_TO_OTHER',
      expect.stringMatching(
        /^USDC account of .*, given as userDestinationLiquidity, belongs to somebody else\.$/,
      ),
    ]);
    expect(explained.unknown.writableAccounts).toEqual([theirs]);
  });

  it('with a durable nonce say so', async () => {
    const advance = instruction(SYSTEM_PROGRAM, '04000000', [
      writable(STRANGER),
      readonly(RECENT_BLOCKHASHES_SYSVAR),
      owner(),
    ]);
    const { lifetime, instructions } = await explain(transactionOf(advance));
    expect(lifetime).toEqual({ kind: 'DURABLE_NONCE', value: STRANGER, nonceAccount: STRANGER });
    expect(instructions[0]).toMatchObject({ name: 'advanceNonceAccount' });
  });

  it('warn of a lookup table that does not exist', async () => {
    const base64 = await build('buildVaultDeposit', 'VaultDepositInput', {
      vault: world.chain.addresses.vault,
      amount: { tokens: '1' },
    });
    const [table] = (await explain(base64)).instructions.flatMap(({ accounts }) =>
      accounts.flatMap(({ lookupTable }) => lookupTable ?? []),
    );
    const { address: gone } = await generateKeyPairSigner();
    const explained = await explain(replaced(base64, table ?? expect.fail('no table'), gone));
    expect(codes(explained)).toContain('LOOKUP_TABLE_UNREADABLE');
    expect(explained.instructions.flatMap(({ accounts }) => accounts)).toContainEqual(
      expect.objectContaining({ address: null, name: null, lookupTable: gone }),
    );
  });

  it('are refused by code when they are none', async () => {
    const base64 = transactionOf(
      instruction(SYSTEM_PROGRAM, '0200000000ca9a3b00000000', [owner(), writable(STRANGER)]),
    );
    const bytes = Buffer.from(base64, 'base64');
    const invalid = async (text: string) => {
      const { __typename, code } = await explain(text);
      return [__typename, code];
    };
    const malformed = ['InvalidTransaction', 'TRANSACTION_MALFORMED'];
    expect(await invalid('')).toEqual(malformed);
    expect(await invalid('not base64!')).toEqual(malformed);
    expect(await invalid(bytes.subarray(0, -3).toString('base64'))).toEqual(malformed);
    expect(await invalid(Buffer.concat([bytes, Buffer.from([0])]).toString('base64'))).toEqual(malformed);
    expect(await invalid(Buffer.alloc(1233).toString('base64'))).toEqual([
      'InvalidTransaction',
      'TRANSACTION_TOO_LARGE',
    ]);
  });
});

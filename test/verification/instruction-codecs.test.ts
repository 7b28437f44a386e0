import { decodeInstruction, findInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { AccountRole, Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { normalForm } from '../../packages/protocol/test/support/normal-form.ts';
import { readVectors } from '../support/vectors/account-vectors.ts';

interface Meta {
  readonly address: Address;
  readonly role: AccountRole;
}

interface InstructionCase {
  readonly program: string;
  readonly name: string;
  readonly note: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly accounts: Readonly<Record<string, Address | null>>;
  readonly remaining: readonly Meta[];
  readonly expected: {
    readonly programAddress: Address;
    readonly data: string;
    readonly accounts: readonly Meta[];
  };
}

/** Accounts whose name here differs from the last part of the program's grouped name. */
const RENAMED: Readonly<Record<string, string>> = {
  'withdrawFromReserveAccounts.vaultState': 'reserveVaultState',
  'kvault.withdraw:eventAuthority': 'outerEventAuthority',
  'kvault.withdraw:program': 'outerProgram',
  'kvault.sell:eventAuthority': 'outerEventAuthority',
  'kvault.sell:program': 'outerProgram',
  'klend.flashBorrowReserveLiquidity:reserveSourceLiquidity': 'reserveLiquiditySupply',
  'klend.flashBorrowReserveLiquidity:userDestinationLiquidity': 'userLiquidity',
  'klend.flashBorrowReserveLiquidity:sysvarInfo': 'instructionSysvarAccount',
  'klend.flashRepayReserveLiquidity:reserveDestinationLiquidity': 'reserveLiquiditySupply',
  'klend.flashRepayReserveLiquidity:userSourceLiquidity': 'userLiquidity',
  'klend.flashRepayReserveLiquidity:sysvarInfo': 'instructionSysvarAccount',
};
/** Combined instructions: our account names start with the group, which distinguishes equal names. */
const HALVES: Readonly<Record<string, string>> = {
  withdrawAccounts: 'withdraw',
  collateralFarmsAccounts: 'collateral',
  debtFarmsAccounts: 'debt',
  depositFarmsAccounts: 'deposit',
  withdrawFarmsAccounts: 'withdraw',
};
const IN_HALVES = ['repayAndWithdrawAndRedeem', 'depositAndWithdraw', 'liquidateObligation'];
/** Native programs publish no account names; their accounts are checked by position. */
const NAMED_PROGRAMS = ['klend', 'kvault', 'farms'];
/** The gateway never creates lookup tables. */
const NOT_BUILT = ['address-lookup-table'];

/** Younger than the SDK of the vectors; packages/protocol/test/transactions/layouts.test.ts checks them against the published interface. */
const NEWER_THAN_VECTORS = ['depositWithMinSharesOut', 'buyWithMinSharesOut', 'investWithMaxAmount'];

const known = knownInstructions(MAINNET_PROGRAMS);
const cases = readVectors<{ cases: InstructionCase[] }>('instructions').cases.filter(
  (each) => !NOT_BUILT.includes(each.program),
);

const titled = cases.map((each, i) => [`${each.program}.${each.name} ${each.note} #${i}`, each] as const);
const ourName = (each: InstructionCase, name: string) =>
  RENAMED[`${each.program}.${each.name}:${name}`] ?? RENAMED[name] ?? halfName(each, name);

function halfName(each: InstructionCase, name: string): string {
  const [group = '', last = name] = name.split('.');
  const half = IN_HALVES.some((start) => each.name.startsWith(start)) ? HALVES[group] : undefined;
  if (half === undefined || last.startsWith(half)) return last;
  return `${half}${last.charAt(0).toUpperCase()}${last.slice(1)}`;
}

describe('instructions', () => {
  it('covers every known instruction', () => {
    const covered = new Set(cases.map((each) => findInstruction(known, encoded(each))));
    const all = new Set([...known.values()].flat());
    expect([...all].filter((layout) => !covered.has(layout)).map((layout) => layout.name)).toEqual(
      NEWER_THAN_VECTORS,
    );
  });

  it.each(titled)('%s decodes into named accounts and arguments', (_, each) => {
    const decoded = decodeInstruction(known, encoded(each));
    const accounts = Object.values(each.accounts);
    expect(Object.values(decoded.accounts)).toEqual(accounts);
    if (NAMED_PROGRAMS.includes(each.program)) {
      expect(decoded.name).toBe(each.name);
      expect(Object.keys(decoded.accounts)).toEqual(
        Object.keys(each.accounts).map((name) => ourName(each, name)),
      );
    }
    expect(decoded.remaining).toEqual(each.remaining);
    const args = normalForm(decoded.args, flatArgs(each)) as Record<string, unknown>;
    expect(Object.values(args)).toEqual(Object.values(flatArgs(each)));
  });

  it.each(titled)('%s encodes to the bytes, accounts and roles that the SDK builds', (_, each) => {
    const layout = findInstruction(known, encoded(each));
    const decoded = layout.decode(encoded(each));
    const built = layout.encode(
      each.expected.programAddress,
      decoded.accounts,
      decoded.args,
      decoded.remaining,
    );
    expect({ ...built, data: Buffer.from(built.data).toString('hex') }).toEqual(each.expected);
  });
});

function encoded(each: InstructionCase) {
  return { ...each.expected, data: Uint8Array.from(Buffer.from(each.expected.data, 'hex')) };
}

/** Arguments flattened to one level: initObligation wraps its two in a struct. */
function flatArgs(each: InstructionCase): Readonly<Record<string, unknown>> {
  const wrapped = each.args.args;
  return typeof wrapped === 'object' && wrapped !== null ? (wrapped as Record<string, unknown>) : each.args;
}

import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { decodeTransaction } from '../../../src/demo/rpc/wire-transaction.ts';
import { accrueReserve } from '../../../src/domain/interest.ts';
import { liquidityToCollateral, originationFee } from '../../../src/domain/reserve.ts';
import { vaultHoldings } from '../../../src/domain/vault.ts';
import { FRACTION_ONE, toBigScaledFraction, U64_MAX } from '../../../src/numeric/fraction.ts';
import { integer } from '../../../src/numeric/rational.ts';
import { decodeInstruction, knownInstructions } from '../../../src/programs/instructions.ts';
import { obligation as obligationLayout } from '../../../src/programs/klend/obligation.ts';
import { reserve as reserveLayout } from '../../../src/programs/klend/reserve.ts';
import { vaultState } from '../../../src/programs/kvault/vault-state.ts';
import type { DecodedInstruction } from '../../../src/programs/layout/instruction.ts';
import { decodeLookupTable } from '../../../src/programs/lookup-table/lookup-table.ts';
import { MAINNET_PROGRAMS, NO_ADDRESS, TOKEN_PROGRAM } from '../../../src/programs/program-ids.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../src/programs/token/token-account.ts';
import { account } from '../ledger/fake-ledger.ts';
import { accountIn, type TestLedger, withFields } from '../ledger/test-ledger.ts';

const KNOWN = knownInstructions(MAINNET_PROGRAMS);
const { klend, kvault } = MAINNET_PROGRAMS;

/** The instructions of a transaction, its lookup tables resolved. */
function instructionsIn(ledger: TestLedger, wire: Uint8Array): DecodedInstruction[] {
  const { message } = decodeTransaction(wire);
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  const loaded = (indexes: 'writableIndexes' | 'readonlyIndexes') =>
    lookups.flatMap((lookup) => {
      const { addresses } = decodeLookupTable(accountIn(ledger, lookup.lookupTableAddress));
      return lookup[indexes].map((index) => addresses[index]);
    });
  const all = [...message.staticAccounts, ...loaded('writableIndexes'), ...loaded('readonlyIndexes')];
  const at = (index: number): Address => {
    const address = all[index];
    if (address === undefined) throw new Error(`the transaction has no account ${index}`);
    return address;
  };
  const meta = (index: number): AccountMeta => ({ address: at(index), role: AccountRole.READONLY });
  return message.instructions.map(({ programAddressIndex, accountIndices = [], data }) =>
    decodeInstruction(KNOWN, {
      programAddress: at(programAddressIndex),
      accounts: accountIndices.map(meta),
      data: new Uint8Array(data ?? []),
    }),
  );
}

/** The target of one of the six actions. */
interface Act {
  readonly ledger: TestLedger;
  /** Base units; the greatest u64 for everything. */
  readonly amount: bigint;
  /** An account of the instruction, by name. */
  named(name: string): Address;
}

const EFFECTS: ReadonlyMap<Address, readonly (readonly [RegExp, (act: Act) => void])[]> = new Map([
  [
    kvault,
    [
      [/^(deposit|buy)$/, vaultDeposit],
      [/^(withdraw|withdrawFromAvailable|sell)$/, vaultWithdraw],
    ],
  ],
  [
    klend,
    [
      [/^depositReserveLiquidityAndObligationCollateral/, lendingDeposit],
      [/^borrowObligationLiquidity/, lendingBorrow],
      [/^repayObligationLiquidity/, lendingRepay],
      [/^withdrawObligationCollateralAndRedeem/, lendingWithdraw],
    ],
  ],
]);

const effectOf = ({ name, programAddress }: DecodedInstruction) =>
  EFFECTS.get(programAddress)?.find(([pattern]) => pattern.test(name))?.[1];

/** The index of the action among the instructions, and whether it is a vault action. */
export function actionIn(ledger: TestLedger, wire: Uint8Array): { index: number; inVault: boolean } {
  const instructions = instructionsIn(ledger, wire);
  const index = instructions.findIndex((each) => effectOf(each) !== undefined);
  return { index, inVault: instructions[index]?.programAddress === kvault };
}

/**
 * Does to the wallet's position what the programs would; of what else they do, only what the position is read with.
 * Gives the program's name of the action, or null for one that only sets up.
 * @param change makes the programs act on another amount than they were asked to.
 */
export function applyTransaction(
  ledger: TestLedger,
  wire: Uint8Array,
  change: (name: string, amount: bigint) => bigint,
): string | null {
  const { signatures } = decodeTransaction(wire);
  if (signatures.some((signature) => /^1+$/.test(signature)))
    throw new Error('the transaction is not signed');
  let acted: string | null = null;
  for (const instruction of instructionsIn(ledger, wire)) {
    const { name, accounts, args } = instruction;
    const effect = effectOf(instruction);
    const amount = args.maxAmount ?? args.sharesAmount ?? args.liquidityAmount ?? args.collateralAmount;
    if (effect === undefined || typeof amount !== 'bigint') continue;
    const named = (wanted: string): Address => {
      const address = accounts[wanted];
      if (!address) throw new Error(`${name} has no account ${wanted}`);
      return address;
    };
    effect({ ledger, named, amount: change(name, amount) });
    acted = name;
  }
  ledger.advance();
  return acted;
}

function reserveAt({ ledger }: Act, address: Address) {
  return accrueReserve(reserveLayout.decode(accountIn(ledger, address), klend), ledger.slot, 0);
}

function vaultAt({ ledger, named }: Act) {
  return vaultState.decode(accountIn(ledger, named('vaultState')), kvault);
}

/** Base units of shares outside the farm: this cluster leaves them in the wallet. */
function sharesOf({ ledger, named }: Act): bigint {
  const found = ledger.account(named('userSharesAta'));
  return found === undefined ? 0n : decodeTokenAccount(found).amount;
}

function setShares({ ledger, named }: Act, amount: bigint): void {
  const data = encodeTokenAccount({
    mint: named('sharesMint'),
    owner: named('user'),
    amount,
    delegate: null,
    delegatedAmount: 0n,
    frozen: false,
    nativeRentLamports: null,
    closeAuthority: null,
    extensions: [],
  });
  ledger.place(named('userSharesAta'), account(data, TOKEN_PROGRAM));
}

function vaultDeposit(act: Act): void {
  const { ledger, named, amount } = act;
  const vault = vaultAt(act);
  const holdings = vaultHoldings(vault, (address) => reserveAt(act, address));
  if (holdings === null) throw new Error('a reserve of the vault is missing');
  const shares = (vault.sharesIssued * amount) / holdings.aum.ceil();
  setShares(act, sharesOf(act) + shares);
  const changed = {
    sharesIssued: vault.sharesIssued + shares,
    tokenAvailable: vault.tokenAvailable + amount,
  };
  ledger.place(named('vaultState'), withFields(vaultState, accountIn(ledger, named('vaultState')), changed));
}

function vaultWithdraw(act: Act): void {
  const held = sharesOf(act);
  setShares(act, act.amount < held ? held - act.amount : 0n);
}

function obligationAt({ ledger, named }: Act) {
  const found = ledger.account(named('obligation'));
  const fields = { lendingMarket: named('lendingMarket'), owner: named('owner') };
  const stored = found ?? account(obligationLayout.encode(fields), klend);
  return { stored, value: obligationLayout.decode(stored, klend) };
}

type Item = Parameters<typeof obligationLayout.encode>[0];

/** Changes one place of a list and leaves those before it as they are. */
const placeIn = <T>(index: number, item: T): (T | Record<string, never>)[] => [
  ...Array.from({ length: index }, () => ({})),
  item,
];

function setObligation(act: Act, fields: Item): void {
  const { ledger, named } = act;
  ledger.place(named('obligation'), withFields(obligationLayout, obligationAt(act).stored, fields));
}

function lendingDeposit(act: Act): void {
  const reserve = act.named('reserve');
  const { deposits } = obligationAt(act).value;
  const index = deposits.findIndex((each) => [reserve, NO_ADDRESS].includes(each.depositReserve));
  const minted = liquidityToCollateral(reserveAt(act, reserve), integer(act.amount)).floor();
  const depositedAmount = (deposits[index]?.depositedAmount ?? 0n) + minted;
  setObligation(act, { deposits: placeIn(index, { depositReserve: reserve, depositedAmount }) });
}

/** This cluster supports only a first debt. */
function lendingBorrow(act: Act): void {
  const reserve = act.named('borrowReserve');
  const accrued = reserveAt(act, reserve);
  const index = obligationAt(act).value.borrows.findIndex((each) => each.borrowReserve === NO_ADDRESS);
  const owed = act.amount + originationFee(accrued.account, act.amount);
  const debt = {
    borrowReserve: reserve,
    borrowedAmountSf: owed * FRACTION_ONE,
    cumulativeBorrowRateBsf: { value: toBigScaledFraction(accrued.cumulativeBorrowRate) },
  };
  setObligation(act, { borrows: placeIn(index, debt) });
}

function lendingRepay(act: Act): void {
  const reserve = act.named('repayReserve');
  const { borrows } = obligationAt(act).value;
  const index = borrows.findIndex((each) => each.borrowReserve === reserve);
  const owed = borrows[index]?.borrowedAmountSf ?? 0n;
  const paid = act.amount === U64_MAX ? owed : act.amount * FRACTION_ONE;
  const left = paid < owed ? owed - paid : 0n;
  const debt = { borrowReserve: left === 0n ? NO_ADDRESS : reserve, borrowedAmountSf: left };
  setObligation(act, { borrows: placeIn(index, debt) });
}

/** Closes an empty obligation. */
function lendingWithdraw(act: Act): void {
  const reserve = act.named('withdrawReserve');
  const { deposits } = obligationAt(act).value;
  const index = deposits.findIndex((each) => each.depositReserve === reserve);
  const held = deposits[index]?.depositedAmount ?? 0n;
  const depositedAmount = act.amount < held ? held - act.amount : 0n;
  if (depositedAmount === 0n) act.ledger.place(act.named('obligation'), null);
  else setObligation(act, { deposits: placeIn(index, { depositReserve: reserve, depositedAmount }) });
}

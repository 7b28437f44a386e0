import { decodeTransaction } from '@sluice/localnet/rpc/wire-transaction';
import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { DecodedInstruction } from '@sluice/protocol/layout/instruction';
import { decodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { FRACTION_ONE, toBigScaledFraction, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, NO_ADDRESS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeTokenAccount, encodeTokenAccount } from '@sluice/protocol/token/token-account';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { account } from '../../../packages/localnet/test/support/chain/fake-chain.ts';
import {
  accountIn,
  type TestChain,
  withFields,
} from '../../../packages/localnet/test/support/chain/test-world.ts';
import { NO_TERMS } from '../../../src/domain/interest.ts';
import { refreshReserve } from '../../../src/domain/refreshed-reserve.ts';
import { liquidityToCollateral, originationFee } from '../../../src/domain/reserve.ts';
import { vaultHoldings } from '../../../src/domain/vault.ts';

const KNOWN = knownInstructions(MAINNET_PROGRAMS);
const { klend, kvault } = MAINNET_PROGRAMS;

/** The instructions of a transaction, its lookup tables resolved. */
function instructionsIn(localChain: TestChain, wire: Uint8Array): DecodedInstruction[] {
  const { message } = decodeTransaction(wire);
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  const loaded = (indexes: 'writableIndexes' | 'readonlyIndexes') =>
    lookups.flatMap((lookup) => {
      const { addresses } = decodeLookupTable(accountIn(localChain, lookup.lookupTableAddress));
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
  readonly localChain: TestChain;
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
export function actionIn(localChain: TestChain, wire: Uint8Array): { index: number; inVault: boolean } {
  const instructions = instructionsIn(localChain, wire);
  const index = instructions.findIndex((each) => effectOf(each) !== undefined);
  return { index, inVault: instructions[index]?.programAddress === kvault };
}

/**
 * Does to the wallet's position what the programs would; of what else they do, only what the position is read with.
 * Gives the program's name of the action, or null for one that only sets up.
 * @param change makes the programs act on another amount than they were asked to.
 */
export function applyTransaction(
  localChain: TestChain,
  wire: Uint8Array,
  change: (name: string, amount: bigint) => bigint,
): string | null {
  const { signatures } = decodeTransaction(wire);
  if (signatures.some((signature) => /^1+$/.test(signature)))
    throw new Error('the transaction is not signed');
  let acted: string | null = null;
  for (const instruction of instructionsIn(localChain, wire)) {
    const { name, accounts, args } = instruction;
    const effect = effectOf(instruction);
    const amount = args.maxAmount ?? args.sharesAmount ?? args.liquidityAmount ?? args.collateralAmount;
    if (effect === undefined || typeof amount !== 'bigint') continue;
    const named = (wanted: string): Address => {
      const address = accounts[wanted];
      if (!address) throw new Error(`${name} has no account ${wanted}`);
      return address;
    };
    effect({ localChain, named, amount: change(name, amount) });
    acted = name;
  }
  localChain.advance();
  return acted;
}

function reserveAt({ localChain }: Act, address: Address) {
  return refreshReserve(
    reserveLayout.decode(accountIn(localChain, address), klend),
    { slot: localChain.slot, timestamp: BigInt(localChain.blockTime(localChain.slot) ?? 0) },
    NO_TERMS,
  );
}

function vaultAt({ localChain, named }: Act) {
  return vaultState.decode(accountIn(localChain, named('vaultState')), kvault);
}

/** Base units of shares outside the farm: this cluster leaves them in the wallet. */
function sharesOf({ localChain, named }: Act): bigint {
  const found = localChain.account(named('userSharesAta'));
  return found === undefined ? 0n : decodeTokenAccount(found).amount;
}

function setShares({ localChain, named }: Act, amount: bigint): void {
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
  localChain.place(named('userSharesAta'), account(data, TOKEN_PROGRAM));
}

function vaultDeposit(act: Act): void {
  const { localChain, named, amount } = act;
  const vault = vaultAt(act);
  const holdings = vaultHoldings(vault, (address) => reserveAt(act, address));
  if (holdings === null) throw new Error('a reserve of the vault is missing');
  const shares = (vault.sharesIssued * amount) / holdings.aum.ceil();
  setShares(act, sharesOf(act) + shares);
  const changed = {
    sharesIssued: vault.sharesIssued + shares,
    tokenAvailable: vault.tokenAvailable + amount,
  };
  localChain.place(
    named('vaultState'),
    withFields(vaultState, accountIn(localChain, named('vaultState')), changed),
  );
}

function vaultWithdraw(act: Act): void {
  const held = sharesOf(act);
  setShares(act, act.amount < held ? held - act.amount : 0n);
}

function obligationAt({ localChain, named }: Act) {
  const found = localChain.account(named('obligation'));
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
  const { localChain, named } = act;
  localChain.place(named('obligation'), withFields(obligationLayout, obligationAt(act).stored, fields));
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
  if (depositedAmount === 0n) act.localChain.place(act.named('obligation'), null);
  else setObligation(act, { deposits: placeIn(index, { depositReserve: reserve, depositedAmount }) });
}

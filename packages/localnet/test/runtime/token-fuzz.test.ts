import { addressBytes } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { approve, freezeAccount, revoke, thawAccount } from '@sluice/protocol/token/account-instructions';
import { readTransferFeeConfig } from '@sluice/protocol/token/extensions';
import { transferChecked } from '@sluice/protocol/token/instructions';
import { burn, mintTo } from '@sluice/protocol/token/supply-instructions';
import {
  harvestWithheldToMint,
  withdrawWithheldFromAccounts,
  withdrawWithheldFromMint,
} from '@sluice/protocol/token/withheld-instructions';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../protocol/test/support/cases.ts';
import {
  addressOf,
  TokenBench,
  transferFeeConfig,
  withheld,
  withheldIn,
} from '../support/runtime/token-bench.ts';

const OPERATIONS = cases(1_500, 10_000);
const FEE = { basisPoints: 137, maximum: 15 };
const WALLETS = ['ann', 'ben', 'cid'].map(addressOf);
const MINTER = addressOf('minter');

/** Balances of a holder, in plain numbers: amounts stay far below 2^53. */
interface Book {
  readonly account: Address;
  readonly owner: Address;
  amount: number;
  withheld: number;
  isFrozen: boolean;
  delegate: Address | null;
  delegated: number;
}

/** An instruction, the error that it must fail with, and otherwise its effect on the books. */
interface Operation {
  readonly instruction: EncodedInstruction;
  readonly failure: number | null;
  apply(): void;
}

/** A second implementation of the rules, independent of the programs. */
class Books {
  readonly accounts: Book[] = [];
  supply = 0;
  collected = 0;
  readonly #program: Address;
  readonly #mint: Address;
  readonly #pick: (below: number) => number;

  constructor(program: Address, mint: Address, pick: (below: number) => number) {
    this.#program = program;
    this.#mint = mint;
    this.#pick = pick;
  }

  next(): Operation {
    const kinds = [
      () => this.transfer(),
      () => this.transfer(),
      () => this.transfer(),
      () => this.mint(),
      () => this.burn(),
      () => this.approve(),
      () => this.revoke(),
      () => this.freeze(),
      () => this.thaw(),
      ...(this.#program === TOKEN_2022_PROGRAM
        ? [() => this.harvest(), () => this.withdrawFromMint(), () => this.withdrawFromAccounts()]
        : []),
    ];
    return this.#of(kinds)();
  }

  transfer(): Operation {
    const [from, to] = [this.#of(this.accounts), this.#of(this.accounts)];
    const [signer, amount] = [this.#signerFor(from), this.#pick(2_000)];
    const isSplToken = this.#program === TOKEN_PROGRAM;
    let failure: number | null = null;
    if (from.isFrozen || (isSplToken && to.isFrozen)) failure = 17;
    else if (amount > from.amount) failure = 1;
    else failure = this.#spendingFailure(from, signer, amount) ?? (to.isFrozen ? 17 : null);
    const fee = isSplToken ? 0 : Math.min(Math.ceil((amount * FEE.basisPoints) / 10_000), FEE.maximum);
    return {
      instruction: transferChecked.encode(
        this.#program,
        { source: from.account, mint: this.#mint, destination: to.account, owner: signer },
        { amount: BigInt(amount), decimals: 6 },
      ),
      failure,
      apply: () => {
        if (from === to) return;
        this.#spend(from, signer, amount);
        to.amount += amount - fee;
        to.withheld += fee;
      },
    };
  }

  mint(): Operation {
    const to = this.#of(this.accounts);
    const [signer, amount] = [this.#pick(4) === 0 ? to.owner : MINTER, this.#pick(3_000)];
    return {
      instruction: mintTo.encode(
        this.#program,
        { mint: this.#mint, account: to.account, authority: signer },
        { amount: BigInt(amount) },
      ),
      failure: to.isFrozen ? 17 : signer === MINTER ? null : 4,
      apply: () => {
        to.amount += amount;
        this.supply += amount;
      },
    };
  }

  burn(): Operation {
    const from = this.#of(this.accounts);
    const [signer, amount] = [this.#signerFor(from), this.#pick(1_000)];
    return {
      instruction: burn.encode(
        this.#program,
        { account: from.account, mint: this.#mint, authority: signer },
        { amount: BigInt(amount) },
      ),
      failure: from.isFrozen ? 17 : amount > from.amount ? 1 : this.#spendingFailure(from, signer, amount),
      apply: () => {
        this.#spend(from, signer, amount);
        this.supply -= amount;
      },
    };
  }

  approve(): Operation {
    const from = this.#of(this.accounts);
    const [signer, delegate, amount] = [this.#signerFor(from), this.#of(WALLETS), this.#pick(1_500)];
    return {
      instruction: approve.encode(
        this.#program,
        { source: from.account, delegate, owner: signer },
        { amount: BigInt(amount) },
      ),
      failure: from.isFrozen ? 17 : signer === from.owner ? null : 4,
      apply: () => Object.assign(from, { delegate, delegated: amount }),
    };
  }

  revoke(): Operation {
    const from = this.#of(this.accounts);
    const signer = this.#signerFor(from);
    const byDelegate = this.#program === TOKEN_2022_PROGRAM && signer === from.delegate;
    return {
      instruction: revoke.encode(this.#program, { source: from.account, owner: signer }, {}),
      failure: from.isFrozen ? 17 : signer === from.owner || byDelegate ? null : 4,
      apply: () => Object.assign(from, { delegate: null, delegated: 0 }),
    };
  }

  freeze(): Operation {
    const of = this.#of(this.accounts);
    const accounts = { account: of.account, mint: this.#mint, authority: addressOf('freezer') };
    return {
      instruction: freezeAccount.encode(this.#program, accounts, {}),
      failure: of.isFrozen ? 13 : null,
      apply: () => Object.assign(of, { isFrozen: true }),
    };
  }

  thaw(): Operation {
    const frozen = this.accounts.filter(({ isFrozen }) => isFrozen);
    const of = this.#of(frozen.length === 0 ? this.accounts : frozen);
    const accounts = { account: of.account, mint: this.#mint, authority: addressOf('freezer') };
    return {
      instruction: thawAccount.encode(this.#program, accounts, {}),
      failure: of.isFrozen ? null : 13,
      apply: () => Object.assign(of, { isFrozen: false }),
    };
  }

  harvest(): Operation {
    const from = this.#of(this.accounts);
    const collected = [{ address: from.account, role: AccountRole.WRITABLE }];
    return {
      instruction: harvestWithheldToMint.encode(this.#program, { mint: this.#mint }, {}, collected),
      failure: null,
      apply: () => {
        this.collected += from.withheld;
        from.withheld = 0;
      },
    };
  }

  withdrawFromMint(): Operation {
    const to = this.#of(this.accounts);
    const accounts = { mint: this.#mint, destination: to.account, authority: MINTER };
    return {
      instruction: withdrawWithheldFromMint.encode(this.#program, accounts, {}),
      failure: to.isFrozen ? 17 : null,
      apply: () => {
        to.amount += this.collected;
        this.collected = 0;
      },
    };
  }

  withdrawFromAccounts(): Operation {
    const [from, to] = [this.#of(this.accounts), this.#of(this.accounts)];
    const accounts = { mint: this.#mint, destination: to.account, authority: MINTER };
    const collected = [{ address: from.account, role: AccountRole.WRITABLE }];
    return {
      instruction: withdrawWithheldFromAccounts.encode(
        this.#program,
        accounts,
        { accountCount: 1 },
        collected,
      ),
      failure: to.isFrozen ? 17 : null,
      apply: () => {
        to.amount += from.withheld;
        from.withheld = 0;
      },
    };
  }

  #of<T>(items: readonly T[]): T {
    const item = items[this.#pick(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from');
    return item;
  }

  #signerFor({ owner, delegate }: Book): Address {
    const chance = this.#pick(10);
    if (chance === 0) return this.#of(WALLETS);
    return chance < 4 && delegate !== null ? delegate : owner;
  }

  #spendingFailure({ owner, delegate, delegated }: Book, signer: Address, amount: number): number | null {
    if (signer === delegate) return amount > delegated ? 1 : null;
    return signer === owner ? null : 4;
  }

  #spend(from: Book, signer: Address, amount: number): void {
    from.amount -= amount;
    if (signer !== from.delegate) return;
    from.delegated -= amount;
    if (from.delegated === 0) from.delegate = null;
  }
}

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe.each([
  ['SPL Token', TOKEN_PROGRAM],
  ['Token-2022 with transfer fees', TOKEN_2022_PROGRAM],
])('%s', (_name, program) => {
  it.each([1, 2])('agrees with independent books over random operations (seed %i)', (seed) => {
    const tokens = new TokenBench(program);
    const isToken2022 = program === TOKEN_2022_PROGRAM;
    const mint = tokens.mint('mint', { extensions: isToken2022 ? [feeConfig()] : [] });
    const books = new Books(program, mint, randomOf(seed));
    WALLETS.flatMap((owner) => [owner, owner]).forEach((owner, i) => {
      const extensions = isToken2022 ? [withheld(0n)] : [];
      const account = tokens.account(`account ${i}`, mint, owner, 0n, { extensions });
      books.accounts.push({
        account,
        owner,
        amount: 0,
        withheld: 0,
        isFrozen: false,
        delegate: null,
        delegated: 0,
      });
    });
    const outcomes = new Map<number | null, number>();
    for (let i = 0; i < OPERATIONS; i += 1) {
      const { instruction, failure, apply } = books.next();
      expect(tokens.failureOf(instruction)).toEqual(failure === null ? null : { Custom: failure });
      if (failure === null) apply();
      outcomes.set(failure, (outcomes.get(failure) ?? 0) + 1);
      expect(stateOf(tokens, mint, books.accounts)).toEqual(booksOf(books));
    }
    for (const failure of [null, 1, 4, 13, 17]) expect(outcomes.get(failure)).toBeGreaterThan(20);
  });
});

function feeConfig() {
  const { type, data } = transferFeeConfig(
    [FEE.basisPoints, BigInt(FEE.maximum)],
    [FEE.basisPoints, BigInt(FEE.maximum)],
  );
  const withAuthority = data.slice();
  withAuthority.set(addressBytes(MINTER), 32);
  return { type, data: withAuthority };
}

/** The same state in the programs. The total must equal the supply. */
function stateOf(tokens: TokenBench, mint: Address, accounts: readonly Book[]) {
  const { supply, extensions } = tokens.mintState(mint);
  const collected = readTransferFeeConfig(extensions)?.withheldAmount ?? 0n;
  const held = accounts.map(({ account }) => tokens.held(account));
  return {
    supply: Number(supply),
    collected: Number(collected),
    total: Number(held.reduce((sum, state) => sum + state.amount + withheldIn(state), collected)),
    accounts: held.map((state) => ({
      amount: Number(state.amount),
      withheld: Number(withheldIn(state)),
      isFrozen: state.frozen,
      delegate: state.delegate,
      delegated: Number(state.delegatedAmount),
    })),
  };
}

function booksOf({ supply, collected, accounts }: Books) {
  return {
    supply,
    collected,
    total: supply,
    accounts: accounts.map(({ amount, withheld: kept, isFrozen, delegate, delegated }) => ({
      amount,
      withheld: kept,
      isFrozen,
      delegate,
      delegated,
    })),
  };
}

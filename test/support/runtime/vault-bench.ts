import type { Address } from '@solana/kit';
import type { ReadAccounts } from '../../../src/builders/read-accounts.ts';
import { type VaultAccounts, vaultAccounts } from '../../../src/builders/vault-accounts.ts';
import type { LedgerAccount } from '../../../src/demo/ledger.ts';
import type { Program } from '../../../src/demo/runtime/program.ts';
import { PROGRAMS } from '../../../src/demo/runtime/programs.ts';
import { createDemoLedger, type DemoLedger } from '../../../src/demo/world/demo-ledger.ts';
import type { Vault } from '../../../src/demo/world/model.ts';
import { timeOf } from '../../../src/demo/world/time.ts';
import type { Moment } from '../../../src/domain/moment.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { type Reserve, reserve } from '../../../src/programs/klend/reserve.ts';
import { type VaultState, vaultState } from '../../../src/programs/kvault/vault-state.ts';
import { type AccountLayout, viewOf } from '../../../src/programs/layout/account.ts';
import type { Fields, StructInput } from '../../../src/programs/layout/struct.ts';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '../../../src/programs/program-ids.ts';
import { associatedTokenAddress } from '../../../src/programs/token/addresses.ts';
import { decodeMint, encodeMint } from '../../../src/programs/token/mint.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../src/programs/token/token-account.ts';
import { ProgramBench } from './program-bench.ts';

const START_MS = Date.UTC(2026, 5, 15, 13, 20);
const RENT_LAMPORTS = 2_039_280n;

let shared: DemoLedger | undefined;

/** The generated world, made once per test file; benches write to an overlay of it. */
export function sharedWorld(): DemoLedger {
  shared ??= createDemoLedger({ now: () => START_MS });
  return shared;
}

/** A bench with the accounts of the generated world, and one of its vaults. */
export class VaultBench extends ProgramBench {
  readonly vault: Vault;
  readonly wallet: Address;

  constructor(name: string, wallet: Address, programs: Iterable<Program> = PROGRAMS.values()) {
    const ledger = sharedWorld();
    const found = ledger.world.vaults.find((vault) => vault.name === name);
    if (found === undefined) throw new RangeError(`The world has no vault ${name}`);
    const slot = ledger.slot + 1_000n;
    super(
      programs,
      { slot, unixTimestamp: BigInt(timeOf(slot)) },
      { get: (address) => ledger.account(address) },
    );
    this.vault = found;
    this.wallet = wallet;
  }

  get moment(): Moment {
    const { slot, unixTimestamp } = this.clock;
    return { slot, timestamp: unixTimestamp, slotDurationMs: Rational.of(400n) };
  }

  get tokenAccount(): Address {
    const { mint } = this.vault.token;
    return associatedTokenAddress(this.wallet, mint.program, mint.address).address;
  }

  get shareAccount(): Address {
    return associatedTokenAddress(this.wallet, TOKEN_PROGRAM, this.vault.sharesMint.address).address;
  }

  /** What the builders read. */
  accounts(): VaultAccounts {
    const read: ReadAccounts = (address) => this.get(address) ?? null;
    return vaultAccounts(
      { programs: MAINNET_PROGRAMS, wallet: this.wallet, vault: this.vault.address, lookupTables: [] },
      read,
      this.clock.slot,
    );
  }

  state(): VaultState {
    return vaultState.decode(this.account(this.vault.address), MAINNET_PROGRAMS.kvault);
  }

  reserve(address: Address): Reserve {
    return reserve.decode(this.account(address), MAINNET_PROGRAMS.klend);
  }

  account(address: Address): LedgerAccount {
    const account = this.get(address);
    if (account === undefined) throw new RangeError(`There is no account ${address}`);
    return account;
  }

  /** Base units in a token account; 0 when it does not exist. */
  balance(address: Address): bigint {
    const account = this.get(address);
    return account === undefined || account.lamports === 0n ? 0n : decodeTokenAccount(account).amount;
  }

  supply(mint: Address): bigint {
    return decodeMint(this.account(mint)).supply;
  }

  /** Puts base units of a mint into the account of an owner, and into the supply. */
  fund(owner: Address, mint: Address, amount: bigint): Address {
    const account = this.account(mint);
    const decoded = decodeMint(account);
    const { address } = associatedTokenAddress(owner, account.owner, mint);
    const held = this.balance(address);
    this.set(mint, { ...account, data: encodeMint({ ...decoded, supply: decoded.supply + amount }) });
    this.set(address, {
      owner: account.owner,
      lamports: RENT_LAMPORTS,
      executable: false,
      data: encodeTokenAccount({
        mint,
        owner,
        amount: held + amount,
        delegate: null,
        delegatedAmount: 0n,
        frozen: false,
        nativeRentLamports: null,
        closeAuthority: null,
        extensions: [],
      }),
    });
    return address;
  }

  /** Writes fields of an account and leaves the others. */
  change<F extends Fields>(address: Address, layout: AccountLayout<F>, fields: StructInput<F>): void {
    const account = this.account(address);
    const data = account.data.slice();
    layout.body.write(viewOf(data), layout.discriminator.length, fields);
    this.set(address, { ...account, data });
  }
}

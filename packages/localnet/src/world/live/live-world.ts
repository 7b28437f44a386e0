import { userState } from '@sluice/protocol/farms/user-state';
import {
  type Obligation as ObligationState,
  obligation as obligationLayout,
} from '@sluice/protocol/klend/obligation';
import { type VaultState, vaultState } from '@sluice/protocol/kvault/vault-state';
import { viewOf } from '@sluice/protocol/layout/account';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { WAD } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { farmUserIn } from '../farms.ts';
import type { MintModel, Obligation, Reserve, Vault, Wallet } from '../model.ts';
import { isNative } from '../token-accounts.ts';
import { accountOf } from '../token-instructions.ts';
import type { World } from '../world.ts';
import type { WorldAction } from '../world-actions.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
/** Lamports that a wallet reserves for fees and rent. */
const FEE_RESERVE_LAMPORTS = 500_000_000n;

/** Executes the instructions of the world's actors, their only way to change a live chain. */
export interface Executor {
  readonly slot: bigint;
  /** Runs instructions without a transaction. Nothing changes when one fails. */
  crank(instructions: readonly EncodedInstruction[]): void;
  /** Sends a transaction of the wallet. False when it would fail; it is then not sent. */
  act(wallet: Wallet, action: WorldAction): boolean;
}

/**
 * The world while the chain is live. The models say who there is and where, and do not change any more; what they hold is
 * read from the accounts, because transactions of users change it too.
 */
export class LiveWorld {
  readonly world: World;
  readonly #executor: Executor;
  readonly #reserves: ReadonlyMap<Address, Reserve>;
  /** Of wallets and vaults that came together on the live chain. */
  readonly #vaults = new Map<Wallet, readonly Vault[]>();
  readonly #holders = new Map<Vault, readonly Wallet[]>();

  constructor(world: World, executor: Executor) {
    this.world = world;
    this.#executor = executor;
    this.#reserves = new Map(world.reserves.map((reserve) => [reserve.address, reserve]));
  }

  get slot(): bigint {
    return this.#executor.slot;
  }

  crank(instructions: readonly EncodedInstruction[]): void {
    this.#executor.crank(instructions);
  }

  act(wallet: Wallet, action: WorldAction): boolean {
    return this.#executor.act(wallet, action);
  }

  exists(address: Address): boolean {
    return this.world.store.has(address);
  }

  reserveAt(address: Address): Reserve | undefined {
    return this.#reserves.get(address);
  }

  /** Base units in a token account; 0 when it does not exist. */
  tokens(address: Address): bigint {
    const account = this.world.store.get(address);
    if (account === undefined || account.data.length < TOKEN_ACCOUNT_OFFSETS.amount + 8) return 0n;
    return viewOf(account.data).getBigUint64(TOKEN_ACCOUNT_OFFSETS.amount, true);
  }

  /** Amount of a token that the wallet can spend, in base units. */
  spendable(wallet: Wallet, mint: MintModel): bigint {
    if (!isNative(mint)) return this.tokens(accountOf(wallet, mint));
    return atLeastZero(this.world.store.lamportsOf(wallet.address) - FEE_RESERVE_LAMPORTS);
  }

  /** Vaults of which the wallet has had shares. */
  vaultsOf(wallet: Wallet): readonly Vault[] {
    return this.#vaults.get(wallet) ?? wallet.vaults;
  }

  /** Wallets that have had shares of the vault. */
  holdersOf(vault: Vault): readonly Wallet[] {
    return this.#holders.get(vault) ?? vault.holders;
  }

  /** The wallet has shares of the vault from now on. */
  remember(wallet: Wallet, vault: Vault): void {
    const known = this.vaultsOf(wallet);
    if (known.includes(vault)) return;
    this.#vaults.set(wallet, [...known, vault]);
    this.#holders.set(vault, [...this.holdersOf(vault), wallet]);
  }

  /** Unstaked shares of a vault. */
  shares(wallet: Wallet, vault: Vault): bigint {
    return this.tokens(accountOf(wallet, vault.sharesMint));
  }

  /** Staked shares of a vault. */
  staked(wallet: Wallet, vault: Vault): bigint {
    if (vault.farm === null) return 0n;
    const account = this.world.store.get(farmUserIn(vault.farm, wallet).address);
    if (account === undefined || account.owner !== farms) return 0n;
    return userState.decode(account, farms).activeStakeScaled / WAD;
  }

  /** Null when the account is closed. */
  obligation({ address }: Obligation): ObligationState | null {
    const account = this.world.store.get(address);
    if (account === undefined || account.owner !== klend) return null;
    return obligationLayout.decode(account, klend);
  }

  /** Null when the account is closed. */
  vault({ address }: Vault): VaultState | null {
    const account = this.world.store.get(address);
    return account === undefined ? null : vaultState.decode(account, kvault);
  }
}

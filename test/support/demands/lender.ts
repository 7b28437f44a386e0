import type { Market } from '@sluice/localnet/world/model';
import { itemAt } from '@sluice/localnet/world/prng';
import { timeOf } from '@sluice/localnet/world/time';
import { worldWalletKey } from '@sluice/localnet/world/world-wallet';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { decodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import {
  type Address,
  type Base64EncodedWireTransaction,
  createKeyPairSignerFromBytes,
  type KeyPairSigner,
} from '@solana/kit';
import { accountIn } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { type SendingClient, SOL } from '../../../packages/localnet/test/support/rpc/sending-client.ts';
import type { BuiltInstruction } from '../../../src/builders/built-instruction.ts';
import { type LendingAccounts, lendingAccounts } from '../../../src/builders/lending/accounts.ts';
import { buildLending } from '../../../src/builders/lending/action.ts';
import type { LendingAction } from '../../../src/builders/lending/request.ts';
import { vaultAccounts } from '../../../src/builders/vault/accounts.ts';
import { buildVaultEntry, buildVaultExit } from '../../../src/builders/vault/action.ts';
import type { ShareAmountInput } from '../../../src/builders/vault/share-amount.ts';
import type { Moment } from '../../../src/domain/moment.ts';

const { klend } = MAINNET_PROGRAMS;
const TOKENS_EACH = 1_000_000n;

/** A wallet with a key that acts on one obligation, by transactions of the builders. */
export class Lender {
  readonly client: SendingClient;
  readonly signer: KeyPairSigner;
  readonly market: Market;
  readonly obligation: Address;

  private constructor(client: SendingClient, signer: KeyPairSigner, market: Market, address: Address) {
    this.client = client;
    this.signer = signer;
    this.market = market;
    this.obligation = address;
  }

  /** The world's example wallet with one of its obligations: 0 is outside groups, 1 in an elevation group. */
  static async example(client: SendingClient, index: 0 | 1): Promise<Lender> {
    const { world, addresses } = client.localChain;
    const signer = await createKeyPairSignerFromBytes(worldWalletKey(world.seed).secretKey);
    const wallet = world.wallets.find(({ address }) => address === addresses.wallet);
    const { address, market } = itemAt(wallet?.obligations ?? [], index);
    return new Lender(client, signer, market, address);
  }

  /** A new wallet with SOL, which has no obligation yet. */
  static async fresh(client: SendingClient, number: number, marketIndex = 0): Promise<Lender> {
    const signer = await client.wallet(number);
    const market = itemAt(client.localChain.world.markets, marketIndex);
    const { address } = obligationAddress(klend, signer.address, market.address, VANILLA_OBLIGATION);
    return new Lender(client, signer, market, address);
  }

  /** A million whole tokens, or lamports for it, from the faucet. */
  fund(...symbols: string[]): void {
    const { localChain } = this.client;
    for (const symbol of symbols) {
      const { mint } = itemAt(
        localChain.world.tokens,
        localChain.world.tokens.findIndex((token) => token.symbol === symbol),
      );
      const wire =
        symbol === 'SOL'
          ? localChain.faucet.airdrop(this.signer.address, TOKENS_EACH * SOL)
          : localChain.faucet.tokens(
              this.signer.address,
              mint.address,
              TOKENS_EACH * 10n ** BigInt(mint.decimals),
            );
      if (wire === null || localChain.send(wire).failure !== null)
        throw new Error(`no ${symbol} from the faucet`);
    }
  }

  state(): Obligation {
    return obligation.decode(accountIn(this.client.localChain, this.obligation), klend);
  }

  reserve(symbol: string): Address {
    const index = this.market.reserves.findIndex(({ token }) => token.symbol === symbol);
    return itemAt(this.market.reserves, index).address;
  }

  /** Accounts that the builders read for an action. */
  accounts(action: LendingAction, symbol: string): LendingAccounts {
    const { localChain } = this.client;
    const known = localChain.account(this.obligation) !== undefined;
    return lendingAccounts(
      {
        action,
        programs: MAINNET_PROGRAMS,
        wallet: this.signer.address,
        market: this.market.address,
        reserve: this.reserve(symbol),
        obligation: known ? { address: this.obligation } : { key: VANILLA_OBLIGATION },
        lookupTables: [this.market.lookupTable],
        oracles: [],
      },
      (address) => localChain.account(address) ?? null,
      localChain.slot,
    );
  }

  /** @param baseUnits null for everything */
  build(action: LendingAction, symbol: string, baseUnits: bigint | null): readonly BuiltInstruction[] {
    const input = baseUnits === null ? ({ all: true } as const) : { baseUnits };
    return buildLending(this.accounts(action, symbol), input, this.#moment).action.instructions;
  }

  enterVault(baseUnits: bigint): readonly BuiltInstruction[] {
    return buildVaultEntry(this.#vault, { baseUnits }, this.#moment).action.instructions;
  }

  leaveVault(shares: ShareAmountInput): readonly BuiltInstruction[] {
    return buildVaultExit(this.#vault, shares, this.#moment).action.instructions;
  }

  get #vault() {
    const { localChain } = this.client;
    const request = {
      programs: MAINNET_PROGRAMS,
      wallet: this.signer.address,
      vault: localChain.addresses.vault,
      lookupTables: [],
    };
    return vaultAccounts(request, (address) => localChain.account(address) ?? null, localChain.slot);
  }

  get #moment(): Moment {
    const { slot } = this.client.localChain;
    return { slot, timestamp: BigInt(timeOf(slot)), slotDurationMs: integer(400) };
  }

  sign(instructions: readonly BuiltInstruction[]): Promise<Base64EncodedWireTransaction> {
    const { lookupTable } = this.market;
    const { addresses } = decodeLookupTable(accountIn(this.client.localChain, lookupTable));
    return this.client.signed(instructions, [this.signer], { tables: { [lookupTable]: [...addresses] } });
  }

  /** Runs them; throws unless they succeed. */
  async send(instructions: readonly BuiltInstruction[]): Promise<void> {
    const wire = Buffer.from(await this.sign(instructions), 'base64');
    const { failure } = this.client.localChain.send(wire);
    if (failure !== null) throw new Error(`The transaction failed: ${JSON.stringify(failure)}`);
  }
}

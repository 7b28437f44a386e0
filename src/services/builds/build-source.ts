import type { ProgramName } from '@sluice/protocol/deployments';
import type { FarmState } from '@sluice/protocol/farms/farm-state';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { type ProgramIds, presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { ObligationReferences } from '../../builders/action.ts';
import type { KnownAccounts, KnownReserve, ReserveRewardApys } from '../../builders/known-accounts.ts';
import { distinct } from '../../builders/read-accounts.ts';
import type { PricedReserve } from '../../domain/obligation.ts';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { Quotes } from '../../quotes/quote-source.ts';
import type { ObligationReads } from '../platform/obligation-reads.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import { rewardApysAt } from '../reserves/reserves.ts';
import { Valuation } from '../tokens/valuation.ts';
import { vaultOfFarm } from '../wallets/farm-stakes.ts';

/** Source of the builds of one request: its session, its View, and the memory of earlier builds. */
export class BuildSource implements KnownAccounts {
  readonly session: Session;
  readonly #reads: ObligationReads;

  /** Null where this deployment quotes no swaps. */
  readonly quotes: Quotes | null;

  constructor(session: Session, { obligationReads, quotes }: Pick<Platform, 'obligationReads' | 'quotes'>) {
    this.session = session;
    this.quotes = quotes;
    this.#reads = obligationReads;
  }

  get programs(): ProgramIds {
    return this.session.programs;
  }

  runsAtLeast(program: ProgramName, version: string): boolean | null {
    return this.session.runsAtLeast(program, version);
  }

  mintOf(reserve: Address): Address {
    const found = this.session.view.find('reserve', reserve);
    if (isCodedError(found, 'ACCOUNT_MALFORMED')) throw found;
    if (found === undefined || isCodedError(found))
      throw new SluiceError('KLEND_RESERVE_NOT_FOUND', { reserve });
    return found.value.liquidity.mintPubkey;
  }

  reserve(address: Address): Reserve | undefined {
    return this.session.view.get('reserve', address)?.value;
  }

  reservesOf(market: Address): readonly KnownReserve[] {
    return this.session.view.reservesOfMarket(market);
  }

  vault(address: Address): VaultState | undefined {
    return this.session.view.get('vault', address)?.value;
  }

  farm(address: Address): FarmState | undefined {
    return this.session.view.get('farm', address)?.value;
  }

  /** A market's own table is not stored on chain; it comes from the catalogue. */
  tablesOfMarket(market: Address): readonly Address[] {
    const table = Valuation.of(this.session.view).catalogue.markets.get(market)?.lookupTable;
    return table ? [table] : [];
  }

  tablesOfFarm(address: Address): readonly Address[] {
    const { view } = this.session;
    const farm = view.get('farm', address);
    const vault = farm && vaultOfFarm(view, farm);
    const reserve = view.reserveOfFarm(address);
    return distinct([
      vault ? presentAddress(vault.value.vaultLookupTable) : null,
      ...(reserve ? this.tablesOfMarket(reserve.value.lendingMarket) : []),
    ]);
  }

  lastReferences(obligation: Address): readonly Address[] | undefined {
    return this.#reads.of(obligation);
  }

  isShareMint(mint: Address): boolean {
    return this.session.view.vaultOfShares(mint) !== undefined;
  }

  rewardApys(reserve: Address, state: PricedReserve): ReserveRewardApys {
    return rewardApysAt(this.session.view, reserve, state);
  }

  /** Saves the references of an obligation for its next build. */
  remember({ obligation, addresses }: ObligationReferences): void {
    this.#reads.remember(obligation, addresses);
  }
}

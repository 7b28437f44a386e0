import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { activeBorrows, activeDeposits } from '../../domain/obligation.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { type CodedError, isCodedError } from '../../errors/sluice-error.ts';
import { type ValuedObligation, valueObligation } from '../obligations/obligations.ts';
import { type ObligationProduct, obligationProduct } from '../obligations/tags.ts';
import { scannedObligations } from '../obligations/wallet-obligations.ts';
import type { UnreadableAccounts } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { ticketPlace } from '../reserves/queue-places.ts';
import { type TicketRecord, withdrawTickets } from '../reserves/withdraw-tickets.ts';
import { isPrivateCredit } from '../vaults/vaults.ts';
import { type FarmStake, farmStakes, type StakedAmount, stakedAmount } from './farm-stakes.ts';
import { type VaultPosition, vaultPositions } from './wallets.ts';

/** Positions of one product. */
export interface PortfolioSection<T> {
  readonly positions: readonly T[];
  /** Reasons why positions may be missing, each once. */
  readonly errors: readonly ErrorCode[];
  /** False when none of its positions could be read. */
  readonly wasRead: boolean;
}

/** Tokens staked in a farm that belongs to no vault and no reserve. */
export interface StakedTokens {
  readonly farm: Address;
  readonly amount: StakedAmount;
}

/** All positions of a wallet, by product. */
export interface Portfolio {
  readonly lending: PortfolioSection<ValuedObligation>;
  readonly multiply: PortfolioSection<ValuedObligation>;
  readonly leverage: PortfolioSection<ValuedObligation>;
  readonly earn: PortfolioSection<VaultPosition>;
  readonly privateCredit: PortfolioSection<VaultPosition>;
  readonly staking: PortfolioSection<StakedTokens>;
  /** Withdrawals that wait in the queues of reserves. */
  readonly withdrawTickets: PortfolioSection<TicketRecord>;
}

/**
 * Reads a portfolio in one round, and in a second one the farms that are not in the View and the queues of tickets. A product that cannot be read
 * does not affect the others. @throws when none can be read
 */
export async function portfolio(session: Session, wallet: Address): Promise<Portfolio> {
  const { view } = session;
  const parts = await Promise.all([
    attempt(session, scannedObligations(session, wallet, null)),
    attempt(session, vaultPositions(session, wallet)),
    attempt(session, farmStakes(session, wallet)),
    attempt(session, placedTickets(session, wallet)),
  ]);
  const [obligations, vaults, stakes, queued] = parts;
  if (parts.every((part) => isCodedError(part))) throw obligations;
  const unreadable = isCodedError(stakes) ? NONE : stakes.unreadable;
  const ofVaults = errorsOfVaults(view, unreadable);
  const ofProduct = (product: ObligationProduct) =>
    section(
      obligations,
      ({ records }) =>
        records
          .filter((record) => obligationProduct(record) === product && !isEmpty(record.value))
          .map((record) => valueObligation(session, record)),
      // The product of an obligation that cannot be read is unknown.
      ({ unreadable: broken }) => [...broken.values()],
    );
  const ofVaultKind = (kind: keyof typeof ofVaults) =>
    section(
      vaults,
      (positions) => positions.filter(({ vault }) => vaultSection(view, vault.address) === kind),
      () => ofVaults[kind],
    );
  return {
    lending: ofProduct('LENDING'),
    multiply: ofProduct('MULTIPLY'),
    leverage: ofProduct('LEVERAGE'),
    earn: ofVaultKind('earn'),
    privateCredit: ofVaultKind('privateCredit'),
    staking: section(
      stakes,
      ({ stakes: all }) => all.flatMap((stake) => stakedTokensOf(view, stake)),
      () => errorsOutsideVaults(view, unreadable),
    ),
    withdrawTickets: section(
      queued,
      ({ tickets }) => tickets,
      ({ unreadable: broken }) => [...broken.values()],
    ),
  };
}

/** The tickets, once those before them in their queues are read too. */
async function placedTickets(session: Session, wallet: Address): ReturnType<typeof withdrawTickets> {
  const found = await withdrawTickets(session, wallet);
  await Promise.all(found.tickets.map((ticket) => ticketPlace(session, ticket)));
  return found;
}

const NONE: UnreadableAccounts = new Map();

/** The error of a part that cannot be read. A bug, and the end of the request, concern all parts and are thrown. */
async function attempt<R>({ signal }: Session, read: Promise<R>): Promise<R | CodedError> {
  try {
    return await read;
  } catch (error) {
    if (signal.aborted || !isCodedError(error)) throw error;
    return error;
  }
}

function section<R extends object, T>(
  part: R | CodedError,
  positions: (read: R) => readonly T[],
  errors: (read: R) => readonly CodedError[],
): PortfolioSection<T> {
  if (isCodedError(part)) return { positions: [], errors: [part.code], wasRead: false };
  const codes = errors(part).map(({ code }) => code);
  return { positions: positions(part), errors: [...new Set(codes)], wasRead: true };
}

const isEmpty = (obligation: Parameters<typeof activeDeposits>[0]): boolean =>
  activeDeposits(obligation).length === 0 && activeBorrows(obligation).length === 0;

const vaultSection = (view: View, vault: Address): 'earn' | 'privateCredit' =>
  isPrivateCredit(view, vault) ? 'privateCredit' : 'earn';

function stakedTokensOf(view: View, stake: FarmStake): StakedTokens[] {
  if (stake.vault !== null || stake.reserve !== null) return [];
  const amount = stakedAmount(view, stake);
  return amount === null || amount.amount.isZero ? [] : [{ farm: stake.farm.address, amount }];
}

/** Staked shares are unknown while the farm of their vault cannot be read. */
function errorsOfVaults(
  view: View,
  unreadable: UnreadableAccounts,
): Readonly<Record<'earn' | 'privateCredit', readonly CodedError[]>> {
  const errors = { earn: [] as CodedError[], privateCredit: [] as CodedError[] };
  for (const { address, value } of view.all('vault').values()) {
    const error = unreadable.get(value.vaultFarm);
    if (error !== undefined) errors[vaultSection(view, address)].push(error);
  }
  return errors;
}

function errorsOutsideVaults(view: View, unreadable: UnreadableAccounts): CodedError[] {
  const farms = new Set([...view.all('vault').values()].map(({ value }) => value.vaultFarm));
  return [...unreadable].flatMap(([address, error]) =>
    farms.has(address) || view.reserveOfFarm(address) !== undefined ? [] : [error],
  );
}

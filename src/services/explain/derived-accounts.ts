import { farmUserState, rewardTreasury } from '@sluice/protocol/farms/addresses';
import {
  lendingGlobalConfigAddress,
  marketAuthority,
  obligationAddress,
  ownerQueuedCollateralVault,
  referrerState,
  referrerTokenStateAddress,
  userMetadataAddress,
  withdrawTicket,
} from '@sluice/protocol/klend/addresses';
import { enqueueToWithdraw } from '@sluice/protocol/klend/withdraw-queue-instructions';
import { vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import type { NamedInstruction } from '../../builders/signing/named-instructions.ts';

/** An account that follows from the others of its instruction, whether it exists or not. */
export interface DerivedAccount {
  readonly address: Address;
  readonly name: string;
  /** The wallet that it belongs to; null when it belongs to a program. */
  readonly owner: Address | null;
  /** For a token account. */
  readonly mint?: Address;
  /** Whether it is a token account of a program, which holds the tokens for the owner. */
  readonly isCustody?: boolean;
}

/** Accounts that an instruction names and that have the address that their program derives for this role. */
export function derivedAccounts(ids: ProgramIds, instruction: NamedInstruction): DerivedAccount[] {
  const { programAddress } = instruction;
  const all = [
    ...authorities(ids, instruction),
    ...queued(ids, instruction),
    ...created(ids, instruction),
    ...walletTokens(instruction),
  ];
  return all.filter(({ address }) =>
    instruction.accounts.some((account) => account.address === address && address !== programAddress),
  );
}

function authorities(ids: ProgramIds, { programAddress, role }: NamedInstruction): DerivedAccount[] {
  const program = (address: Address, name: string) => ({ address, name, owner: null });
  const found: DerivedAccount[] = [];
  for (const [market, authority] of [
    ['lendingMarket', 'lendingMarketAuthority'],
    ['withdrawLendingMarket', 'withdrawLendingMarketAuthority'],
  ] as const) {
    const address = role(market);
    if (address === null || role(authority) === null) continue;
    found.push(program(marketAuthority(ids.klend, address).address, 'authority of the market'));
  }
  if (programAddress === ids.klend) {
    found.push(program(eventAuthority(ids.klend).address, 'event authority of the lending program'));
    found.push(program(lendingGlobalConfigAddress(ids.klend).address, 'settings of the lending program'));
  }
  if (programAddress === ids.kvault) {
    found.push(program(eventAuthority(ids.kvault).address, 'event authority of the vault program'));
    found.push(program(vaultGlobalConfigAddress(ids.kvault).address, 'settings of the vault program'));
  }
  const [config, mint] = [role('globalConfig'), role('rewardMint')];
  if (programAddress === ids.farms && config !== null && mint !== null) {
    found.push(program(rewardTreasury(ids.farms, config, mint).address, 'treasury of the farms program'));
  }
  return found;
}

/** Accounts of a withdraw queue. */
function queued(ids: ProgramIds, { programAddress, name, args, role }: NamedInstruction): DerivedAccount[] {
  const owner = role('withdrawTicketOwner') ?? role('owner');
  const [reserve, ticket] = [role('reserve'), role('withdrawTicket')];
  if (programAddress !== ids.klend || !ticket || !owner || !reserve) return [];
  const vault = ownerQueuedCollateralVault(ids.klend, reserve, owner).address;
  const sequence = args?.ticketSequenceNumber;
  const numbered = typeof sequence === 'bigint' ? withdrawTicket(ids.klend, reserve, sequence).address : null;
  // A new ticket has the next number of the queue: the program refuses any other address.
  const address = name === enqueueToWithdraw.name ? ticket : numbered;
  return [
    { address: vault, name: 'queued collateral', owner, isCustody: true },
    ...(address === null ? [] : [{ address, name: 'withdraw ticket', owner }]),
  ];
}

/** Token accounts of the signers, which an earlier transaction may have yet to create. */
function walletTokens({ accounts }: NamedInstruction): DerivedAccount[] {
  const addressesOf = (role: RegExp) => [
    ...new Set(
      accounts.flatMap((each) => (each.role !== null && role.test(each.role) ? each.address : null) ?? []),
    ),
  ];
  const owners = [...new Set(accounts.flatMap(({ isSigner, address }) => (isSigner ? address : null) ?? []))];
  if (!accounts.some(({ role }) => role?.startsWith('user'))) return [];
  const [mints, programs] = [addressesOf(/mint$/i), addressesOf(/tokenProgram$/i)];
  return owners.flatMap((owner) =>
    mints.flatMap((mint) =>
      programs.map((program) => ({
        address: associatedTokenAddress(owner, program, mint).address,
        name: '',
        owner,
        mint,
      })),
    ),
  );
}

/** Accounts that the instruction creates. */
function created(ids: ProgramIds, { name, args, role }: NamedInstruction): DerivedAccount[] {
  const [owner, mint] = [role('owner'), role('mint')];
  const tokenProgram = role('tokenProgram');
  if (name?.startsWith('createAssociatedToken') && owner && mint && tokenProgram) {
    return [{ address: associatedTokenAddress(owner, tokenProgram, mint).address, name: '', owner, mint }];
  }
  if (name === 'initUserMetadata' && owner) {
    return [{ address: userMetadataAddress(ids.klend, owner).address, name: 'registration', owner }];
  }
  if (name === 'initObligation') return createdObligation(ids, args, role);
  const [farm, obligation] = [role('reserveFarmState'), role('obligation')];
  if (name === 'initObligationFarmsForReserve' && farm && obligation) {
    return [
      {
        address: farmUserState(ids.farms, farm, obligation).address,
        name: 'farm stake of the obligation',
        owner,
      },
    ];
  }
  const [stakeFarm, delegatee] = [role('farmState'), role('delegatee')];
  if (name === 'initializeUser' && stakeFarm && delegatee) {
    return [{ address: farmUserState(ids.farms, stakeFarm, delegatee).address, name: 'farm stake', owner }];
  }
  const [referrer, reserve] = [role('referrer'), role('reserve')];
  if (role('referrerState') !== null && referrer) {
    const { address } = referrerState(ids.klend, referrer);
    return [{ address, name: 'referral account', owner: referrer }];
  }
  if (name === 'initReferrerTokenState' && referrer && reserve) {
    const { address } = referrerTokenStateAddress(ids.klend, referrer, reserve);
    return [{ address, name: "referrer's fees", owner: null }];
  }
  return [];
}

function createdObligation(
  ids: ProgramIds,
  args: NamedInstruction['args'],
  role: NamedInstruction['role'],
): DerivedAccount[] {
  const [owner, market] = [role('obligationOwner'), role('lendingMarket')];
  const [seed1, seed2] = [role('seed1Account'), role('seed2Account')];
  if (!owner || !market || !seed1 || !seed2 || args === null) return [];
  const key = { tag: Number(args.tag), id: Number(args.id), seed1, seed2 };
  return [{ address: obligationAddress(ids.klend, owner, market, key).address, name: 'obligation', owner }];
}

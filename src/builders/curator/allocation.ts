import type { Reserve } from '@sluice/protocol/klend/reserve';
import { ctokenVault as ctokenVaultAddress, reserveWhitelistEntry } from '@sluice/protocol/kvault/addresses';
import { removeAllocation, updateReserveAllocationV2 } from '@sluice/protocol/kvault/curator-instructions';
import { reserveWhitelistEntryAccount } from '@sluice/protocol/kvault/reserve-whitelist-entry';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { NO_ADDRESS, RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { TOKEN_ACCOUNT_BYTES } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { instruction } from '../built-instruction.ts';
import { changed } from '../changed-account.ts';
import { optionalAccount, programAccount, type ReadAccounts } from '../read-accounts.ts';
import { accountRent, rentWarnings } from '../referral/rent.ts';
import { symbolsFrom } from '../token-symbol.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { CuratorAccounts } from './accounts.ts';
import { type CuratorBuild, withoutAmount } from './curator-action.ts';
import { allocatedReserve, allocationAt, checkAdmin, checkAllocationAdmin, refused } from './refusals.ts';

/** Weight and caps of a reserve as the program stores them. */
export interface AllocationTerms {
  readonly weight: bigint;
  /** Base units of the vault's token; 2^64 - 1 for no cap. */
  readonly cap: bigint;
  /** Collateral tokens; 0 and 2^64 - 1 for no cap. */
  readonly collateralCap: bigint;
}

/** Of a change of terms that opens the account for the collateral tokens. */
const SET_UNITS = 60_000;

const bumpOf = ({ request }: CuratorAccounts, reserve: Address) =>
  ctokenVaultAddress(request.programs.kvault, request.vault, reserve);

/**
 * Sets weight and caps of a reserve, or adds it to the vault.
 *
 * @param given the terms to change; the others stay, and are 0 and no caps in a new allocation
 */
export function buildSetAllocation(
  accounts: CuratorAccounts,
  read: ReadAccounts,
  { address, reserve }: { readonly address: Address; readonly reserve: Reserve },
  given: Partial<AllocationTerms>,
): CuratorBuild {
  const { request, vault } = accounts;
  const { programs, wallet } = request;
  const present = allocationAt(vault, address);
  checkAllocationAdmin(accounts, present === undefined);
  checkReserve(accounts, address, reserve, present === undefined);
  const terms: AllocationTerms = {
    weight: present?.targetAllocationWeight ?? 0n,
    cap: present?.tokenAllocationCap ?? U64_MAX,
    collateralCap: present?.ctokenAllocationCap ?? U64_MAX,
    ...given,
  };
  const entry = reserveWhitelistEntry(programs.kvault, address).address;
  const listed = optionalAccount(read, entry, reserveWhitelistEntryAccount, programs.kvault);
  const holding = bumpOf(accounts, address);
  const opens = programAccount(read, holding.address) === null;
  const summary = `${present === undefined ? 'Add' : 'Set weight and caps of'} reserve ${symbolsFrom(read)(reserve)} ${address}: weight ${terms.weight}`;
  const built = instruction(
    updateReserveAllocationV2,
    programs.kvault,
    {
      signer: wallet,
      vaultState: request.vault,
      baseVaultAuthority: vault.baseVaultAuthority,
      reserveCollateralMint: reserve.collateral.mintPubkey,
      reserve: address,
      ctokenVault: holding.address,
      reserveWhitelistEntry: listed === null ? null : entry,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    { weight: terms.weight, cap: terms.cap, ctokenAllocationCap: terms.collateralCap },
    { summary },
  );
  const rent = opens ? accountRent([TOKEN_ACCOUNT_BYTES]) : null;
  const grows =
    terms.weight > (present?.targetAllocationWeight ?? 0n) || terms.cap > (present?.tokenAllocationCap ?? 0n);
  const isForbidden =
    grows && vault.allowAllocationsInWhitelistedReservesOnly === 1 && listed?.whitelistAddAllocation !== 1;
  return {
    action: withoutAmount([{ ...built, units: SET_UNITS }]),
    effect: { vault: withTerms(accounts, address, terms), reserves: new Map(), received: null },
    notes: () => ({
      rent,
      warnings: [
        ...(isForbidden ? [notListed(address)] : []),
        ...(rent === null ? [] : rentWarnings(rent, accounts.walletLamports)),
        ...(rent !== null && accounts.payer !== wallet ? [rentFromWallet('for the collateral tokens')] : []),
      ],
    }),
    added: new Map([[address, reserve]]),
    alsoChanges(changes) {
      const key = {
        owner: vault.baseVaultAuthority,
        mint: reserve.collateral.mintPubkey,
        tokenProgram: TOKEN_PROGRAM,
      };
      changes.openTokens(holding.address, key, wallet);
    },
  };
}

function checkReserve(
  { request, vault }: CuratorAccounts,
  address: Address,
  reserve: Reserve,
  isNew: boolean,
): void {
  const mint = reserve.liquidity.mintPubkey;
  if (mint !== vault.tokenMint) {
    throw refused(`reserve ${address} lends ${mint}, but vault ${request.vault} holds ${vault.tokenMint}`);
  }
  const { length } = vault.vaultAllocationStrategy;
  if (isNew && !vault.vaultAllocationStrategy.some((slot) => slot.reserve === NO_ADDRESS)) {
    throw refused(`vault ${request.vault} uses ${length} reserves already, the most that it can`);
  }
}

/** The vault with these terms, in the slot of the reserve or the first unused one. */
function withTerms(accounts: CuratorAccounts, address: Address, terms: AllocationTerms): VaultState {
  const { vault } = accounts;
  const slots = vault.vaultAllocationStrategy;
  const settings = {
    targetAllocationWeight: terms.weight,
    tokenAllocationCap: terms.cap,
    ctokenAllocationCap: terms.collateralCap,
  };
  const used = slots.findIndex(({ reserve }) => reserve === address);
  const index = used >= 0 ? used : slots.findIndex(({ reserve }) => reserve === NO_ADDRESS);
  const holding = bumpOf(accounts, address);
  const fields =
    used >= 0
      ? settings
      : {
          ...settings,
          reserve: address,
          ctokenVault: holding.address,
          ctokenVaultBump: BigInt(holding.bump),
          ctokenAllocation: 0n,
          lastInvestSlot: 0n,
          tokenTargetAllocationSf: 0n,
        };
  return changed(vault, {
    vaultAllocationStrategy: slots.map((slot, i) => (i === index ? changed(slot, fields) : slot)),
  });
}

export const notListed = (reserve: Address): BuildWarning =>
  warning(
    'RESERVE_NOT_WHITELISTED',
    `The vault accepts listed reserves only, and ${reserve} is not on the list of the vault program. Choose another reserve.`,
  );

/** @param which accounts of the vault */
export const rentFromWallet = (which: string): BuildWarning =>
  warning(
    'RENT_FROM_WALLET',
    `The wallet pays the rent of the vault's account ${which}, because the vault program accepts no other payer.`,
  );

/** Takes a reserve out of the vault. */
export function buildRemoveAllocation(accounts: CuratorAccounts, address: Address): CuratorBuild {
  const { request, vault } = accounts;
  checkAdmin(accounts);
  const { allocation } = allocatedReserve(accounts, address);
  const built = instruction(
    removeAllocation,
    request.programs.kvault,
    { vaultAdminAuthority: request.wallet, vaultState: request.vault, reserve: address },
    {},
    { summary: `Remove reserve ${address} from the vault` },
  );
  const { targetAllocationWeight: weight, ctokenAllocation: held } = allocation;
  const isRefused = weight > 0n || held > 0n;
  const emptied = {
    reserve: NO_ADDRESS,
    ctokenVault: NO_ADDRESS,
    ctokenVaultBump: 0n,
    targetAllocationWeight: 0n,
    tokenAllocationCap: U64_MAX,
    ctokenAllocationCap: U64_MAX,
    lastInvestSlot: 0n,
    tokenTargetAllocationSf: 0n,
  };
  const after = changed(vault, {
    vaultAllocationStrategy: vault.vaultAllocationStrategy.map((slot) =>
      slot.reserve === address ? changed(slot, emptied) : slot,
    ),
  });
  return {
    action: withoutAmount([built]),
    effect: { vault: isRefused ? vault : after, reserves: new Map(), received: null },
    notes: () => ({ warnings: isRefused ? [inUse(weight, held)] : [] }),
  };
}

function inUse(weight: bigint, held: bigint): BuildWarning {
  const what =
    weight > 0n
      ? `The allocation has weight ${weight}. Set it to 0 with buildSetVaultAllocation, and then let the vault leave the reserve with buildInvestVault.`
      : `The vault has ${held} base units of collateral tokens in the reserve. Let it leave the reserve with buildInvestVault first.`;
  return warning('ALLOCATION_IN_USE', what);
}

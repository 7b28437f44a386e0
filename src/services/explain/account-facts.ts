import { userState } from '@sluice/protocol/farms/user-state';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeNonceAccount } from '@sluice/protocol/system/nonce-account';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { shortened } from '../../builders/shortened.ts';
import type { NamedInstruction } from '../../builders/signing/named-instructions.ts';
import { programNames, SYSVAR_NAMES } from '../../builders/signing/program-names.ts';
import type { AccountOwnership, Signers } from '../../builders/signing/signing-warning.ts';
import type { ChainAccount } from '../../chain/accounts/account-page.ts';
import { EXPECTED_BYTES } from '../../chain/view/kinds.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import type { Session } from '../request/session.ts';
import { tokenSymbol } from '../tokens/tokens.ts';
import { type DerivedAccount, derivedAccounts } from './derived-accounts.ts';
import { namesInView } from './names-in-view.ts';

/** Facts about one account of a transaction. */
export interface AccountFacts extends AccountOwnership {
  /** Mint of a token account. */
  readonly mint: Address | null;
  /** Decimals of a mint. */
  readonly decimals: number | null;
  /** As it is on the chain; null when it was not read or does not exist. */
  readonly account: ChainAccount | null;
}

export type FactsByAddress = ReadonlyMap<Address, AccountFacts>;

const NOTHING: AccountFacts = {
  name: null,
  isKnown: false,
  owner: null,
  mint: null,
  decimals: null,
  account: null,
};

/** Identifies the accounts of a transaction. Those that are not in the View are read, in one batch. */
export async function accountFacts(
  session: Session,
  instructions: readonly NamedInstruction[],
  signers: Signers,
): Promise<FactsByAddress> {
  const { view, programs } = session;
  const names = new Map([...programNames(programs), ...SYSVAR_NAMES]);
  const inView = namesInView(view);
  const addresses = new Set([
    ...signers.all,
    ...instructions.flatMap(({ accounts }) => accounts.flatMap(({ address }) => address ?? [])),
  ]);
  const derived = new Map<Address, DerivedAccount>();
  for (const each of instructions.flatMap((instruction) => derivedAccounts(programs, instruction))) {
    derived.set(each.address, each);
  }
  const entries = [...addresses].map(async (address): Promise<readonly [Address, AccountFacts]> => {
    const name = names.get(address) ?? inView.get(address);
    if (name !== undefined) {
      const decimals = view.get('mint', address)?.value.decimals ?? null;
      return [address, { ...NOTHING, name, isKnown: true, decimals }];
    }
    const account = await session.account(address, EXPECTED_BYTES.tokenAccount);
    return [address, { ...factsOf(session, address, account, derived.get(address), signers), account }];
  });
  return new Map(await Promise.all(entries));
}

function factsOf(
  session: Session,
  address: Address,
  account: ChainAccount | null,
  derived: DerivedAccount | undefined,
  signers: Signers,
): AccountFacts {
  if (signers.all.has(address)) {
    return { ...NOTHING, name: signerName(address, signers), isKnown: true, owner: address };
  }
  // A token account of a program tells less than the address that the program derives for it.
  if (derived?.owner === null) return { ...NOTHING, name: derived.name, isKnown: true };
  if (derived?.isCustody === true) return owned(derived.name, derived.owner, signers);
  const read = account === null ? null : readFacts(session, account, signers);
  if (read !== null) return read;
  if (derived === undefined) return NOTHING;
  const { name, owner, mint } = derived;
  return mint === undefined ? owned(name, owner, signers) : tokenAccountFacts(session, mint, owner, signers);
}

function signerName(address: Address, { wallet, feePayer }: Signers): string {
  if (address === wallet) return 'your wallet';
  return address === feePayer ? 'fee payer' : `signer ${shortened(address)}`;
}

/** Null when its program or its data is not known. */
function readFacts(session: Session, account: ChainAccount, signers: Signers): AccountFacts | null {
  const { klend, farms } = session.programs;
  const attempts: readonly (() => AccountFacts)[] = [
    () => {
      const { mint, owner } = decodeTokenAccount(account);
      return tokenAccountFacts(session, mint, owner, signers);
    },
    () => {
      const { decimals } = decodeMint(account);
      return { ...NOTHING, name: tokenSymbol(session.view, account.address), isKnown: true, decimals };
    },
    () => owned('obligation', obligation.decode(account, klend).owner, signers),
    () => owned('registration', userMetadata.decode(account, klend).owner, signers),
    () => owned('withdraw ticket', withdrawTicket.decode(account, klend).owner, signers),
    () => owned('farm stake', userState.decode(account, farms).owner, signers),
    () => {
      referrerTokenState.decode(account, klend);
      return { ...NOTHING, name: "referrer's fees", isKnown: true };
    },
  ];
  for (const attempt of attempts) {
    try {
      return attempt();
    } catch (error) {
      if (!isCodedError(error)) throw error;
    }
  }
  const nonce = account.owner === SYSTEM_PROGRAM ? decodeNonceAccount(account.data) : undefined;
  return nonce ? owned('nonce account', nonce.authority, signers) : null;
}

function tokenAccountFacts(session: Session, mint: Address, owner: Address, signers: Signers): AccountFacts {
  return { ...owned(`${tokenSymbol(session.view, mint)} account`, owner, signers), mint };
}

/** An account of a wallet. One of a wallet that does not sign is not known. */
function owned(what: string, owner: Address, { wallet, all }: Signers): AccountFacts {
  const name = owner === wallet ? `your ${what}` : `${what} of ${shortened(owner)}`;
  return { ...NOTHING, name, isKnown: all.has(owner), owner };
}

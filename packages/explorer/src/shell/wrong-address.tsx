import { graphql, type SluiceClient } from '@sluice/client';
import { useSession, useSluiceQuery } from '@sluice/client/react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon } from '../ui/icon.tsx';
import { looksLikeAddress, mistyped } from '../ui/looks-like-address.ts';
import { Page } from '../ui/page.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Usd } from '../ui/value.tsx';
import { type Found, findAddress, type Place } from './find-address.ts';
import { focusSearch } from './search-focus.ts';

const VAULT_THERE = graphql(`query IsVault($address: Address!) { there: vault(address: $address) { id } }`);
const MARKET_THERE = graphql(
  `query IsMarket($address: Address!) { there: market(address: $address) { id } }`,
);
const RESERVE_THERE = graphql(
  `query IsReserve($address: Address!) { there: reserve(address: $address) { id } }`,
);
const THERE = { vault: VAULT_THERE, market: MARKET_THERE, reserve: RESERVE_THERE } as const;

const SUMMARY = graphql(`
  query WalletSummary($address: Address!) {
    wallet(address: $address) {
      id
      worth: netValue { usd }
      inVaults: vaultPositions(first: 1) { totalCount }
      owed: obligations(first: 1) { totalCount }
    }
  }
`);

interface OnlyAtProps {
  readonly kind: keyof typeof THERE;
  readonly address: string;
  /** The page about it. */
  readonly children: ReactNode;
}

/** A page about an address of one kind. For any other address it says what that is, and leads there. */
export function OnlyAt({ kind, address, children }: OnlyAtProps): ReactNode {
  const isAddress = looksLikeAddress(address);
  const { data } = useSluiceQuery(THERE[kind], { address }, { enabled: isAddress });
  if (!isAddress) return <NoSuchAddress address={address} />;
  const isElsewhere =
    data !== undefined && data.data.there === null && data.errors.every(({ retryable }) => !retryable);
  return isElsewhere ? <WrongAddress address={address} expected={kind} /> : children;
}

const ARTICLES: Readonly<Record<Place, string>> = {
  vault: 'a vault',
  reserve: 'a reserve',
  market: 'a market',
  loan: 'a loan',
  wallet: 'a wallet',
  transaction: 'a transaction',
};

function useWhatIsAt(client: SluiceClient, address: string) {
  return useQuery<Found, Error>({
    queryKey: ['what is at', client.url, address],
    queryFn: ({ signal }) => findAddress(client, address, signal),
    retry: false,
  });
}

/** What an address is instead of what was expected. */
function WrongAddress({
  address,
  expected,
}: {
  readonly address: string;
  readonly expected: Place;
}): ReactNode {
  const { client } = useSession();
  const { data: found, error, refetch } = useWhatIsAt(client, address);
  const isPlace = found !== undefined && 'kind' in found;
  const title = isPlace
    ? `This is ${ARTICLES[found.kind]}, not ${ARTICLES[expected]}`
    : `This is not ${ARTICLES[expected]}`;
  return (
    <Page title={title}>
      <section className="panel wrong-address" aria-label={title}>
        <p className="mono muted">{address}</p>
        {error !== null && <Failure error={error} retry={() => void refetch()} />}
        {found === undefined && error === null && <Loading what="what it is" />}
        {found !== undefined && 'reason' in found && <p>{found.reason}</p>}
        {isPlace && found.name !== null && found.name !== '' && <p>Its name is {found.name}.</p>}
        {isPlace && found.kind === 'loan' && <p>It is shown with the other loans of its wallet.</p>}
        {isPlace && found.kind === 'wallet' && <WalletSummary address={address} />}
        {isPlace && (
          <Link className="button primary" href={found.route}>
            Open the {found.kind === 'loan' ? 'wallet of the loan' : found.kind}
          </Link>
        )}
      </section>
    </Page>
  );
}

/** What a wallet has here; an address that was never used may as well be a wallet. */
function WalletSummary({ address }: { readonly address: string }): ReactNode {
  const wallet = useSluiceQuery(SUMMARY, { address }, {}).data?.data.wallet;
  if (wallet === undefined) return <p className="muted">Looking at what it has…</p>;
  const vaults = wallet.inVaults?.totalCount ?? null;
  const loans = wallet.owed?.totalCount ?? null;
  if (vaults === null || loans === null) return null;
  if (vaults + loans === 0) return <p>It has no deposits and no loans here.</p>;
  return (
    <p>
      It has {counted(vaults, 'vault position')} and {counted(loans, 'loan')}, worth{' '}
      <Usd value={wallet.worth?.usd} absent="A price is unknown." />.
    </p>
  );
}

const counted = (count: number, what: string): string =>
  `${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`;

/** A text that no address can be, with what is wrong in it. */
export function NoSuchAddress({ address }: { readonly address: string }): ReactNode {
  const { pieces, reason } = mistyped(address);
  return (
    <Page title="No such address">
      <section className="panel wrong-address" aria-label="No such address">
        <p className="mono muted">
          {pieces.map(({ text, isWrong }, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name.
            isWrong ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
          )}
        </p>
        <p>{reason} Was it cut or mistyped? You can search for a name instead.</p>
        <button type="button" onClick={focusSearch}>
          <Icon name="search" />
          Search
        </button>
      </section>
    </Page>
  );
}

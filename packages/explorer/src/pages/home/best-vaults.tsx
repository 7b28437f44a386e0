import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { CanLeave, VaultName, vaultName, YieldMix } from '../../lending/vault-cells.tsx';
import { Choice } from '../../ui/choice.tsx';
import { largestOf, MoneyValue } from '../../ui/currency.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { TokenMark } from '../../ui/mark.tsx';
import { Legend } from '../../ui/mix-bar.tsx';
import { useUrlChoice, useUrlState } from '../../ui/url-state.ts';
import { Percent, Usd } from '../../ui/value.tsx';
import { MINE, type OfferedVaultRow } from './home-documents.ts';
import { type Offer, offersFor, type Ranking, tokensOf } from './offers.ts';

const UNREADABLE = 'A reserve of this vault cannot be read';
const MOST = 5;

const RANKINGS: readonly (readonly [Ranking, string])[] = [
  ['total', 'Total APY'],
  ['interest', 'Interest only'],
  ['value', 'Value'],
];

export interface BestVaultsProps {
  readonly vaults: readonly OfferedVaultRow[];
  /** The connected wallet, whose idle tokens could earn. */
  readonly wallet: string | null;
}

/** The best vault for each token that the wallet holds, or the best ones for a chosen token. */
export function BestVaults({ vaults, wallet }: BestVaultsProps): ReactNode {
  const mine = useSluiceQuery(MINE, { address: wallet ?? '' }, { enabled: wallet !== null });
  const balances = mine.data?.data.wallet.balances ?? null;
  const held = useMemo(
    () => (balances ?? []).filter(({ token, usd }) => token.sharesOf === null && usd !== null),
    [balances],
  );
  const tokens = useMemo(() => tokensOf(vaults), [vaults]);
  const [mint, setMint] = useUrlState('token', tokens[0]?.mint ?? '');
  const [ranking, rank] = useUrlChoice<Ranking>(
    'by',
    RANKINGS.map(([key]) => key),
    'total',
  );
  const isMine = wallet !== null && held.length > 0;
  const offers = useMemo(
    () => offersFor(vaults, isMine ? held : null, mint, ranking).slice(0, MOST),
    [vaults, isMine, held, mint, ranking],
  );
  const columns = useMemo(() => columnsOf(offers, isMine), [offers, isMine]);
  const token = tokens.find((one) => one.mint === mint) ?? tokens[0];
  return (
    <section className="panel" aria-labelledby="best-vaults">
      <header>
        <h2 id="best-vaults">
          {isMine ? 'Best vaults for what you hold' : `Where can my ${token?.symbol ?? 'tokens'} earn?`}
        </h2>
        <Choice label="Rank by" options={RANKINGS} value={ranking} onChange={rank} />
      </header>
      {!isMine && (
        <fieldset className="chips">
          <legend className="visually-hidden">Token</legend>
          {tokens.slice(0, 8).map((one) => (
            <button
              key={one.mint}
              type="button"
              className="chip"
              aria-pressed={one.mint === token?.mint}
              onClick={() => setMint(one.mint)}
            >
              <TokenMark name={one.symbol} size={22} /> {one.symbol}
            </button>
          ))}
        </fieldset>
      )}
      <DataTable
        label="Best vaults"
        rows={offers}
        columns={columns}
        rowKey={({ vault }) => vault.address}
        href={({ vault }) => `/vaults/${vault.address}`}
        empty="No vault takes this token."
      />
      <Legend
        entries={[
          { color: '--series-1', text: 'Interest: paid by borrowers' },
          { color: '--series-2', text: 'Rewards: paid by farms and campaigns, they end' },
        ]}
      />
    </section>
  );
}

function columnsOf(offers: readonly Offer[], isMine: boolean): readonly Column<Offer>[] {
  const largest = largestOf(offers.map(({ vault }) => vault.totalValue?.usd));
  const columns: readonly (Column<Offer> | null)[] = [
    { key: 'vault', name: 'Vault', cell: ({ vault }) => <VaultName vault={vault} /> },
    {
      key: 'apy',
      name: 'APY',
      align: 'end',
      isKey: true,
      cell: ({ vault }) => (
        <span className="big">
          <Percent value={vault.currentApy?.total} absent={UNREADABLE} />
        </span>
      ),
    },
    {
      key: 'mix',
      name: 'Where it comes from',
      cell: ({ vault }) => <YieldMix apy={vault.currentApy} why={UNREADABLE} />,
    },
    isMine
      ? {
          key: 'year',
          name: 'A year, for you',
          align: 'end',
          cell: ({ yearUsd, interestUsd }) => (
            <span className="two-lines">
              <strong>
                <Usd derived value={yearUsd} />
              </strong>
              <span className="line2">
                <Usd derived value={interestUsd} /> of it interest
              </span>
            </span>
          ),
        }
      : null,
    {
      key: 'value',
      name: 'Value',
      align: 'end',
      isMinor: true,
      cell: ({ vault }) => (
        <MoneyValue
          money={vault.totalValue && { ...vault.totalValue, token: vault.token }}
          largest={largest}
          absent={UNREADABLE}
        />
      ),
    },
    {
      key: 'leave',
      name: 'Can leave now',
      align: 'end',
      isMinor: true,
      cell: ({ vault }) => <CanLeave vault={vault} why={UNREADABLE} />,
    },
    {
      key: 'go',
      name: 'Action',
      align: 'end',
      cell: ({ vault }) => (
        <Link
          href={`/vaults/${vault.address}`}
          className="button small"
          aria-label={`Deposit into ${vaultName(vault)}`}
        >
          Deposit
        </Link>
      ),
    },
  ];
  return columns.filter((column) => column !== null);
}

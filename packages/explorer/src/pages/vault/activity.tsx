import { Decimal, type VariablesOf } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useWalletChoice } from '../../act/wallet-context.tsx';
import { shortAddress } from '../../format/address.ts';
import { curatorName } from '../../lending/curator-name.tsx';
import { isHistoryStarting } from '../../ui/absence.ts';
import { Panel } from '../../ui/panel.tsx';
import { Awaited, Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Tokens } from '../../ui/value.tsx';
import type { Move } from './moves.ts';
import { VAULT_TRANSACTIONS, type VaultDetail, type VaultTransactionRow } from './vault-documents.ts';

const LINES = 7;

const VERBS: Readonly<Record<VaultTransactionRow['kind'], string>> = {
  DEPOSIT: 'deposited',
  WITHDRAW: 'withdrew',
  TRANSFER_IN: 'received shares',
  TRANSFER_OUT: 'sent shares away',
  INVEST: 'moved tokens',
};

interface ActivityProps {
  readonly vault: VaultDetail;
  /** Newest first. Null while they are unknown. */
  readonly moves: readonly Move[] | null;
  /** Shows all transactions. */
  readonly onAll: () => void;
}

/** What happened to the vault, as sentences: holders, and whoever moved its tokens. */
export function Activity({ vault, moves, onAll }: ActivityProps): ReactNode {
  const variables: VariablesOf<typeof VAULT_TRANSACTIONS> = {
    address: vault.address,
    first: LINES,
    kinds: ['DEPOSIT', 'WITHDRAW', 'TRANSFER_IN', 'TRANSFER_OUT'],
  };
  const result = useSluiceQuery(VAULT_TRANSACTIONS, variables, { refetchMs: 30_000 });
  return (
    <Panel
      title="Activity"
      document={VAULT_TRANSACTIONS}
      variables={variables}
      result={result}
      controls={
        <button type="button" className="quiet" onClick={onAll}>
          All<span className="visually-hidden"> transactions</span>
        </button>
      }
    >
      {({ vault: read }) => {
        const nodes = read?.transactions?.nodes ?? null;
        if (nodes === null)
          return isHistoryStarting(result.data?.errors ?? []) ? (
            <Awaited />
          ) : (
            <Empty>There are no transactions to list.</Empty>
          );
        return <Feed vault={vault} transactions={nodes} moves={moves ?? []} />;
      }}
    </Panel>
  );
}

interface Line {
  readonly key: string;
  readonly createdAt: string;
  readonly said: ReactNode;
  readonly amount: ReactNode;
}

function Feed({
  vault,
  transactions,
  moves,
}: Pick<ActivityProps, 'vault'> & {
  readonly transactions: readonly VaultTransactionRow[];
  readonly moves: readonly Move[];
}): ReactNode {
  const { wallet } = useWalletChoice();
  const { symbol } = vault.token;
  const lines: Line[] = [
    ...transactions.map(({ id, createdAt, kind, tokens, wallet: { address } }) => ({
      key: id,
      createdAt,
      said: (
        <>
          <By address={address} me={wallet?.address ?? null} vault={vault} /> {VERBS[kind]}
        </>
      ),
      amount: <Tokens value={Decimal.of(tokens.amount).abs().toString()} symbol={symbol} derived />,
    })),
    ...moves.slice(0, LINES).map(({ signature, createdAt, by, amount, words }) => ({
      key: signature,
      createdAt,
      said: (
        <>
          <By address={by} me={wallet?.address ?? null} vault={vault} />
          {amount === null ? ` ${words}` : ` moved tokens ${words}`}
        </>
      ),
      amount: amount === null ? null : <Tokens value={amount.toString()} symbol={symbol} derived />,
    })),
  ];
  const newest = lines.sort((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, LINES);
  if (newest.length === 0) return <Empty>Nothing has happened yet.</Empty>;
  return (
    <ul className="feed">
      {newest.map(({ key, createdAt, said, amount }) => (
        <li key={key}>
          <span className="when">
            <Time value={createdAt} />
          </span>
          <span>{said}</span>
          <span>{amount}</span>
        </li>
      ))}
    </ul>
  );
}

/** "You", the curator by name, or a wallet by its address. */
function By({
  address,
  me,
  vault: { curator, state },
}: {
  readonly address: string;
  readonly me: string | null;
  readonly vault: VaultDetail;
}): ReactNode {
  if (address === me) return <b>You</b>;
  if (address === state.vaultAdminAuthority || address === state.allocationAdmin) return curatorName(curator);
  return (
    <Link href={`/wallet/${address}`} title={address} className="mono">
      {shortAddress(address)}
    </Link>
  );
}

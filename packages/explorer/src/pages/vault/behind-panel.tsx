import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { part } from '../../format/numbers.ts';
import { Choice } from '../../ui/choice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { useUrlChoice } from '../../ui/url-state.ts';
import { Part } from '../../ui/value.tsx';
import { type BehindGroup, behindOf, type Grouping } from './behind.ts';
import { BehindMap } from './behind-map.tsx';
import { VAULT_BEHIND, type VaultRisk } from './vault-documents.ts';

const GROUPINGS: readonly (readonly [Grouping, string])[] = [
  ['kind', 'Kind'],
  ['token', 'Token'],
];

/** What backs the tokens of the vault: a map by market, and the same numbers as a list. */
export function BehindPanel({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(VAULT_BEHIND, variables, { refetchMs: 60_000 });
  const [grouping, group] = useUrlChoice<Grouping>('behind', ['token', 'kind'], 'token');
  return (
    <Panel
      title="What stands behind it"
      document={VAULT_BEHIND}
      variables={variables}
      result={result}
      controls={<Choice label="Group by" options={GROUPINGS} value={grouping} onChange={group} />}
    >
      {({ vault }) =>
        vault?.risk ? (
          <Known risk={vault.risk} token={vault.token} grouping={grouping} />
        ) : (
          <Empty>The loans behind this vault cannot be read now.</Empty>
        )
      }
    </Panel>
  );
}

interface KnownProps {
  readonly risk: VaultRisk;
  readonly token: { readonly symbol: string; readonly mint: string };
  readonly grouping: Grouping;
}

function Known({ risk, token, grouping }: KnownProps): ReactNode {
  const { groups, places } = useMemo(() => behindOf(risk, token, grouping), [risk, token, grouping]);
  if (risk.reserves.length === 0)
    return <Empty>The vault has lent nothing: all of it is in the vault.</Empty>;
  return (
    <>
      <p className="sub">
        The vault lends {token.symbol} to {risk.reserves.length}{' '}
        {risk.reserves.length === 1 ? 'reserve' : 'reserves'}. Each lends on against collateral; areas show
        what backs the loans now, and what is not lent.
      </p>
      <BehindMap
        places={places}
        label={`Map of the vault by market and by what stands behind it: ${places
          .map(({ name, share }) => `${name} ${part(share).text}`)
          .join(', ')}. The list below has the numbers.`}
      />
      <ul className="parts">
        {groups.map((one) => (
          <Group key={one.key} group={one} />
        ))}
      </ul>
    </>
  );
}

const Group = ({ group: { name, color, share, detail } }: { readonly group: BehindGroup }): ReactNode => (
  <li>
    <i style={{ background: `var(${color})` }} aria-hidden="true" />
    <span>
      {name}
      {detail !== '' && <span className="line2">{detail}</span>}
    </span>
    <b>
      <Part value={share.toString()} derived />
    </b>
  </li>
);

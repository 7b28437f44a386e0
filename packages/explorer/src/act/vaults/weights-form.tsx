import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { shortAddress } from '../../format/address.ts';
import { Choice } from '../../ui/choice.tsx';
import type { TokenUnit } from '../tasks/read.ts';
import { BacktestPart } from './backtest-part.tsx';
import { VAULT_RESERVES } from './create-vault-documents.ts';
import { PlanPart } from './plan-part.tsx';
import { TargetFields } from './target-fields.tsx';
import { readTargets, type TargetReserve, type TypedTargets } from './targets.ts';
import './vaults.css';

/** A vault with its present weights. */
export interface WeighedVault {
  readonly address: string;
  readonly admin: string;
  readonly allocationAdmin: string;
  readonly token: TokenUnit & { readonly mint: string };
  readonly reserves: readonly TargetReserve[];
  readonly unallocatedWeight: string;
}

const MOST_RESERVES = 100;

type Question = 'moves' | 'backtest';

const QUESTIONS = [
  ['moves', 'Plan the moves'],
  ['backtest', 'Backtest'],
] as const satisfies readonly (readonly [Question, string])[];

/** Weights to try: the moves that reach them, and what they would have earned. */
export default function WeightsForm({ vault }: { readonly vault: WeighedVault }): ReactNode {
  const { token, unallocatedWeight } = vault;
  const [question, ask] = useState<Question>('moves');
  const [typed, setTyped] = useState<TypedTargets>({ reserves: {}, idle: unallocatedWeight });
  const [added, setAdded] = useState<readonly TargetReserve[]>([]);
  const others = useSluiceQuery(VAULT_RESERVES, { first: MOST_RESERVES, tokenMints: [token.mint] });
  const used = new Set(vault.reserves.map(({ address }) => address));
  const reserves = [...vault.reserves, ...added.filter(({ address }) => !used.has(address))];
  const named = new Map([
    ...(others.data?.data.reserves.nodes ?? []).map(
      ({ address, market }) => [address, `${market?.name || 'Reserve'} ${shortAddress(address)}`] as const,
    ),
    ...reserves.map(({ address, name }) => [address, name] as const),
  ]);
  const nameOf = (address: string): string => named.get(address) ?? shortAddress(address);
  const listed = new Set(reserves.map(({ address }) => address));
  const { wanted, mistakes } = readTargets(reserves, typed, unallocatedWeight, token);
  return (
    <div className="act-form">
      <p className="muted">
        A reserve gets its weight as part of all weights, up to its cap. An empty cap stays as it is; “none”
        takes it away. Trying changes nothing.
      </p>
      <TargetFields
        reserves={reserves}
        others={[...named].filter(([address]) => !listed.has(address))}
        symbol={token.symbol}
        typed={typed}
        mistakes={mistakes}
        onChange={setTyped}
        onAdd={(address) => setAdded([...added, { address, name: nameOf(address), present: null }])}
      />
      <Choice label="What to see" options={QUESTIONS} value={question} onChange={ask} />
      {question === 'moves' ? (
        <PlanPart vault={vault} wanted={wanted} nameOf={nameOf} />
      ) : (
        <BacktestPart vault={vault} reserves={reserves} wanted={wanted} nameOf={nameOf} />
      )}
    </div>
  );
}

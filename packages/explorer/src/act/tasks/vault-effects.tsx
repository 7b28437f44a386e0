import { type ActionPreview, Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { ChangeRow, ChangeTable } from '../../ui/change-table.tsx';
import { Absent, Plain, Tokens } from '../../ui/value.tsx';
import { settingName, settingText } from './setting-words.ts';

type VaultPart = NonNullable<ActionPreview['vault']>;

interface VaultEffectsProps {
  readonly vault: VaultPart;
  /** Of the token of the vault. */
  readonly symbol: string;
  readonly nameOf: (reserve: string) => string;
}

/** What an action changes in a vault: its settings, its reserves and its tokens. Nothing that stays as it is. */
export function VaultEffects({ vault, symbol, nameOf }: VaultEffectsProps): ReactNode {
  const rows = [...settingRows(vault, symbol), ...tokenRows(vault, nameOf)];
  if (rows.length === 0) return <p className="muted">The vault stays as it is.</p>;
  return (
    <ChangeTable caption="The vault before and after" heads={[`In the vault, ${symbol}`, 'Before', 'After']}>
      {rows}
    </ChangeTable>
  );
}

const settingRows = ({ settings }: VaultPart, symbol: string): readonly ReactNode[] =>
  settings.map(({ setting, before, after }) => (
    <ChangeRow
      key={setting}
      name={settingName(setting)}
      before={settingText(setting, before, symbol)}
      after={settingText(setting, after, symbol)}
    />
  ));

export interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

/** Fees and interest move other reserves by less. */
const NOTICED_PLACES = 2;

/** Whether tokens move as far as a reader would notice. */
export function isMoved({ before, after }: Change): boolean {
  if (before === null || after === null) return before !== after;
  return !Decimal.of(after).minus(Decimal.of(before)).truncated(NOTICED_PLACES).isZero;
}

function tokenRows(vault: VaultPart, nameOf: VaultEffectsProps['nameOf']) {
  const { idleTokens, pendingFees, rewardsAvailable, paid, received, rent, allocations } = vault;
  const amounts = [
    { name: 'You pay', moved: paid },
    { name: 'You receive', moved: received },
    { name: 'Rent that you pay', moved: rent },
  ].flatMap(({ name, moved }) =>
    moved === null
      ? []
      : [
          <ChangeRow
            key={name}
            name={name}
            before={<Absent why="An amount of this action" />}
            after={<Tokens derived value={moved.amount} symbol={moved.token.symbol} />}
          />,
        ],
  );
  const changes = [
    ...allocations.flatMap(({ reserve, weight, cap, collateralCap, targetTokens, tokens }) => {
      const name = nameOf(reserve);
      return [
        { name: `Weight of ${name}`, change: weight, isChanged: isOther(weight) },
        { name: `Cap of ${name}`, change: cap, isChanged: isOther(cap), absent: 'No cap' },
        {
          name: `Collateral cap of ${name}`,
          change: collateralCap,
          isChanged: isOther(collateralCap),
          absent: 'No cap',
        },
        { name: `Target of ${name}`, change: targetTokens, isChanged: isMoved(targetTokens) },
        { name: `In ${name}`, change: tokens, isChanged: isMoved(tokens) },
      ];
    }),
    { name: 'Idle', change: idleTokens, isChanged: isMoved(idleTokens) },
    { name: 'Fees owed', change: pendingFees, isChanged: isMoved(pendingFees) },
    {
      name: 'Rewards not released',
      change: rewardsAvailable,
      isChanged: isOther(rewardsAvailable),
    },
  ];
  return [
    ...changes.flatMap(({ name, change, isChanged, absent = 'Not in the vault' }) =>
      isChanged
        ? [
            <ChangeRow
              key={name}
              name={name}
              before={<Amount value={change.before} absent={absent} />}
              after={<Amount value={change.after} absent={absent} />}
            />,
          ]
        : [],
    ),
    ...amounts,
  ];
}

const isOther = ({ before, after }: Change): boolean => before !== after;

interface AmountProps {
  readonly value: string | null;
  /** Meaning of null, in words. */
  readonly absent: string;
}

/** Fractions of large amounts say nothing, and a phone has no room for them. */
const LARGE = Decimal.of('10000');

function Amount({ value, absent }: AmountProps): ReactNode {
  if (value === null) return absent;
  return <Plain derived value={value} places={Decimal.of(value).compare(LARGE) >= 0 ? 0 : 2} />;
}

import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { MixBar } from '../../ui/mix-bar.tsx';
import { Part, UsdShort } from '../../ui/value.tsx';

export interface SharedPart {
  readonly key: string;
  readonly name: ReactNode;
  /** A fraction. */
  readonly share: string;
  readonly usd: string;
}

const NAMED = 6;

/** What a whole consists of: a bar, and the largest parts with their numbers. The rest is one part. */
export function ShareList({ parts }: { readonly parts: readonly SharedPart[] }): ReactNode {
  const named = parts.length > NAMED + 1 ? parts.slice(0, NAMED) : parts;
  const rest = parts.slice(named.length);
  const shown = [
    ...named.map((one, index) => ({ ...one, color: `--series-${index + 1}`, isSum: false })),
    ...(rest.length === 0
      ? []
      : [
          {
            key: 'rest',
            name: `${rest.length} more`,
            color: '--series-7',
            share: Decimal.sum(rest.map(({ share }) => Decimal.of(share))).toString(),
            usd: Decimal.sum(rest.map(({ usd }) => Decimal.of(usd))).toString(),
            isSum: true,
          },
        ]),
  ];
  return (
    <>
      <MixBar parts={shown.map(({ key, color, share }) => ({ key, color, value: share }))} />
      <ul className="parts">
        {shown.map(({ key, name, color, share, usd, isSum }) => (
          <li key={key}>
            <i style={{ background: `var(${color})` }} aria-hidden="true" />
            <span>
              {name}
              <span className="line2">
                <UsdShort value={usd} derived={isSum} />
              </span>
            </span>
            <b>
              <Part value={share} derived={isSum} />
            </b>
          </li>
        ))}
      </ul>
    </>
  );
}

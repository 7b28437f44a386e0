import type { ReactNode } from 'react';

/** White letters reach 4.5:1 on each, in both themes. */
const COLOURS = [
  '#163f66',
  '#8a3d0f',
  '#5a3fb0',
  '#1c6b4a',
  '#7a2c3f',
  '#5d4a8a',
  '#1f5c66',
  '#4b5a1f',
  '#8a4a00',
  '#2257b0',
  '#3f4f66',
  '#9c2f58',
] as const;

/** The same colour for a name on every page. */
function colourOf(name: string): string {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return COLOURS[hash % COLOURS.length] ?? COLOURS[0];
}

const firstOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '?';

export interface MarkProps {
  /** Its first letter is drawn where there is no logo. */
  readonly name: string;
  readonly logo?: string | null;
  /** Symbol of the token of a vault, drawn small in the corner. */
  readonly token?: string;
  readonly size?: number;
}

/** A token: a circle. Beside its name, so that screen readers skip it. */
export function TokenMark({ name, logo = null, size = 32 }: MarkProps): ReactNode {
  if (logo !== null) return <img className="mark round" src={logo} alt="" width={size} height={size} />;
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={colourOf(name)} />
      <text x="16" y="21.5" textAnchor="middle" fontSize="15">
        {firstOf(name)}
      </text>
    </svg>
  );
}

/** A market, a curator or a vault: a square, with the token of a vault in its corner. */
export function PlaceMark({ name, logo = null, token, size = 40 }: MarkProps): ReactNode {
  if (logo !== null) return <img className="mark" src={logo} alt="" width={size} height={size} />;
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <rect width="36" height="36" rx="10" fill={colourOf(name)} />
      <text x="18" y="24" textAnchor="middle" fontSize="17">
        {firstOf(name)}
      </text>
      {token !== undefined && (
        <>
          <circle className="rim" cx="31" cy="31" r="9" />
          <circle cx="31" cy="31" r="7.5" fill={colourOf(token)} />
          <text x="31" y="34.2" textAnchor="middle" fontSize="9">
            {firstOf(token)}
          </text>
        </>
      )}
    </svg>
  );
}

import type { ReactNode } from 'react';

export interface ChangeTableProps {
  /** For screen readers. */
  readonly caption: string;
  /** Heads of the columns: what changes, and its two states. */
  readonly heads: readonly [what: ReactNode, before: string, after: string];
  readonly children: ReactNode;
}

/** Values in two states, such as before and after an action. */
export function ChangeTable({
  caption,
  heads: [what, before, after],
  children,
}: ChangeTableProps): ReactNode {
  return (
    <div className="effects">
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{what}</th>
            <th scope="col" className="end">
              {before}
            </th>
            <th scope="col" className="end">
              {after}
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export interface ChangeRowProps {
  readonly name: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
  /** Class of the second state. */
  readonly tone?: string;
}

export function ChangeRow({ name, before, after, tone = '' }: ChangeRowProps): ReactNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="end">{before}</td>
      <td className={`end ${tone}`}>{after}</td>
    </tr>
  );
}

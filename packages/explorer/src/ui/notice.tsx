import type { ReactNode } from 'react';

export type Tone = 'info' | 'safe' | 'caution' | 'danger';

export interface NoticeProps {
  readonly tone: Tone;
  readonly title?: string;
  readonly children?: ReactNode;
}

/** A remark that is read out when it appears: errors at once, the rest when the reader pauses. */
export function Notice({ tone, title, children }: NoticeProps): ReactNode {
  return (
    <div className={`notice ${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      {title !== undefined && <strong>{title}</strong>}
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}

/** A word in a coloured frame, for a state or a kind. */
export function Badge({
  tone = 'info',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}

import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** The words of the scale of risk, and a remark that says nothing about risk. */
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
      <Icon name={tone} />
      <div className="said">
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div>{children}</div>}
      </div>
    </div>
  );
}

/** A word in a coloured frame, for a state or a kind, with its sign. */
export function Badge({
  tone = 'info',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className={`badge ${tone}`}>
      {tone !== 'info' && <Icon name={tone} />}
      <span>{children}</span>
    </span>
  );
}

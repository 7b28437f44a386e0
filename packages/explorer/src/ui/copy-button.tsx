import { type ReactNode, useState } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
  /** Shows an icon; the label is for screen readers and on hover. */
  readonly icon?: boolean;
  /** Makes it a button of its own, with this picture before its label. */
  readonly picture?: IconName;
}

/** Copies a text and says so for a moment. */
export function CopyButton({ label, text, icon = false, picture }: CopyButtonProps): ReactNode {
  const [said, say] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      say('Copied');
    } catch {
      say('The browser does not allow it');
    }
    setTimeout(() => say(null), 2_000);
  };
  return (
    <button
      type="button"
      className={icon ? 'icon-button' : picture === undefined ? 'quiet' : 'small'}
      onClick={() => void copy()}
      title={icon ? label : undefined}
      aria-label={icon ? label : undefined}
    >
      {icon && said === null ? (
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z" />
        </svg>
      ) : (
        <>
          {picture !== undefined && <Icon name={picture} />}
          <span aria-live="polite">{said ?? label}</span>
        </>
      )}
    </button>
  );
}

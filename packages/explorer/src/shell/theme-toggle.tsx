import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../ui/theme.ts';

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = { system: 'light', light: 'dark', dark: 'system' };

/** Steps from the setting of the device to light to dark. The choice is remembered. */
export function ThemeToggle(): ReactNode {
  const choice = useThemeChoice();
  const label = `Theme: ${choice}. Change to ${NEXT[choice]}`;
  return (
    <button
      type="button"
      className="tool bare theme"
      title={label}
      aria-label={label}
      onClick={() => chooseTheme(NEXT[choice])}
    >
      <Icon name="theme" />
    </button>
  );
}

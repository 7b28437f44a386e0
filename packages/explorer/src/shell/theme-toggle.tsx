import type { ReactNode } from 'react';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../ui/theme.ts';

const NEXT: Readonly<Record<ThemeChoice, ThemeChoice>> = { system: 'light', light: 'dark', dark: 'system' };

const ICONS: Readonly<Record<ThemeChoice, string>> = {
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
  light:
    'M8 5a3 3 0 1 0 0 6a3 3 0 0 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  dark: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
};

/** Steps from the setting of the device to light to dark. The choice is remembered. */
export function ThemeToggle(): ReactNode {
  const choice = useThemeChoice();
  const label = `Theme: ${choice}. Change to ${NEXT[choice]}`;
  return (
    <button
      type="button"
      className="icon-button theme"
      title={label}
      aria-label={label}
      onClick={() => chooseTheme(NEXT[choice])}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={ICONS[choice]} />
      </svg>
    </button>
  );
}

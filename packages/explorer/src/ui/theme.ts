import { useSyncExternalStore } from 'react';
import { preference, usePreference } from './preference.ts';

/** `system` follows the setting of the device. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const theme = preference<ThemeChoice>('theme', ['system', 'light', 'dark'], 'system');
const dark = matchMedia('(prefers-color-scheme: dark)');

/** The style sheet reads the attribute; without it the system decides. */
function apply(): void {
  const choice = theme.current();
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

theme.subscribe(apply);
apply();

export const chooseTheme = theme.choose;

export const useThemeChoice = (): ThemeChoice => usePreference(theme);

function subscribe(changed: () => void): () => void {
  const forget = theme.subscribe(changed);
  dark.addEventListener('change', changed);
  return () => {
    forget();
    dark.removeEventListener('change', changed);
  };
}

const schemeOf = (choice: ThemeChoice): 'light' | 'dark' =>
  choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice;

/** The colours on screen now. Charts paint pixels, so they have to be drawn again when it changes. */
export const useColorScheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribe, () => schemeOf(theme.current()));

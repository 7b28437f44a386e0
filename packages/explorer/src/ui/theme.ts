import { useSyncExternalStore } from 'react';

/** `system` follows the setting of the device. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'sluice.theme';
const CHANGED = 'sluice-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/** A browser may refuse storage, for example in a sandboxed frame: the choice then lasts as long as the page. */
let choice = stored();

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

/** The style sheet reads the attribute; without it the system decides. */
function apply(): void {
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  apply();
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Stays for this visit, see above.
  }
  dispatchEvent(new Event(CHANGED));
}

function subscribe(changed: () => void): () => void {
  const fromOtherTab = ({ key }: StorageEvent) => {
    if (key !== KEY) return;
    choice = stored();
    apply();
    changed();
  };
  addEventListener(CHANGED, changed);
  addEventListener('storage', fromOtherTab);
  dark.addEventListener('change', changed);
  return () => {
    removeEventListener(CHANGED, changed);
    removeEventListener('storage', fromOtherTab);
    dark.removeEventListener('change', changed);
  };
}

apply();

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, () => choice);

/** The colours on screen now. Charts paint pixels, so they have to be drawn again when it changes. */
export const useColorScheme = (): 'light' | 'dark' =>
  useSyncExternalStore(subscribe, () => (choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice));

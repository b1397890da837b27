import { useSyncExternalStore } from 'react';

type Theme = 'light' | 'dark';

/**
 * The storage key of the theme, which is light by default (docs/specification.md §1.3). theme.js reads the same key before the
 * first paint.
 */
const key = 'theme';
const listeners = new Set<() => void>();

const current = (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');

function apply(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // If storage is refused, the theme is applied but not remembered.
  }
  apply(theme);
}

export const toggleTheme = (): void => setTheme(current() === 'dark' ? 'light' : 'dark');

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key) apply(event.newValue === 'dark' ? 'dark' : 'light');
  };
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, current);

import { useSyncExternalStore } from 'react';

type Theme = 'light' | 'dark';

/**
 * docs/specification.md §1.3: kept under `theme`, light unless chosen otherwise. theme.js reads the same key before
 * anything is drawn.
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
    // Not remembered, but shown.
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

import { useEffect } from 'react';
import { stopsKey, viewRestored } from '../../../kit/grid/grid-settings.ts';
import { readPreference, usePreference } from '../../../kit/api/account-storage.ts';

/** The fields of a new challan at which Enter stops although they need no typing (docs/keyboard.md §6). */
export function useStops(): [stops: ReadonlySet<string>, change: (name: string, isStop: boolean) => void] {
  const [text, setText] = usePreference<string>(stopsKey, '');
  useEffect(
    () => viewRestored.subscribe((key) => key === stopsKey && setText(readPreference<string>(stopsKey, ''))),
    [setText],
  );
  const names = text.split(',').filter(Boolean);
  const change = (name: string, isStop: boolean): void =>
    setText([...names.filter((other) => other !== name), ...(isStop ? [name] : [])].join(','));
  return [new Set(names), change];
}

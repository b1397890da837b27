import { clsx } from 'clsx';
import { keysIn } from './key-table.ts';

/** Shows a key, a combination or a sequence: '?', 'Ctrl+K', 'g c'. */
export function KeyHint({ keys, className }: { keys: string; className?: string }) {
  return (
    <span className={clsx('inline-flex items-center gap-1 whitespace-nowrap', className)}>
      {keys.split(' ').map((combination, index) => (
        <span key={`${combination}-${index}`} className="inline-flex gap-0.5">
          {keysIn(combination).map((key) => (
            <kbd
              key={key}
              className="min-w-5 rounded border border-line bg-sunken px-1 text-center font-sans text-[11px] leading-4.5 text-muted"
            >
              {key}
            </kbd>
          ))}
        </span>
      ))}
    </span>
  );
}

import { useId, type ReactNode } from 'react';
import { Tabs as Radix } from 'radix-ui';
import { clsx } from 'clsx';
import { useKeyHelp, type KeyTable } from './key-table.ts';
import { Tooltip } from './tooltip.tsx';

interface Tab<V extends string = string> {
  value: V;
  label: ReactNode;
  content: ReactNode;
  /** Why the tab cannot be opened yet. It stays focusable, and screen readers announce the reason. */
  disabledReason?: string | undefined;
}

interface TabsProps<V extends string> {
  label: string;
  value: V;
  onValueChange: (value: V) => void;
  tabs: readonly Tab<V>[];
  /** Left and Right open the tab they reach instead of waiting for Enter. For tabs that need no loading. */
  follow?: boolean;
  /** The content fills the remaining height. */
  fill?: boolean;
  /** Called with the reason when a disabled tab is pressed. */
  onRefused?: (reason: string) => void;
}

/** The keys of every tab list. Radix handles them. */
export const tabKeys = {
  walk: { keys: ['←', '→'], label: 'Previous and next tab', by: 'library' },
  edge: { keys: ['Home', 'End'], label: 'First and last tab', by: 'library' },
  open: { keys: ['Enter', 'Space'], label: 'Open the tab', by: 'library' },
} as const satisfies KeyTable;

export function Tabs<V extends string>({ label, value, onValueChange, tabs, ...props }: TabsProps<V>) {
  const { follow = false, fill = false, onRefused } = props;
  const id = useId();
  useKeyHelp('Tabs', tabKeys);
  return (
    <Radix.Root
      value={value}
      activationMode={follow ? 'automatic' : 'manual'}
      className={clsx(fill && 'flex min-h-0 flex-1 flex-col')}
      onValueChange={(next) => {
        const tab = tabs.find((item) => item.value === next);
        if (tab?.disabledReason) onRefused?.(tab.disabledReason);
        else if (tab) onValueChange(tab.value);
      }}
    >
      <Radix.List aria-label={label} className="flex shrink-0 gap-1 border-b border-line">
        {tabs.map((tab) => (
          <Tooltip key={tab.value} text={tab.disabledReason}>
            <Radix.Trigger
              value={tab.value}
              aria-disabled={tab.disabledReason ? true : undefined}
              aria-describedby={tab.disabledReason ? `${id}-${tab.value}` : undefined}
              className={clsx(
                '-mb-px h-9 border-b-2 border-transparent px-3 font-medium text-muted',
                'data-[state=active]:border-primary data-[state=active]:text-ink',
                tab.disabledReason ? 'cursor-not-allowed opacity-60' : 'hover:text-ink',
              )}
            >
              {tab.label}
            </Radix.Trigger>
          </Tooltip>
        ))}
      </Radix.List>
      {tabs.map(({ value, disabledReason }) =>
        disabledReason ? (
          <span key={value} id={`${id}-${value}`} hidden>
            {disabledReason}
          </span>
        ) : null,
      )}
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          className={clsx('pt-4', fill && 'min-h-0 flex-1 flex-col gap-3 data-[state=active]:flex')}
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

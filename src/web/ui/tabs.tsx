import type { ReactNode } from 'react';
import { Tabs as Radix } from 'radix-ui';
import { clsx } from 'clsx';
import { Tooltip } from './tooltip.tsx';

export interface Tab<V extends string = string> {
  value: V;
  label: ReactNode;
  content: ReactNode;
  /** Why it cannot be opened yet; read out, since the tab stays reachable. */
  disabledReason?: string | undefined;
}

interface TabsProps<V extends string> {
  label: string;
  value: V;
  onValueChange: (value: V) => void;
  tabs: readonly Tab<V>[];
}

export function Tabs<V extends string>({ label, value, onValueChange, tabs }: TabsProps<V>) {
  return (
    <Radix.Root
      value={value}
      activationMode="manual"
      onValueChange={(next) => {
        const tab = tabs.find((item) => item.value === next);
        if (tab && !tab.disabledReason) onValueChange(tab.value);
      }}
    >
      <Radix.List aria-label={label} className="flex gap-1 border-b border-line">
        {tabs.map((tab) => (
          <Tooltip key={tab.value} text={tab.disabledReason}>
            <Radix.Trigger
              value={tab.value}
              aria-disabled={tab.disabledReason ? true : undefined}
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
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

import type { ComponentProps } from 'react';
import type { LucideIcon } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { buttonOf, type Action } from './registry.ts';

interface ActionButtonProps extends Omit<ComponentProps<typeof Button>, 'icon' | 'onClick' | 'keys'> {
  action: Action;
  icon?: LucideIcon;
}

/** The button of an action, with its label unless it has other words. */
export function ActionButton({ action, icon: Icon, children = action.label, ...button }: ActionButtonProps) {
  return (
    <Button icon={Icon && <Icon size={14} aria-hidden />} {...buttonOf(action)} {...button}>
      {children}
    </Button>
  );
}

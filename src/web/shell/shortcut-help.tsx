import { keysOf, useRegistered, type Action } from '../actions/registry.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { KeyHint } from '../ui/key-hint.tsx';

interface ShortcutHelpProps {
  lettersOn: boolean;
  onLetters: (on: boolean) => void;
  onClose: () => void;
}

/** The keys of this screen, read from the actions themselves: what is not here does not work, and the other way round. */
export default function ShortcutHelp({ lettersOn, onLetters, onClose }: ShortcutHelpProps) {
  const registered = useRegistered();
  const scopes = new Map<string, Action[]>();
  for (const { dialog, actions } of registered.toReversed()) {
    if (dialog !== undefined) continue;
    for (const action of actions) {
      if (keysOf(action).length > 0) scopes.set(action.scope, [...(scopes.get(action.scope) ?? []), action]);
    }
  }
  return (
    <Dialog
      open
      title="Keyboard shortcuts"
      size="lg"
      closeOnOutside
      onClose={onClose}
      footer={
        <Checkbox
          className="mr-auto"
          label="Keys without Ctrl or Alt, such as P or ?, work outside text fields"
          checked={lettersOn}
          onCheckedChange={onLetters}
        />
      }
    >
      <div className="gap-8 sm:columns-2">
        {[...scopes].map(([scope, actions]) => (
          <section key={scope} className="mb-5 break-inside-avoid">
            <h3 className="mb-1.5 text-xs font-semibold text-muted">{scope}</h3>
            <dl className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1">
              {actions.map((action) => (
                <div key={action.id} className="contents">
                  <dt>{action.label}</dt>
                  <dd className="flex items-center justify-end gap-2">
                    {keysOf(action).map((keys) => (
                      <KeyHint key={keys} keys={keys} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

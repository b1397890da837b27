import { actionsOf, keysOf, useRegistered, type Action } from '../actions/registry.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { KeyHint } from '../ui/key-hint.tsx';

interface ShortcutHelpProps {
  /** The dialog it was asked for in; absent: the screen. */
  dialog: symbol | undefined;
  lettersOn: boolean;
  onLetters: (on: boolean) => void;
  onClose: () => void;
}

/** Of the platform, in every dialog. */
const dialogKeys: readonly Action[] = [
  {
    id: 'dialog.close',
    label: 'Close',
    keys: 'Esc',
    scope: 'Every dialog',
    handledElsewhere: true,
    run: () => undefined,
  },
];

/** The keys of this screen or dialog, read from the actions themselves: what is not here does not work, and the other way round. */
export default function ShortcutHelp({ dialog, lettersOn, onLetters, onClose }: ShortcutHelpProps) {
  const registered = useRegistered();
  const scopes = new Map<string, Action[]>();
  const own = actionsOf(registered, dialog);
  for (const action of dialog === undefined ? own : [...own, ...dialogKeys]) {
    if (keysOf(action).length > 0) scopes.set(action.scope, [...(scopes.get(action.scope) ?? []), action]);
  }
  return (
    <Dialog
      open
      title={dialog === undefined ? 'Keyboard shortcuts' : 'Keyboard shortcuts of this dialog'}
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

import { actionsOf, keysOf, useRegistered } from '../actions/registry.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { keyList, useShownKeys } from '../ui/key-table.ts';

interface ShortcutHelpProps {
  /** The dialog it was asked for in; absent: the screen. */
  dialog: symbol | undefined;
  lettersOn: boolean;
  onLetters: (on: boolean) => void;
  onClose: () => void;
}

interface HelpEntry {
  label: string;
  keys: readonly string[];
}

/** The keys of this screen or dialog, from the same tables that its handlers dispatch from. */
export default function ShortcutHelp({ dialog, lettersOn, onLetters, onClose }: ShortcutHelpProps) {
  const registered = useRegistered();
  const tables = useShownKeys();
  /** By heading and label: five date fields have one entry. */
  const scopes = new Map<string, Map<string, HelpEntry>>();
  const add = (scope: string, entry: HelpEntry): void => {
    if (entry.keys.length > 0) scopes.set(scope, (scopes.get(scope) ?? new Map()).set(entry.label, entry));
  };
  for (const action of actionsOf(registered, dialog)) add(action.scope, { label: action.label, keys: keysOf(action) });
  for (const { scope, table, dialog: of } of tables) {
    if (of !== dialog) continue;
    for (const entry of Object.values(table)) add(scope, { label: entry.label, keys: keyList(entry) });
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
      <div
        role="group"
        aria-label="Keys"
        className="gap-8 outline-offset-4 sm:columns-2"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- with the focus here the arrow keys scroll the keys
        tabIndex={0}
      >
        {[...scopes].map(([scope, entries]) => (
          <section key={scope} className="mb-5 break-inside-avoid">
            <h3 className="mb-1.5 text-xs font-semibold text-muted">{scope}</h3>
            <dl className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1">
              {[...entries.values()].map(({ label, keys }) => (
                <div key={label} className="contents">
                  <dt>{label}</dt>
                  <dd className="flex items-center justify-end gap-2">
                    {keys.map((combination) => (
                      <KeyHint key={combination} keys={combination} />
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

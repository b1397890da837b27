import { useId } from 'react';
import { useLocation } from 'react-router-dom';
import { clsx } from 'clsx';
import type { AccountRole } from '../../../shared/contract/define.ts';
import { actionsOf, keysOf, useRegistered } from '../../kit/actions/registry.ts';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { KeyHint } from '../../kit/ui/key-hint.tsx';
import { keyList, useShownKeys } from '../../kit/ui/key-table.ts';
import { netAmount } from '../../features/challans/help.ts';
import type { Term } from '../../kit/actions/help-text.ts';
import { helpAt } from './screen-help.ts';
import { pages } from '../pages.ts';
import { Scrolled } from '../../kit/ui/page.tsx';

interface ShortcutHelpProps {
  /** The dialog in which the help was opened; undefined for the screen. */
  dialog: symbol | undefined;
  role: AccountRole;
  lettersOn: boolean;
  onLetters: (on: boolean) => void;
  onClose: () => void;
}

interface HelpEntry {
  label: string;
  keys: readonly string[];
}

/**
 * The keys of this screen or dialog, from the same tables that the handlers use. For a screen also its purpose and its most
 * common jobs (docs/specification.md §19.1).
 */
export default function ShortcutHelp({ dialog, role, lettersOn, onLetters, onClose }: ShortcutHelpProps) {
  const registered = useRegistered();
  const tables = useShownKeys();
  const { pathname } = useLocation();
  const screen = dialog === undefined ? helpAt(pathname, role) : undefined;
  /** The entries by heading and label, so that five date fields have only one entry. */
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
      title={dialog === undefined ? 'Help' : 'Keyboard shortcuts of this dialog'}
      size={screen ? 'xl' : 'lg'}
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
      <div className={clsx(screen && 'grid items-start gap-x-10 gap-y-6 lg:grid-cols-[3fr_2fr]')}>
        {screen && <About {...screen} />}
        <Scrolled aria-label="Keys" className={clsx('gap-8 outline-offset-4 sm:columns-2', screen && 'lg:columns-1')}>
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
        </Scrolled>
      </div>
    </Dialog>
  );
}

/** The purpose of the screen, its most common jobs, and the meaning of its terms. */
function About({ screen, help }: NonNullable<ReturnType<typeof helpAt>>) {
  const keysHere = pages[screen.id].goTo?.keys;
  const id = useId();
  return (
    <Scrolled aria-labelledby={id} className="min-w-0 outline-offset-4">
      <h3 id={id} className="font-semibold">
        {screen.name}
      </h3>
      <p className="mt-1">{help.purpose}</p>
      {keysHere && (
        <p className="mt-1 flex flex-wrap items-center gap-2 text-muted">
          From any screen:
          {keysHere.map((keys) => (
            <KeyHint key={keys} keys={keys} />
          ))}
        </p>
      )}
      {help.jobs.map(({ title, steps }) => (
        <section key={title}>
          <h4 className={headingLook}>{title}</h4>
          <ol className="grid list-decimal gap-1 pl-5">
            {steps.map((step) => (
              <li key={step}>
                <WithKeys text={step} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {help.terms && (
        <section>
          <h4 className={headingLook}>What the words mean</h4>
          <Terms terms={help.terms} />
        </section>
      )}
      {help.hasNet && (
        <section>
          <h4 className={headingLook}>How the net amount is worked out</h4>
          <p className="mb-1.5">{netAmount.sum}</p>
          <Terms terms={netAmount.lines} />
          <p className="mt-1.5">{netAmount.note}</p>
        </section>
      )}
    </Scrolled>
  );
}

const headingLook = 'mt-4 mb-1.5 text-xs font-semibold text-muted';

/** Renders a text with keys between backticks. */
function WithKeys({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 0 ? part : <KeyHint key={`${part}-${index}`} keys={part} className="mx-0.5" />,
    );
}

function Terms({ terms }: { terms: readonly Term[] }) {
  return (
    <dl className="grid gap-1">
      {terms.map(([label, meaning]) => (
        <div key={label}>
          <dt className="inline font-semibold">{label}: </dt>
          <dd className="inline">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

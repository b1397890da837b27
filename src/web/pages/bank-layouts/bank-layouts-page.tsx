import { useMemo, useRef, useState } from 'react';
import { Copy, Download, Plus, Save, Trash2, Upload } from 'lucide-react';
import { bankLayouts } from '../../api/bank-layouts.ts';
import {
  layoutDefinition,
  separatorNames,
  separators,
  type LayoutDefinition,
  type LayoutField,
} from '../../../shared/bank/layout.ts';
import { bankLayoutInput, type BankLayout } from '../../../shared/contract/bank-layouts.ts';
import { useBankLayoutActions } from '../../actions/bank-layouts.ts';
import { buttonOf } from '../../actions/registry.ts';
import { saveText } from '../../api/client.ts';
import { change } from '../../api/optimistic.ts';
import { confirm } from '../../feedback/confirm.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notify } from '../../feedback/toast.ts';
import { Page } from '../../shell/page.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { LayoutFields, newField, type Place, type RecordName } from './layout-fields.tsx';
import { LayoutTrial } from './layout-trial.tsx';

/** What is being arranged; without an id it is new. */
interface Draft {
  id: string | undefined;
  version: number;
  name: string;
  definition: LayoutDefinition;
}

const draftOf = ({ id, isShipped, version, name, definition }: BankLayout): Draft => ({
  id: isShipped ? undefined : id,
  version,
  name: isShipped ? `${name}, our own` : name,
  definition,
});

/** /profile/bank-layouts: what a bank's file looks like, arranged and tried on a payment (docs/specification.md §24.3). */
export function BankLayoutsPage() {
  const query = bankLayouts.useList({});
  const layouts = query.data?.data;
  if (!layouts) {
    return (
      <Page title="Bank Layouts">
        {query.isError && (
          <FailureAlert error={query.error} fallback="Failed to fetch layouts" onRetry={() => void query.refetch()} />
        )}
      </Page>
    );
  }
  return <Arranged layouts={layouts} />;
}

const kinds = (['separated', 'fixed width', 'spreadsheet'] as const).map((value) => ({
  value,
  label: { separated: 'Separated text', 'fixed width': 'Fixed width', spreadsheet: 'Spreadsheet' }[value],
}));
const lineEnds = [
  { value: 'CRLF', label: 'Windows (CRLF)' },
  { value: 'LF', label: 'Unix (LF)' },
] as const;
const failed = 'Failed to save the layout';

/** What was saved is in the list at once: until the list is asked again, the screen would show its first layout. */
const inList = ({ data: saved }: { data: BankLayout }) => [
  change(bankLayouts.calls.list, (answer) => {
    const index = answer.data.findIndex(({ id }) => id === saved.id);
    answer.data.splice(index < 0 ? answer.data.length : index, index < 0 ? 0 : 1, saved);
  }),
];

function Arranged({ layouts }: { layouts: readonly BankLayout[] }) {
  const [chosen, setChosen] = useState(layouts[0]?.id ?? '');
  const start = layouts.find(({ id }) => id === chosen) ?? layouts[0];
  const [changed, setChanged] = useState<Draft>();
  const draft = changed ?? (start && draftOf(start));
  const [place, setPlace] = useState<Place>({ record: 'fields', index: 0 });
  const file = useRef<HTMLInputElement>(null);

  const choose = (id: string): void => {
    setChosen(id);
    setChanged(undefined);
    setPlace({ record: 'fields', index: 0 });
  };
  const saved = ({ data }: { data: BankLayout }): void => {
    notify.success(`Layout “${data.name}” saved`);
    choose(data.id);
  };
  const tell = (error: unknown): void => void notify.error(error, failed);
  // A second press can come before the button shows that it is busy.
  const isSending = useRef(false);
  const writing = { learned: inList, onSuccess: saved, onError: tell, onSettled: () => (isSending.current = false) };
  const create = bankLayouts.useCreate(writing);
  const update = bankLayouts.useUpdate(writing);
  const { mutateAsync: remove } = bankLayouts.useRemove({ onSuccess: () => choose(layouts[0]?.id ?? '') });

  const checked = useMemo(
    () => draft && bankLayoutInput.safeParse({ name: draft.name, definition: draft.definition }),
    [draft],
  );
  /** Theirs, where it was saved while this was being arranged. */
  const theirs = draft?.id !== undefined && start?.id === draft.id && start.version > draft.version ? start : undefined;
  const problems = checked?.error?.issues.map(({ message }) => message) ?? [];
  const isBusy = create.isPending || update.isPending;
  const setDefinition = (change: Partial<LayoutDefinition>): void => {
    if (draft) setChanged({ ...draft, definition: { ...draft.definition, ...change } });
  };
  const setFields = (record: RecordName, fields: LayoutField[]): void => setDefinition({ [record]: fields });

  const actions = useBankLayoutActions({
    save: () => {
      if (!draft || !checked?.success || isSending.current) return;
      isSending.current = true;
      const { id, version } = draft;
      if (id === undefined) create.mutate({ body: checked.data });
      else update.mutate({ params: { id }, body: { ...checked.data, version } });
    },
    saveReason:
      problems[0] ??
      (theirs && 'Somebody else has changed this layout: take theirs, or keep yours') ??
      (changed ? undefined : 'Nothing was changed'),
    copy: () => draft && setChanged({ ...draft, id: undefined, name: `${draft.name}, copy` }),
    remove: () => {
      if (!start || start.isShipped) return;
      void confirm({
        title: `Delete layout “${start.name}”?`,
        body: 'Bank files that were made with it stay as they are.',
        confirmLabel: 'Delete',
        danger: true,
        act: () => remove({ params: { id: start.id } }),
        failed: 'Failed to delete the layout',
      });
    },
    removeReason: start?.isShipped === false ? undefined : 'A layout that comes with the product cannot be deleted',
    exportJson: () => {
      if (!draft) return;
      const content = `${JSON.stringify({ name: draft.name, definition: draft.definition }, null, 2)}\n`;
      saveText({ content, filename: 'bank-layout.json', contentType: 'application/json' });
    },
    importJson: () => file.current?.click(),
    addField: () => {
      if (!draft) return;
      setFields(place.record, [...draft.definition[place.record], newField]);
      setPlace({ ...place, index: draft.definition[place.record].length });
    },
    move: (by) => {
      const fields = [...(draft?.definition[place.record] ?? [])];
      const [field] = fields.splice(place.index, 1);
      const index = place.index + by;
      if (!field || index < 0 || index > fields.length) return;
      fields.splice(index, 0, field);
      setFields(place.record, fields);
      setPlace({ ...place, index });
    },
  });

  const open = async (chosenFile: File): Promise<void> => {
    let read: unknown;
    try {
      read = JSON.parse(await chosenFile.text());
    } catch {
      read = undefined;
    }
    const layout = bankLayoutInput.safeParse(read);
    if (layout.success) setChanged({ id: undefined, version: 0, ...layout.data });
    else notify.error(`This file is no layout: ${layout.error.issues[0]?.message ?? 'it cannot be read'}`);
  };

  if (!draft) return null;
  const { definition } = draft;
  return (
    <Page
      title="Bank Layouts"
      actions={
        <>
          <Button icon={<Upload size={14} aria-hidden />} {...buttonOf(actions.importJson)}>
            {actions.importJson.label}
          </Button>
          <Button icon={<Download size={14} aria-hidden />} {...buttonOf(actions.exportJson)}>
            {actions.exportJson.label}
          </Button>
          <Button icon={<Copy size={14} aria-hidden />} {...buttonOf(actions.copy)}>
            {actions.copy.label}
          </Button>
          <Button icon={<Trash2 size={14} aria-hidden />} {...buttonOf(actions.remove)}>
            {actions.remove.label}
          </Button>
          <Button variant="primary" icon={<Save size={14} aria-hidden />} busy={isBusy} {...buttonOf(actions.save)}>
            {actions.save.label}
          </Button>
        </>
      }
    >
      <input
        ref={file}
        type="file"
        accept=".json"
        aria-label="File of a layout"
        className="hidden"
        onChange={({ target }) => {
          const [first] = target.files ?? [];
          target.value = '';
          if (first) void open(first);
        }}
      />
      <div className="grid grid-cols-4 gap-x-3 gap-y-1">
        <Select
          label="Layout"
          value={start?.id ?? ''}
          onValueChange={choose}
          options={layouts.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextField
          label="Name"
          required
          maxLength={100}
          value={draft.name}
          onValueChange={(name) => setChanged({ ...draft, name })}
        />
        <Select
          label="Kind"
          value={definition.kind}
          options={kinds}
          onValueChange={(kind) => setDefinition({ kind })}
        />
        <Select
          label="Separator"
          value={definition.separator ?? ','}
          options={separatorNames.map((value) => ({ value, label: separators[value] }))}
          onValueChange={(separator) => setDefinition({ separator })}
        />
        <TextField
          label="File Name"
          required
          hint="{client} {DD} {MM} {YYYY} {serial:3}"
          value={definition.fileName}
          onValueChange={(fileName) => setDefinition({ fileName })}
        />
        <TextField
          label="Extension"
          value={definition.extension}
          onValueChange={(extension) => setDefinition({ extension })}
        />
        <Select
          label="Line End"
          value={definition.lineEnd}
          options={lineEnds}
          onValueChange={(lineEnd) => setDefinition({ lineEnd })}
        />
        <TextField
          label="Accepted Signs"
          hint="Beside letters, digits and space"
          value={definition.signs}
          onValueChange={(signs) => setDefinition({ signs })}
        />
      </div>
      <Checkbox
        label="A heading row with the labels"
        checked={definition.heading}
        onCheckedChange={(heading) => setDefinition({ heading })}
      />
      {theirs && (
        <Alert
          tone="warn"
          title="Somebody else has changed this layout meanwhile"
          actions={
            <>
              <Button size="sm" onClick={() => setChanged(undefined)}>
                Take Theirs
              </Button>
              <Button size="sm" onClick={() => setChanged({ ...draft, version: theirs.version })}>
                Keep Mine
              </Button>
            </>
          }
        >
          Take theirs, and what you have arranged is gone; or keep yours, and save over what they have arranged.
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert tone="warn" title="This layout cannot be saved yet">
          {[...new Set(problems)].slice(0, 5).join('. ')}.
        </Alert>
      )}
      <LayoutFields
        definition={definition}
        place={place}
        onPlace={setPlace}
        onFields={setFields}
        add={
          <Button icon={<Plus size={14} aria-hidden />} {...buttonOf(actions.addField)}>
            {actions.addField.label}
          </Button>
        }
      />
      {layoutDefinition.safeParse(definition).success && <LayoutTrial definition={definition} />}
    </Page>
  );
}

import { useMemo, useRef, useState } from 'react';
import { Copy, Download, Plus, Save, Trash2, Upload } from 'lucide-react';
import { bankLayouts } from '../../resources/bank-layouts.ts';
import {
  layoutDefinition,
  separatorNames,
  separators,
  type LayoutDefinition,
  type LayoutField,
} from '../../../shared/bank/layout.ts';
import { bankLayoutInput, type BankLayout } from '../../../shared/contract/bank-layouts.ts';
import { bankLayoutCommands } from './bank-layout-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { saveText } from '../../kit/api/client.ts';
import { change } from '../../kit/api/optimistic.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { ScreenTabs } from '../../kit/records/screen-tabs.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { FileInput } from '../../kit/ui/file-input.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { LayoutFields, newField, type Place, type RecordName } from './layout-fields.tsx';
import { LayoutTrial } from './layout-trial.tsx';

/** The layout that is being edited. Without an id it is a new one. */
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

/** /profile/bank-layouts: edits the layouts of bank files and tries them on a payment (docs/specification.md §24.3). */
export function BankLayoutsPage() {
  const query = bankLayouts.useList({});
  const layouts = query.data?.data;
  if (!layouts) {
    return (
      <Page title="Bank Layouts">
        <ScreenTabs of="profile" />
        <QueryFailure query={query} fallback="Failed to fetch layouts" />
      </Page>
    );
  }
  return <LayoutEditor layouts={layouts} />;
}

const kinds = (['separated', 'fixed width', 'spreadsheet'] as const).map((value) => ({
  value,
  label: { separated: 'Separated text', 'fixed width': 'Fixed width', spreadsheet: 'Spreadsheet' }[value],
}));
const lineEnds = [
  { value: 'CRLF', label: 'Windows (CRLF)' },
  { value: 'LF', label: 'Unix (LF)' },
] as const;
const failedText = 'Failed to save the layout';

/**
 * Puts the saved layout into the cached list at once. Otherwise the screen would show its first layout until the list
 * is loaded again.
 */
const putIntoList = ({ data: saved }: { data: BankLayout }) => [
  change(bankLayouts.calls.list, (answer) => {
    const index = answer.data.findIndex(({ id }) => id === saved.id);
    answer.data.splice(index < 0 ? answer.data.length : index, index < 0 ? 0 : 1, saved);
  }),
];

function LayoutEditor({ layouts }: { layouts: readonly BankLayout[] }) {
  const [chosen, setChosen] = useState(layouts[0]?.id ?? '');
  const selectedLayout = layouts.find(({ id }) => id === chosen) ?? layouts[0];
  const [editedDraft, setEditedDraft] = useState<Draft>();
  const draft = editedDraft ?? (selectedLayout && draftOf(selectedLayout));
  const [place, setPlace] = useState<Place>({ record: 'fields', index: 0 });
  const fileInputRef = useRef<HTMLInputElement>(null);

  const choose = (id: string): void => {
    setChosen(id);
    setEditedDraft(undefined);
    setPlace({ record: 'fields', index: 0 });
  };
  const onSaved = ({ data }: { data: BankLayout }): void => {
    notify.success(`Layout “${data.name}” saved`);
    choose(data.id);
  };
  const showError = (error: unknown): void => void notify.error(error, failedText);
  // Blocks a second press that comes before the button is shown as busy.
  const isSending = useRef(false);
  const saveOptions = {
    fromAnswer: putIntoList,
    onSuccess: onSaved,
    onError: showError,
    onSettled: () => (isSending.current = false),
  };
  const create = bankLayouts.useCreate(saveOptions);
  const update = bankLayouts.useUpdate(saveOptions);
  const { mutateAsync: remove } = bankLayouts.useRemove({ onSuccess: () => choose(layouts[0]?.id ?? '') });

  const validation = useMemo(
    () => draft && bankLayoutInput.safeParse({ name: draft.name, definition: draft.definition }),
    [draft],
  );
  /** The version of somebody else, if it was saved while the user was editing. */
  const theirVersion =
    draft?.id !== undefined && selectedLayout?.id === draft.id && selectedLayout.version > draft.version
      ? selectedLayout
      : undefined;
  const problems = validation?.error?.issues.map(({ message }) => message) ?? [];
  const isBusy = create.isPending || update.isPending;
  const setDefinition = (change: Partial<LayoutDefinition>): void => {
    if (draft) setEditedDraft({ ...draft, definition: { ...draft.definition, ...change } });
  };
  const setFields = (record: RecordName, fields: LayoutField[]): void => setDefinition({ [record]: fields });

  const move = (by: 1 | -1): void => {
    const fields = [...(draft?.definition[place.record] ?? [])];
    const [field] = fields.splice(place.index, 1);
    const index = place.index + by;
    if (!field || index < 0 || index > fields.length) return;
    fields.splice(index, 0, field);
    setFields(place.record, fields);
    setPlace({ ...place, index });
  };

  const actions = useCommands(bankLayoutCommands, {
    save: {
      disabledReason:
        problems[0] ??
        (theirVersion && 'Somebody else has changed this layout. Take their version or keep yours.') ??
        (editedDraft ? undefined : 'There are no changes to save'),
      run: () => {
        if (!draft || !validation?.success || isSending.current) return;
        isSending.current = true;
        const { id, version } = draft;
        if (id === undefined) create.mutate({ body: validation.data });
        else update.mutate({ params: { id }, body: { ...validation.data, version } });
      },
    },
    copy: () => draft && setEditedDraft({ ...draft, id: undefined, name: `${draft.name}, copy` }),
    remove: {
      disabledReason: selectedLayout?.isShipped === false ? undefined : 'Layouts of the product cannot be deleted',
      run: () => {
        if (!selectedLayout || selectedLayout.isShipped) return;
        void confirm({
          title: `Delete layout “${selectedLayout.name}”?`,
          body: 'Bank files that were made with this layout are kept.',
          confirmLabel: 'Delete',
          danger: true,
          act: () => remove({ params: { id: selectedLayout.id } }),
          failed: 'Failed to delete the layout',
        });
      },
    },
    exportJson: () => {
      if (!draft) return;
      const content = `${JSON.stringify({ name: draft.name, definition: draft.definition }, null, 2)}\n`;
      saveText({ content, filename: 'bank-layout.json', contentType: 'application/json' });
    },
    importJson: () => fileInputRef.current?.click(),
    addField: () => {
      if (!draft) return;
      setFields(place.record, [...draft.definition[place.record], newField]);
      setPlace({ ...place, index: draft.definition[place.record].length });
    },
    up: () => move(-1),
    down: () => move(1),
  });

  const openFile = async (chosenFile: File): Promise<void> => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(await chosenFile.text());
    } catch {
      parsed = undefined;
    }
    const layout = bankLayoutInput.safeParse(parsed);
    if (layout.success) setEditedDraft({ id: undefined, version: 0, ...layout.data });
    else notify.error(`This file is not a layout: ${layout.error.issues[0]?.message ?? 'it cannot be read'}`);
  };

  if (!draft) return null;
  const { definition } = draft;
  return (
    <Page
      title="Bank Layouts"
      actions={
        <>
          <ActionButton action={actions.importJson} icon={Upload} />
          <ActionButton action={actions.exportJson} icon={Download} />
          <ActionButton action={actions.copy} icon={Copy} />
          <ActionButton action={actions.remove} icon={Trash2} />
          <ActionButton action={actions.save} variant="primary" icon={Save} busy={isBusy} />
        </>
      }
    >
      <ScreenTabs of="profile" />
      <FileInput
        inputRef={fileInputRef}
        label="File of a layout"
        types={['.json']}
        onFile={(file) => void openFile(file)}
      />
      <div className="grid grid-cols-4 gap-x-3 gap-y-1">
        <Select
          label="Layout"
          value={selectedLayout?.id ?? ''}
          onValueChange={choose}
          options={layouts.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextField
          label="Name"
          required
          maxLength={100}
          value={draft.name}
          onValueChange={(name) => setEditedDraft({ ...draft, name })}
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
          hint="In addition to letters, digits and space"
          value={definition.signs}
          onValueChange={(signs) => setDefinition({ signs })}
        />
      </div>
      <Checkbox
        label="Heading row with the labels"
        checked={definition.heading}
        onCheckedChange={(heading) => setDefinition({ heading })}
      />
      {theirVersion && (
        <Alert
          tone="warn"
          title="Somebody else has changed this layout"
          actions={
            <>
              <Button size="sm" onClick={() => setEditedDraft(undefined)}>
                Take Theirs
              </Button>
              <Button size="sm" onClick={() => setEditedDraft({ ...draft, version: theirVersion.version })}>
                Keep Mine
              </Button>
            </>
          }
        >
          Take Theirs discards your changes. Keep Mine lets you save over their changes.
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
        add={<ActionButton action={actions.addField} icon={Plus} />}
      />
      {layoutDefinition.safeParse(definition).success && <LayoutTrial definition={definition} />}
    </Page>
  );
}

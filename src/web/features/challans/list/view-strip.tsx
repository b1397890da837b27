import { useRef, useState, type RefObject } from 'react';
import { Check, Pencil, Plus, Trash2 } from 'lucide-react';
import { clsx } from 'clsx';
import type { Column } from '../../../../shared/columns/define.ts';
import { setTexts } from '../../../../shared/filters/filter-texts.ts';
import type { FilterTable } from '../../../../shared/filters/define.ts';
import { useActions, type Action } from '../../../kit/actions/registry.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import type { GridHandle } from '../../../kit/grid/grid-types.ts';
import { useRangeNames } from '../../../kit/filters/range-names.ts';
import { today } from '../../../kit/forms/day-field.tsx';
import { Button, IconButton } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { TextField } from '../../../kit/ui/text-field.tsx';
import {
  builtInViews,
  gridColumnsOf,
  isSameView,
  namesIn,
  shownColumns,
  useOwnViews,
  withDays,
  withRangeNames,
  type ListView,
  type SetFilters,
  type ViewPlace,
  type ViewsEdit,
} from './list-views.ts';
import { openColumnsNext, openViewNext, takeOpenedView } from './opened-columns.ts';
import type { ChallanListState } from './use-challan-list.ts';

const maxOwnViews = 30;
const tooMany = `At most ${maxOwnViews} views can be saved`;
const gone = 'This view no longer exists';

/** Changes one view, unless it was deleted in the meantime. */
const replacing =
  (id: string, edit: (view: ListView) => ListView): ViewsEdit =>
  (stored) =>
    stored.some((view) => view.id === id) ? stored.map((view) => (view.id === id ? edit(view) : view)) : gone;

/** The strip scrolls where it is narrow. */
const intoSight = (button: HTMLElement | null): void => button?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

export interface ViewStripProps<T extends FilterTable> extends Pick<ChallanListState<T>, 'place' | 'setView'> {
  spec: { id: string; filters: T; columns: readonly Column<never>[] };
  grid: RefObject<Pick<GridHandle<never>, 'setColumns' | 'savedColumns'> | null>;
}

/** The views of a list as tabs (docs/specification.md §8.1.3): first the built-in ones, then those that the user saved. */
export default function ViewStrip<T extends FilterTable>({ spec, place, setView, grid }: ViewStripProps<T>) {
  const { own, change } = useOwnViews(spec.id);
  const day = today();
  const all = [...builtInViews(day), ...own];
  /** The view that was opened last. It stays the current one while the user changes filters, order or columns. */
  const [openedId, setOpenedId] = useState(takeOpenedView);
  const [naming, setNaming] = useState<'new' | 'rename'>();

  const rangeNames = useRangeNames();
  const named = (filters: SetFilters): SetFilters => withRangeNames(spec.filters, filters, rangeNames.nameOf);
  // The cast is safe: `setTexts` returns only texts that are set.
  const filters = named(setTexts(spec.filters, place.filters) as SetFilters);
  const { sortBy, sortOrder, groupBy, groupSort, groupAs } = place;
  const now = { filters, sortBy, sortOrder, ...(groupBy !== '' && { groupBy, groupSort, groupAs }) };
  const isNow = (view: ListView): boolean => isSameView({ ...view, filters: named(view.filters) }, now);
  const opened = all.find(({ id }) => id === openedId);
  const matchingView = opened && isNow(opened) ? opened : all.find(isNow);
  const current = matchingView ?? opened;
  const isChanged = current !== undefined && matchingView === undefined;
  const ownCurrent = own.find(({ id }) => id === current?.id);

  const open = (view: ListView): void => {
    setOpenedId(view.id);
    rangeNames.choose(namesIn(spec.filters, view.filters));
    setView({ ...view, filters: withDays(spec.filters, view.filters, day) });
    // Groups are another table, which comes with the address.
    const isOther = ((view.groupBy ?? '') === '') !== (groupBy === '');
    if (isOther) openViewNext(view.id);
    if (!view.columns) return;
    if (isOther) openColumnsNext(view.columns);
    else grid.current?.setColumns(gridColumnsOf(view.columns, spec.columns));
  };
  const currentSettings = (): ViewPlace & Pick<ListView, 'columns'> => ({
    ...now,
    columns: grid.current ? shownColumns(grid.current.savedColumns(), spec.columns) : undefined,
  });
  const saveAs = (name: string): void => {
    setNaming(undefined);
    if (naming === 'rename' && ownCurrent) {
      change(
        replacing(ownCurrent.id, (view) => ({ ...view, name })),
        'View renamed',
      );
      return;
    }
    const view: ListView = { id: crypto.randomUUID(), name, ...currentSettings() };
    setOpenedId(view.id);
    change((stored) => (stored.length >= maxOwnViews ? tooMany : [...stored, view]), 'View saved');
  };
  const update = ({ id }: ListView): void => {
    const settings = currentSettings();
    change(
      // A view that had groups has them no more when it is saved without.
      replacing(id, ({ name }) => ({ id, name, ...settings })),
      'View updated',
    );
  };
  const remove = async (view: ListView): Promise<void> => {
    const isConfirmed = await confirm({
      title: `Delete the view “${view.name}”?`,
      confirmLabel: 'Delete view',
      danger: true,
    });
    if (isConfirmed) change((stored) => stored.filter(({ id }) => id !== view.id), 'View deleted');
  };
  const saveReason = own.length >= maxOwnViews ? tooMany : undefined;

  useActions([
    ...all.map((view, index): Action => ({
      id: `views.${view.id}`,
      label: `View: ${view.name}`,
      scope: 'Challans',
      ...(index < 9 && { keys: `Ctrl+${index + 1}` }),
      run: () => open(view),
    })),
    {
      id: 'views.save',
      label: 'Save as a view',
      scope: 'Challans',
      disabledReason: saveReason,
      run: () => setNaming('new'),
    },
  ]);

  return (
    <div role="group" aria-label="Views" data-print="hide" className="flex min-w-0 flex-1 basis-96 items-center gap-1">
      <div className="flex min-w-0 items-center gap-1 overflow-x-auto">
        {all.map((view) => {
          const isCurrent = view.id === current?.id;
          return (
            <button
              key={view.id}
              type="button"
              ref={isCurrent ? intoSight : undefined}
              aria-pressed={isCurrent}
              className={clsx(
                'h-7 shrink-0 rounded-md px-2 text-xs whitespace-nowrap',
                isCurrent ? 'bg-primary-soft font-semibold text-primary' : 'text-muted hover:bg-hover hover:text-ink',
              )}
              onClick={() => open(view)}
            >
              {view.name}
              {isCurrent && isChanged && (
                <>
                  <span aria-hidden> *</span>
                  <span className="sr-only">, changed</span>
                </>
              )}
            </button>
          );
        })}
      </div>
      <>
        {isChanged && ownCurrent && (
          <IconButton
            size="sm"
            label={`Update the view ${ownCurrent.name}`}
            icon={<Check size={14} aria-hidden />}
            onClick={() => update(ownCurrent)}
          />
        )}
        {ownCurrent && (
          <>
            <IconButton
              size="sm"
              label={`Rename the view ${ownCurrent.name}`}
              icon={<Pencil size={13} aria-hidden />}
              onClick={() => setNaming('rename')}
            />
            <IconButton
              size="sm"
              label={`Delete the view ${ownCurrent.name}`}
              icon={<Trash2 size={13} aria-hidden />}
              onClick={() => void remove(ownCurrent)}
            />
          </>
        )}
        <IconButton
          size="sm"
          label="Save as a view"
          icon={<Plus size={14} aria-hidden />}
          disabledReason={saveReason}
          onClick={() => setNaming('new')}
        />
      </>
      {naming !== undefined && (
        <NameDialog
          initialName={naming === 'rename' ? (ownCurrent?.name ?? '') : ''}
          onName={saveAs}
          onCancel={() => setNaming(undefined)}
        />
      )}
    </div>
  );
}

interface NameDialogProps {
  initialName: string;
  onName: (name: string) => void;
  onCancel: () => void;
}

function NameDialog({ initialName, onName, onCancel }: NameDialogProps) {
  const [name, setName] = useState(initialName);
  const field = useRef<HTMLInputElement>(null);
  const submit = (): void => {
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <Dialog
      title={initialName === '' ? 'Save as a view' : 'Rename the view'}
      size="sm"
      onClose={onCancel}
      initialFocus={field}
      footer={
        <Button
          variant="primary"
          disabledReason={name.trim() === '' ? 'Enter a name first' : undefined}
          onClick={submit}
        >
          Save
        </Button>
      }
    >
      <TextField
        ref={field}
        label="Name of the view"
        maxLength={40}
        value={name}
        onValueChange={setName}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) submit();
        }}
      />
    </Dialog>
  );
}

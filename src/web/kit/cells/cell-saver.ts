import type { QueryClient } from '@tanstack/react-query';
import type { Endpoint } from '../../../shared/contract/define.ts';
import { errorText, isApiError } from '../api/api-error.ts';
import { refreshTouched } from '../api/create-resource.ts';
import { change, changeBelow, endChanges, showChanges, type OptimisticChange } from '../api/optimistic.ts';
import { notify, type UndoToast } from '../feedback/toast.ts';
import { cellKeyOf, type CellKit, type CellValue, type Unsaved } from './cell-kit.ts';

interface CellEdit<Row> {
  /** The row as it was shown when the user typed. */
  row: Row;
  column: string;
  before: CellValue;
  value: CellValue;
  /** When the edit was made, to sort edits: their answers may arrive in another order. */
  editedAt?: number;
}

/** Finds the row with this id in the answer of a list. */
function rowIn(answer: unknown, id: string): object | undefined {
  const { data, results } = answer as { data?: readonly unknown[]; results?: readonly unknown[] };
  for (const item of data ?? results ?? []) {
    const row = (item as { owner?: { id: string }; trucksCount?: number }) ?? {};
    // The list of owners nests each owner beside its trucks.
    const found = row.trucksCount !== undefined && row.owner ? row.owner : (item as { id?: string });
    if (found.id === id) return found;
  }
  return undefined;
}

/**
 * Saves cells as optimistic updates: the new value is shown at once, and a save that fails rolls back only its own change.
 * The saves of one row run one after the other, each with the version from the answer before it. The list is refetched only
 * after the editor is closed, so that no row moves while the user types.
 */
export class CellSaver<Row extends { id: string; version: number }> {
  /** The rows whose cells are being saved, as the server last stored them. */
  private readonly rows = new Map<string, { row: Row; last: Promise<void>; waiting: number }>();
  /** The newest answer for each row: the row on screen may be older for a moment. */
  private readonly answered = new Map<string, Row>();
  private readonly undoable: CellEdit<Row>[] = [];
  private undoToast: UndoToast | undefined;
  private isStale = false;
  private isEditing = false;
  readonly unsaved = new Map<string, Unsaved>();

  constructor(
    private readonly client: QueryClient,
    private readonly kit: CellKit<Row>,
  ) {}

  private onUnsaved: (of: { row: Row; column: string } | undefined) => void = () => undefined;

  /** The listener gets a cell that could not be saved, or undefined when such a cell no longer counts as unsaved. */
  listen(onUnsaved: CellSaver<Row>['onUnsaved']): void {
    this.onUnsaved = onUnsaved;
  }

  /** While cells are edited the list is not refetched; afterwards it is. */
  setEditing(isEditing: boolean): void {
    this.isEditing = isEditing;
    this.refresh();
  }

  save(edit: CellEdit<Row>, isUndo = false): Promise<void> {
    edit.editedAt ??= performance.now();
    const { row, column, value } = edit;
    this.setUnsaved(row, column, undefined);
    const answered = this.answered.get(row.id);
    const stored = answered && answered.version > row.version ? answered : row;
    const held = this.rows.get(row.id) ?? { row: stored, last: Promise.resolve(), waiting: 0 };
    this.rows.set(row.id, held);
    held.waiting += 1;
    const shown = this.inLists(row.id, this.kit.shown(row, column, value));
    const isBegun = showChanges(this.client, shown);
    held.last = held.last.then(async () => {
      await isBegun;
      await this.send(edit, held, shown, isUndo);
      this.answered.set(row.id, held.row);
      held.waiting -= 1;
      if (held.waiting === 0) this.rows.delete(row.id);
      this.refresh();
    });
    return held.last;
  }

  private async send(
    edit: CellEdit<Row>,
    held: { row: Row },
    shown: readonly OptimisticChange[],
    isUndo: boolean,
  ): Promise<void> {
    const { kit, client } = this;
    const { column, value, before } = edit;
    try {
      // An earlier conflict brought somebody else's value of this cell: do not overwrite what the user has not seen.
      if (!kit.isSame(held.row, column, before)) {
        endChanges(client, shown, 'undo');
        this.refuse(edit, held.row, 'Someone else has changed it.');
        return;
      }
      held.row = await kit.send(held.row, column, value);
      endChanges(client, shown, 'keep');
      changeBelow(client, this.inLists(held.row.id, held.row));
      this.isStale = true;
      this.offerUndo({ ...edit, row: held.row }, isUndo);
      kit.afterwards?.(held.row, column);
    } catch (error) {
      endChanges(client, shown, 'undo');
      this.isStale = true;
      const theirs = isApiError(error, 'VERSION_CONFLICT') ? kit.read(error.data) : undefined;
      if (theirs) {
        held.row = theirs;
        changeBelow(client, this.inLists(theirs.id, theirs));
      }
      const atField = isApiError(error) ? Object.values(error.fields)[0] : undefined;
      this.refuse(edit, held.row, atField ?? errorText(error, kit.failed));
    }
  }

  /** Marks the cell as not saved: it keeps the typed value, with the reason. */
  private refuse(edit: CellEdit<Row>, now: Row, reason: string): void {
    const { kit } = this;
    const { column, value } = edit;
    const theirs = kit.valueOf(now, column);
    const isOthers = !kit.isSame(now, column, edit.before);
    const current = kit.textOf(column, theirs);
    const message = isOthers ? `${reason} It is now ${current === '' ? 'empty' : `“${current}”`}.` : reason;
    notify.error(`${kit.fieldOf(column).label} of ${kit.nameOf(now)} is not saved: ${message}`);
    this.setUnsaved(now, column, { value, message });
  }

  setUnsaved(row: Row, column: string, unsaved: Unsaved | undefined): void {
    const key = cellKeyOf(row.id, column);
    if (unsaved) this.unsaved.set(key, unsaved);
    else if (!this.unsaved.delete(key)) return;
    this.onUnsaved(unsaved && { row, column });
  }

  /** Offers to undo the last edit (Ctrl+Z), and after that the one before it. */
  private offerUndo(edit: CellEdit<Row>, isUndo: boolean): void {
    if (!isUndo) this.undoable.push(edit);
    this.undoable.sort((a, b) => (a.editedAt ?? 0) - (b.editedAt ?? 0));
    const shown = isUndo ? edit : (this.undoable.at(-1) ?? edit);
    const what = `${this.kit.fieldOf(shown.column).label} of ${this.kit.nameOf(shown.row)}`;
    const text = isUndo ? `${what} restored` : `${what} saved`;
    if (this.undoable.length === 0) {
      this.undoToast?.dismiss();
      this.undoToast = undefined;
      notify.success(text);
      return;
    }
    // Replace the earlier toast instead of dismissing it. A toast that is dismissed before it is rendered would stay, and its
    // Undo would belong to another edit.
    const more = { replaces: this.undoToast };
    this.undoToast = notify.undo(text, () => this.undo(), isUndo ? 'Undo previous edit' : 'Undo', undefined, more);
  }

  private undo(): void {
    const edit = this.undoable.pop();
    if (edit) void this.save({ ...edit, before: edit.value, value: edit.before }, true);
  }

  private inLists(id: string, fields: object): OptimisticChange[] {
    return this.kit.lists.map((list: Endpoint) =>
      change(list, (answer) => {
        const row = rowIn(answer, id);
        if (row) Object.assign(row, fields);
      }),
    );
  }

  private refresh(): void {
    if (this.rows.size > 0 || !this.isStale) return;
    refreshTouched(this.client, this.kit.update, this.isEditing ? this.kit.lists : []);
    this.isStale = this.isEditing;
  }
}

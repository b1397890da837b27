import type { QueryClient } from '@tanstack/react-query';
import type { Endpoint } from '../../shared/contract/define.ts';
import { errorText, isApiError } from '../api/api-error.ts';
import { refreshTouched } from '../api/create-resource.ts';
import { begin, change, end, learn, type OptimisticChange } from '../api/optimistic.ts';
import { notify, type UndoToast } from '../feedback/toast.ts';
import { placeOf, type CellKit, type CellValue, type Unsaved } from './cell-kit.ts';

interface CellEdit<Row> {
  /** As it was shown when it was typed into. */
  row: Row;
  column: string;
  before: CellValue;
  value: CellValue;
  /** Which edit it was: answers may come in another order. */
  turn?: number;
}

/** The row with this id in an answer of a list. */
function rowIn(answer: unknown, id: string): object | undefined {
  const { data, results } = answer as { data?: readonly unknown[]; results?: readonly unknown[] };
  for (const item of data ?? results ?? []) {
    const row = (item as { owner?: { id: string }; trucksCount?: number }) ?? {};
    // The list of owners has the trucks beside each.
    const found = row.trucksCount !== undefined && row.owner ? row.owner : (item as { id?: string });
    if (found.id === id) return found;
  }
  return undefined;
}

/**
 * Saves cells one after the other for each row, each under the version that the answer before brought; they are shown at
 * once, and one that fails takes back its own change. The list is not asked again before the editor is left: no row moves
 * under somebody who types.
 */
export class CellSaver<Row extends { id: string; version: number }> {
  /** The rows whose cells are being saved, as the server has them. */
  private readonly rows = new Map<string, { row: Row; last: Promise<void>; waiting: number }>();
  /** What is shown may be older than the answer for a moment. */
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

  /** Called with a cell that is not saved; without one where it no longer is. */
  listen(onUnsaved: CellSaver<Row>['onUnsaved']): void {
    this.onUnsaved = onUnsaved;
  }

  /** While cells are edited the list stays as it is; afterwards it is asked for again. */
  setEditing(isEditing: boolean): void {
    this.isEditing = isEditing;
    this.refresh();
  }

  save(edit: CellEdit<Row>, isTakenBack = false): Promise<void> {
    edit.turn ??= performance.now();
    const { row, column, value } = edit;
    this.keep(row, column, undefined);
    const answered = this.answered.get(row.id);
    const stored = answered && answered.version > row.version ? answered : row;
    const held = this.rows.get(row.id) ?? { row: stored, last: Promise.resolve(), waiting: 0 };
    this.rows.set(row.id, held);
    held.waiting += 1;
    const shown = this.inLists(row.id, this.kit.shown(row, column, value));
    const isBegun = begin(this.client, shown);
    held.last = held.last.then(async () => {
      await isBegun;
      await this.send(edit, held, shown, isTakenBack);
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
    isTakenBack: boolean,
  ): Promise<void> {
    const { kit, client } = this;
    const { column, value, before } = edit;
    try {
      // Not what was typed over: somebody else's value came with an earlier conflict.
      if (!kit.isSame(held.row, column, before)) {
        end(client, shown, 'undo');
        this.refuse(edit, held.row, 'It was changed by someone else meanwhile.');
        return;
      }
      held.row = await kit.send(held.row, column, value);
      end(client, shown, 'keep');
      learn(client, this.inLists(held.row.id, held.row));
      this.isStale = true;
      this.offerUndo({ ...edit, row: held.row }, isTakenBack);
      kit.afterwards?.(held.row, column);
    } catch (error) {
      end(client, shown, 'undo');
      this.isStale = true;
      const theirs = isApiError(error, 'VERSION_CONFLICT') ? kit.read(error.data) : undefined;
      if (theirs) {
        held.row = theirs;
        learn(client, this.inLists(theirs.id, theirs));
      }
      const atField = isApiError(error) ? Object.values(error.fields)[0] : undefined;
      this.refuse(edit, held.row, atField ?? errorText(error, kit.failed));
    }
  }

  /** It is not saved: the cell keeps what was typed, with the reason. */
  private refuse(edit: CellEdit<Row>, now: Row, reason: string): void {
    const { kit } = this;
    const { column, value } = edit;
    const theirs = kit.valueOf(now, column);
    const isOthers = !kit.isSame(now, column, edit.before);
    const current = kit.textOf(column, theirs);
    const message = isOthers ? `${reason} It is now ${current === '' ? 'empty' : `“${current}”`}.` : reason;
    notify.error(`${kit.fieldOf(column).label} of ${kit.nameOf(now)} is not saved: ${message}`);
    this.keep(now, column, { value, message });
  }

  keep(row: Row, column: string, unsaved: Unsaved | undefined): void {
    const place = placeOf(row.id, column);
    if (unsaved) this.unsaved.set(place, unsaved);
    else if (!this.unsaved.delete(place)) return;
    this.onUnsaved(unsaved && { row, column });
  }

  /** Ctrl+Z takes back the last one, and is then offered for the one before it. */
  private offerUndo(edit: CellEdit<Row>, isTakenBack: boolean): void {
    if (!isTakenBack) this.undoable.push(edit);
    this.undoable.sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
    const shown = isTakenBack ? edit : (this.undoable.at(-1) ?? edit);
    const what = `${this.kit.fieldOf(shown.column).label} of ${this.kit.nameOf(shown.row)}`;
    const text = isTakenBack ? `${what} is as it was before` : `${what} saved`;
    if (this.undoable.length === 0) {
      this.undoToast?.dismiss();
      this.undoToast = undefined;
      notify.success(text);
      return;
    }
    // In its place: were it dismissed before it is drawn, it would stay, with an Undo that is of another edit by now.
    const more = { insteadOf: this.undoToast };
    this.undoToast = notify.undo(
      text,
      () => this.undo(),
      isTakenBack ? 'Undo the one before' : 'Undo',
      undefined,
      more,
    );
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

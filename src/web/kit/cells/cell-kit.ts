import type { Endpoint } from '../../../shared/contract/define.ts';

/** The value of a picker. */
interface Choice {
  id: string;
  name: string;
}
/** A field's value in the editor: text, a day as YYYY-MM-DD, or a picker's choice. */
export type CellValue = string | Choice | null;

export interface CellField {
  label: string;
  kind: 'text' | 'lines' | 'date' | 'money' | 'liters' | 'percent' | 'owner' | 'tag';
  isUpper?: boolean;
}

interface CellRow {
  id: string;
  version: number;
}

/** How the cells of one list are edited and saved, by the rules of the record's form. It loads together with the editor. */
export interface CellKit<Row extends CellRow> {
  /** The field of a column, by the column's key. */
  fieldOf: (column: string) => CellField;
  /** The name of a row in messages: 'CH-2627-000012'. */
  nameOf: (row: Row) => string;
  valueOf: (row: Row, column: string) => CellValue;
  /** The value as text for a message. */
  textOf: (column: string, value: CellValue) => string;
  isSame: (row: Row, column: string, value: CellValue) => boolean;
  /** Says of a cell, while nothing is wrong yet, why it stays as it is. */
  noteOf?: (row: Row, column: string) => string | undefined;
  /** Why the value cannot be saved, in the words of the form; undefined if it can. A promise: it has to ask the server. */
  check: (row: Row, column: string, value: CellValue) => string | undefined | Promise<string | undefined>;
  /** Asks what the form asks before such a change; undefined if the form asks nothing. */
  ask?: (row: Row, column: string, value: CellValue) => Promise<boolean> | undefined;
  /** The optimistic update: the fields of the row as shown until the server answers. */
  shown: (row: Row, column: string, value: CellValue) => Partial<Row>;
  /** Sends the change, based on the stored row and its version. */
  send: (row: Row, column: string, value: CellValue) => Promise<Row>;
  /** Reads the newer row from the data of a version conflict. */
  read: (data: unknown) => Row | undefined;
  /** Called after the value is saved, for example to show a hint. */
  afterwards?: (row: Row, column: string) => void;
  update: Endpoint;
  /** The lists whose cached answers contain such rows. */
  lists: readonly Endpoint[];
  /** The error message where the server gives none. */
  failed: string;
}

/** What was typed into a cell and is not saved, with the reason. */
export interface Unsaved {
  value: CellValue;
  message: string;
}

export const cellKeyOf = (id: string, column: string): string => `${id} ${column}`;

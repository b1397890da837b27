import type { Endpoint } from '../../shared/contract/define.ts';

/** What a picker holds. */
interface Choice {
  id: string;
  name: string;
}
/** A field as its editor holds it: text, days as YYYY-MM-DD, or what a picker holds. */
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

/** How the cells of one list are changed: the rules are those of its form. Loaded with the editor. */
export interface CellKit<Row extends CellRow> {
  /** By the key of the column. */
  fieldOf: (column: string) => CellField;
  /** 'CH-2627-000012' */
  nameOf: (row: Row) => string;
  valueOf: (row: Row, column: string) => CellValue;
  /** As a sentence names it. */
  textOf: (column: string, value: CellValue) => string;
  isSame: (row: Row, column: string, value: CellValue) => boolean;
  /** Why it cannot be saved, in the words of the form. */
  check: (row: Row, column: string, value: CellValue) => string | undefined;
  /** What the form asks before such a change; undefined: nothing. */
  ask?: (row: Row, column: string, value: CellValue) => Promise<boolean> | undefined;
  /** The fields of the row as they are shown before the server has answered. */
  shown: (row: Row, column: string, value: CellValue) => Partial<Row>;
  /** Of the row as the server has it, under its version. */
  send: (row: Row, column: string, value: CellValue) => Promise<Row>;
  /** The newer row that comes with a conflict. */
  read: (data: unknown) => Row | undefined;
  /** What is worth knowing once it is saved. */
  afterwards?: (row: Row, column: string) => void;
  update: Endpoint;
  /** The lists whose answers have such rows. */
  lists: readonly Endpoint[];
  failed: string;
}

/** A cell that was typed into and is not saved. */
export interface Unsaved {
  value: CellValue;
  message: string;
}

export const placeOf = (id: string, column: string): string => `${id} ${column}`;

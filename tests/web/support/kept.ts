import { idOf } from './builders.ts';
import { refusal } from './fake-server.ts';
import type { Pagination } from '../../../src/shared/contract/scalars.ts';

/** What the answers about kept records have in common: pages, searches, changes over an older version. */

/** The page of these rows that is asked for. */
export function paged<T>(rows: readonly T[], { page, limit }: { page: number; limit: number }) {
  const offset = (page - 1) * limit;
  const totalPages = Math.ceil(rows.length / limit);
  const pagination: Pagination = {
    currentPage: page,
    limit,
    totalPages,
    totalCount: rows.length,
    hasNext: page < totalPages,
    hasPrevious: page > 1,
    offset,
  };
  return { data: rows.slice(offset, offset + limit), pagination };
}

/** The answer of a search: the same, under other names. */
export function searched<T>(rows: readonly T[], query: { q: string; page: number; limit: number }) {
  const { data: results, pagination } = paged(rows, query);
  return { results, count: rows.length, searchTerm: query.q, pagination };
}

export const holds = (text: string, term = ''): boolean => text.toLowerCase().includes(term.toLowerCase());
export const byName = <T extends { name: string }>(rows: readonly T[], order: 'asc' | 'desc' = 'asc'): T[] =>
  rows.toSorted((a, b) => a.name.localeCompare(b.name) * (order === 'asc' ? 1 : -1));
export const nextId = (rows: readonly unknown[], from: number): string => idOf(from + 90 + rows.length);
export const add = <T>(rows: T[], row: T): { data: T } => {
  rows.push(row);
  return { data: row };
};

/** @throws the refusal of a record that is not there */
export function find<T extends { id: string }>(noun: string, rows: readonly T[], id: string): T {
  const row = rows.find((item) => item.id === id);
  if (!row) throw refusal('NOT_FOUND', `${noun} not found`);
  return row;
}

/** Takes a record out of its list. */
export function take<T extends { id: string }>(noun: string, rows: T[], id: string): { message: string } {
  rows.splice(rows.indexOf(find(noun, rows, id)), 1);
  return { message: `${noun} deleted successfully` };
}

/** Saves a change over the stored record. @throws the refusal of a change that was made on an older version */
export function change<T extends { version: number }>(
  noun: string,
  row: T,
  body: object & { version?: number | undefined },
) {
  if (body.version !== undefined && body.version !== row.version) {
    throw refusal('VERSION_CONFLICT', `This ${noun.toLowerCase()} was changed by someone else`, { data: row });
  }
  return { data: Object.assign(row, body, { version: row.version + 1 }) };
}

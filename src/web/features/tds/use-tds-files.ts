import type { QueryInput } from '../../../shared/contract/define.ts';
import { call } from '../../kit/api/client.ts';
import { useTableFiles } from '../../kit/feedback/table-files.tsx';
import { tds } from '../../resources/tds.ts';

const { exportCsv, exportXlsx, exportReturnCsv, exportReturnXlsx } = tds.calls;

const files = {
  /** The register, which both of its screens offer. */
  register: { xlsx: exportXlsx, csv: exportCsv },
  /** The working for the return. */
  return: { xlsx: exportReturnXlsx, csv: exportReturnCsv },
};

/** The deductions of a filter as a file, one line for each. */
export const useTdsFiles = (
  scope: string,
  query: QueryInput<typeof exportCsv>,
  total: number,
  kind: keyof typeof files = 'register',
) =>
  useTableFiles({
    scope,
    id: scope.toLowerCase().replaceAll(' ', '-'),
    get: (format, options) => call(files[kind][format], { query }, options),
    total,
    fallbackName: 'tds',
  });

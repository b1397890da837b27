/** One line of the report. A target that is missed is shown, and does not fail the run. */
export interface Line {
  what: string;
  measured: string;
  /** The same work in SQL, in the same run. */
  sql?: string;
  ratio?: string;
  target?: string;
  /** Whether the target was met. Absent without a target. */
  isMet?: boolean;
  note?: string;
}

const heads = ['What', 'Measured', 'The same in SQL', 'Ratio', 'Target', '', 'Note'];

export function printTable(lines: readonly Line[], say: (line: string) => void): void {
  const rows = lines.map(({ what, measured, sql, ratio, target, isMet, note }) => [
    what,
    measured,
    sql ?? '',
    ratio ?? '',
    target ?? '',
    isMet === undefined ? '' : isMet ? 'met' : 'MISSED',
    note ?? '',
  ]);
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const format = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  say(format(heads));
  say(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of rows) say(format(row));
}

export function ms(value: number): string {
  return value >= 100 ? `${Math.round(value)} ms` : `${value.toFixed(2)} ms`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

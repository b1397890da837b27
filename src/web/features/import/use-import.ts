import { useEffect, useRef, useState } from 'react';
import { countText } from '../../../shared/calc/count-text.ts';
import type { BodyInput } from '../../../shared/contract/define.ts';
import type {
  ImportChoice,
  ImportCounts,
  ImportKind,
  ImportRow,
  ImportState,
  ImportUnknown,
} from '../../../shared/contract/imports.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { imports } from '../../resources/imports.ts';
import { batches } from '../../kit/api/batches.ts';
import { isApiError } from '../../kit/api/api-error.ts';
import { call } from '../../kit/api/client.ts';
import { useRequestKeys } from '../../kit/api/idempotency-key.ts';
import { notify } from '../../kit/feedback/toast.ts';
import type { Source } from './import-source.ts';

interface Rows {
  fields: readonly string[];
  rows: readonly (readonly string[])[];
  /** The index of each row in the table of the source. */
  places: readonly number[];
}
type ImportedBatch = Pick<Batch, 'id' | 'number' | 'title'>;

/** The current rows, together with the result of the last check. */
export interface Checked extends Rows {
  answers: readonly ImportRow[];
  counts: ImportCounts;
  fingerprint: string;
  /** Names in the rows that match no record, each listed once. */
  unknown: readonly ImportUnknown[];
  /** An earlier import of the same file, if there is one. */
  imported: { number: string; createdAt: string } | null;
  choices: readonly ImportChoice[];
  /** The indexes of rows that were edited since the last check. Their check is running, failed or was cancelled. */
  unchecked: ReadonlySet<number>;
}

interface Busy {
  kind: 'check' | 'import';
  title: string;
  note: string;
}

/** Whether a row stays when the others are imported: it is wrong, or it has a choice and is skipped. */
export const isLeftOut = ({ state, choices }: ImportRow, choice: ImportChoice): boolean =>
  state === 'wrong' || (choices !== undefined && choice === 'skip');

/** The rows that an import has left out. */
function leftOutOf(table: Checked): Checked {
  const isLeft = table.answers.map((answer, index) => isLeftOut(answer, table.choices[index] ?? 'skip'));
  const only = <T>(list: readonly T[]): T[] => list.filter((_, index) => isLeft[index]);
  const answers = only(table.answers);
  const countOf = (state: ImportState): number => answers.filter((answer) => answer.state === state).length;
  return {
    ...table,
    rows: only(table.rows),
    places: only(table.places),
    answers,
    choices: only(table.choices),
    counts: { new: countOf('new'), same: 0, differs: countOf('differs'), wrong: countOf('wrong') },
  };
}

/** The abort reason of a check whose result is no longer needed. */
const superseded = 'superseded';

/**
 * Checks and imports the rows of a source. Only one of the two runs at a time, and it can be cancelled. `onImported` is told
 * how many rows were left out.
 */
export function useImport(
  kind: ImportKind,
  source: Source | undefined,
  onImported: (batch: ImportedBatch, leftCount: number) => void,
) {
  const [checked, setChecked] = useState<Checked>();
  const [busy, setBusy] = useState<Busy>();
  /** The current state, also between two renderings: an edit and a choice in the same moment build on each other. */
  const latest = useRef<Checked>(undefined);
  const show = (next: Checked | undefined): void => {
    latest.current = next;
    setChecked(next);
  };
  const running = useRef<{ kind: Busy['kind']; control: AbortController }>(undefined);
  const keys = useRequestKeys();
  const checking = imports.useCheck();
  const applying = imports.useApply();

  const abortRunning = (reason?: string): void => running.current?.control.abort(reason);
  // When the screen is left, a running check is aborted: nobody would see its result.
  useEffect(
    () => () => {
      if (running.current?.kind === 'check') running.current.control.abort(superseded);
    },
    [],
  );

  const bodyOf = ({ fields, rows }: Pick<Rows, 'fields' | 'rows'>): BodyInput<typeof imports.calls.check> => ({
    kind,
    file: { name: source?.name ?? '', sha256: source?.sha256 ?? null },
    fields: [...fields],
    rows: rows.map((row) => [...row]),
  });

  const run = async (what: Busy, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    abortRunning(superseded);
    const thisRun = { kind: what.kind, control: new AbortController() };
    running.current = thisRun;
    setBusy(what);
    try {
      await work(thisRun.control.signal);
    } finally {
      if (running.current === thisRun) {
        running.current = undefined;
        setBusy(undefined);
      }
    }
  };

  /** Checks these rows and aborts a check that is still running. Choices made meanwhile are kept. */
  const checkNow = (table: Rows): void =>
    void run(
      { kind: 'check', title: `Checking ${countText(table.rows.length, 'row')} …`, note: 'The check changes nothing.' },
      async (signal) => {
        try {
          const { data } = await checking.mutateAsync({ body: bodyOf(table), signal });
          if (signal.aborted) return;
          show({
            ...table,
            answers: data.rows,
            counts: data.counts,
            fingerprint: data.fingerprint,
            unknown: data.unknown,
            imported: data.imported,
            choices: data.rows.map(({ state, choices = [] }, index) => {
              const { answers = [], choices: made = [] } = latest.current ?? {};
              const choice = made[index] ?? 'skip';
              // 'new' takes a row that waits, but adds a second record for one that differs: neither is meant by the other.
              return answers[index]?.state === state && choices.includes(choice) ? choice : 'skip';
            }),
            unchecked: new Set(),
          });
        } catch (error) {
          if (!signal.aborted) notify.error(error, 'Failed to check the rows');
          else if (signal.reason !== superseded) notify.info('The check was cancelled');
        }
      },
    );

  const fetchNewestImport = async (): Promise<ImportedBatch | undefined> =>
    (await call(batches.calls.list, { query: { kind: 'import', limit: 1 } })).data[0];

  const apply = (): void => {
    const table = latest.current;
    if (!table || running.current) return;
    const title = `Importing ${countText(table.rows.length, 'row')} …`;
    const note = 'Either all rows are imported or none. If you cancel, nothing is imported.';
    void run({ kind: 'import', title, note }, async (signal) => {
      const { choices, fingerprint } = table;
      const body = { ...bodyOf(table), choices: [...choices], expected: { fingerprint } };
      const idempotencyKey = keys.keyOf(body);
      const before = await fetchNewestImport().catch(() => undefined);
      try {
        const { data } = await applying.mutateAsync({ body, idempotencyKey, signal });
        finishImport(data.batch, table);
      } catch (error) {
        if (signal.aborted) {
          // The import may have been saved just before it was cancelled.
          const after = await fetchNewestImport().catch(() => undefined);
          if (after && after.id !== before?.id) finishImport(after, table);
          else notify.info('The import was cancelled. Nothing was imported.');
          return;
        }
        notify.error(error, 'Failed to import');
        if (isApiError(error, 'IMPORT_CHANGED')) checkNow(table);
      }
    });
  };
  const finishImport = (batch: ImportedBatch, table: Checked): void => {
    keys.forget();
    const left = leftOutOf(table);
    const leftCount = left.rows.length;
    show(leftCount > 0 ? left : undefined);
    onImported(batch, leftCount);
    // The rows that were left out are compared with the records that were just imported.
    if (leftCount > 0) checkNow(left);
  };

  /** While an import runs, a change of the rows would have no effect, so it is refused. */
  const canChange = (): boolean => {
    const isFree = running.current?.kind !== 'import';
    if (!isFree) notify.info('Wait until the import is done, or cancel it');
    return isFree;
  };

  return {
    checked,
    busy,
    check: checkNow,
    apply,
    cancel: () => abortRunning(),
    /** Goes back to the columns and drops the check. */
    discardCheck: () => {
      abortRunning(running.current?.kind === 'check' ? superseded : undefined);
      show(undefined);
    },
    choose: (indexes: readonly number[], choice: ImportChoice) => {
      const old = latest.current;
      if (!old || !canChange()) return;
      const chosen = new Set(indexes.filter((index) => old.answers[index]?.choices?.includes(choice)));
      show({ ...old, choices: old.choices.map((one, index) => (chosen.has(index) ? choice : one)) });
    },
    /**
     * Replaces the texts of edited rows. All rows are checked again, because a row is also compared with the other
     * rows.
     */
    editRows: (edited: ReadonlyMap<number, readonly string[]>) => {
      const old = latest.current;
      if (!old || !canChange()) return;
      const rows = old.rows.map((row, index) => edited.get(index) ?? row);
      const next = { ...old, rows, unchecked: new Set([...old.unchecked, ...edited.keys()]) };
      show(next);
      checkNow(next);
    },
    /**
     * Checks the rows again: after a check that failed or was cancelled, or after a record was created that rows
     * name.
     */
    checkAgain: () => {
      if (latest.current) checkNow(latest.current);
    },
  };
}

export type ImportWork = ReturnType<typeof useImport>;

import { useRef, useState } from 'react';
import type { BodyInput } from '../../../shared/contract/define.ts';
import type { ImportKind } from '../../../shared/contract/import-fields.ts';
import type { ImportChoice, ImportCounts, ImportRow } from '../../../shared/contract/imports.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { contract } from '../../../shared/contract/index.ts';
import { isApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { resources } from '../../api/resources.ts';
import { notify } from '../../feedback/toast.ts';
import type { Source } from './import-source.ts';

export interface Checked {
  fields: readonly string[];
  rows: readonly (readonly string[])[];
  answers: readonly ImportRow[];
  counts: ImportCounts;
  fingerprint: string;
  /** The same file was imported before. */
  imported: { number: string; createdAt: string } | null;
  choices: readonly ImportChoice[];
}

type Rows = { fields: readonly string[]; rows: readonly (readonly string[])[] };
type Made = Pick<Batch, 'id' | 'number' | 'title'>;

const inWords = (count: number): string => `${count.toLocaleString('en-IN')} ${count === 1 ? 'row' : 'rows'}`;

/** The check and the import of the rows of a source, each with a way to cancel it. */
export function useImport(kind: ImportKind, source: Source | undefined, onImported: (batch: Made) => void) {
  const [checked, setChecked] = useState<Checked>();
  const [isBusy, setBusy] = useState<string>();
  const [busyNote, setBusyNote] = useState<string>();
  const running = useRef<AbortController>(undefined);
  /** Of an import whose outcome is not known: the same one again is done once. */
  const open = useRef<{ body: string; key: string }>(undefined);
  const checking = resources.imports.useCheck();
  const applying = resources.imports.useApply();

  const bodyOf = ({ fields, rows }: Rows): BodyInput<typeof contract.imports.check> => ({
    kind,
    file: { name: source?.name ?? '', sha256: source?.sha256 ?? null },
    fields: [...fields],
    rows: rows.map((row) => [...row]),
  });

  const run = async (title: string, note: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    if (running.current) return;
    const control = new AbortController();
    running.current = control;
    setBusy(title);
    setBusyNote(note);
    try {
      await work(control.signal);
    } finally {
      running.current = undefined;
      setBusy(undefined);
    }
  };

  /** A choice stays with its row, also when another row was mended. */
  const check = (table: Rows, choices: readonly ImportChoice[] = []): void =>
    void run(`Checking ${inWords(table.rows.length)} …`, 'Nothing is changed by the check.', async (signal) => {
      try {
        const { data } = await checking.mutateAsync({ body: bodyOf(table), signal });
        setChecked({
          ...table,
          answers: data.rows,
          counts: data.counts,
          fingerprint: data.fingerprint,
          imported: data.imported,
          choices: table.rows.map((_, index) => choices[index] ?? 'skip'),
        });
      } catch (error) {
        if (signal.aborted) notify.info('The check was cancelled');
        else notify.error(error, 'Failed to check the rows');
      }
    });

  const newest = async (): Promise<Made | undefined> =>
    (await call(contract.batches.list, { query: { kind: 'import', limit: 1 } })).data[0];

  const apply = (): void => {
    if (!checked) return;
    void run(
      `Importing ${inWords(checked.rows.length)} …`,
      'All of it goes in at once, or nothing. Cancel leaves nothing behind.',
      async (signal) => {
        const body = {
          ...bodyOf(checked),
          choices: [...checked.choices],
          expected: { fingerprint: checked.fingerprint },
        };
        const text = JSON.stringify(body);
        const key = open.current?.body === text ? open.current.key : newIdempotencyKey();
        open.current = { body: text, key };
        const before = await newest().catch(() => undefined);
        try {
          const { data } = await applying.mutateAsync({ body, idempotencyKey: key, signal });
          done(data.batch);
        } catch (error) {
          if (signal.aborted) {
            // It may have been saved in the moment of the cancel.
            const after = await newest().catch(() => undefined);
            if (after && after.id !== before?.id) done(after);
            else notify.info('The import was cancelled. Nothing was imported.');
            return;
          }
          notify.error(error, 'Failed to import');
          if (isApiError(error, 'IMPORT_CHANGED')) {
            running.current = undefined;
            check(checked, checked.choices);
          }
        }
      },
    );
  };
  const done = (batch: Made): void => {
    open.current = undefined;
    setChecked(undefined);
    onImported(batch);
  };

  return {
    checked,
    isBusy,
    busyNote,
    check: (table: Rows) => check(table),
    apply,
    cancel: () => running.current?.abort(),
    /** Back to the columns. */
    forget: () => setChecked(undefined),
    choose: (indexes: readonly number[], choice: ImportChoice) =>
      setChecked((old) => {
        if (!old) return old;
        const chosen = new Set(indexes.filter((index) => old.answers[index]?.choices?.includes(choice)));
        return { ...old, choices: old.choices.map((one, index) => (chosen.has(index) ? choice : one)) };
      }),
    /** A row was mended: everything is checked again, since rows know of each other. */
    mend: (index: number, texts: readonly string[]) => {
      if (!checked) return;
      const rows = checked.rows.map((row, at) => (at === index ? texts : row));
      check({ fields: checked.fields, rows }, checked.choices);
    },
  };
}

export type ImportWork = ReturnType<typeof useImport>;

import { useEffect, useRef, useState } from 'react';
import type { BodyInput } from '../../../shared/contract/define.ts';
import type {
  ImportChoice,
  ImportCounts,
  ImportKind,
  ImportRow,
  ImportUnknown,
} from '../../../shared/contract/imports.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { imports } from '../../api/imports.ts';
import { batches } from '../../api/batches.ts';
import { isApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { notify } from '../../feedback/toast.ts';
import type { Source } from './import-source.ts';

type Rows = { fields: readonly string[]; rows: readonly (readonly string[])[] };
type Made = Pick<Batch, 'id' | 'number' | 'title'>;

/** The rows as they are now, beside what the last check said of them. */
export interface Checked extends Rows {
  answers: readonly ImportRow[];
  counts: ImportCounts;
  fingerprint: string;
  /** Names that are no record, once each. */
  unknown: readonly ImportUnknown[];
  /** The same file was imported before. */
  imported: { number: string; createdAt: string } | null;
  choices: readonly ImportChoice[];
  /** Of rows that were mended since: a check of them failed, was cancelled, or is under way. */
  unchecked: ReadonlySet<number>;
}

interface Busy {
  kind: 'check' | 'import';
  title: string;
  note: string;
}

const inWords = (count: number): string => `${count.toLocaleString('en-IN')} ${count === 1 ? 'row' : 'rows'}`;
/** Why a running check was aborted: nobody waits for it any more. */
const superseded = 'superseded';

/** The check and the import of the rows of a source: one at a time, each with a way to cancel it. */
export function useImport(kind: ImportKind, source: Source | undefined, onImported: (batch: Made) => void) {
  const [checked, setChecked] = useState<Checked>();
  const [busy, setBusy] = useState<Busy>();
  /** What is shown, also between two renderings: a mend and a choice of the same moment build on each other. */
  const latest = useRef<Checked>(undefined);
  const show = (next: Checked | undefined): void => {
    latest.current = next;
    setChecked(next);
  };
  const running = useRef<{ kind: Busy['kind']; control: AbortController }>(undefined);
  /** Of an import whose outcome is not known: the same one again is done once. */
  const open = useRef<{ body: string; key: string }>(undefined);
  const checking = imports.useCheck();
  const applying = imports.useApply();

  const stop = (reason?: string): void => running.current?.control.abort(reason);
  // Without its screen nobody would see what a check says.
  useEffect(
    () => () => {
      if (running.current?.kind === 'check') running.current.control.abort(superseded);
    },
    [],
  );

  const bodyOf = ({ fields, rows }: Rows): BodyInput<typeof imports.calls.check> => ({
    kind,
    file: { name: source?.name ?? '', sha256: source?.sha256 ?? null },
    fields: [...fields],
    rows: rows.map((row) => [...row]),
  });

  const run = async (what: Busy, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    stop(superseded);
    const own = { kind: what.kind, control: new AbortController() };
    running.current = own;
    setBusy(what);
    try {
      await work(own.control.signal);
    } finally {
      if (running.current === own) {
        running.current = undefined;
        setBusy(undefined);
      }
    }
  };

  /** Checks these rows; a check that is under way gives way. What is chosen meanwhile stays. */
  const checkNow = (table: Rows): void =>
    void run(
      { kind: 'check', title: `Checking ${inWords(table.rows.length)} …`, note: 'Nothing is changed by the check.' },
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
            choices: data.rows.map(({ choices = [] }, index) => {
              const choice = latest.current?.choices[index] ?? 'skip';
              return choices.includes(choice) ? choice : 'skip';
            }),
            unchecked: new Set(),
          });
        } catch (error) {
          if (!signal.aborted) notify.error(error, 'Failed to check the rows');
          else if (signal.reason !== superseded) notify.info('The check was cancelled');
        }
      },
    );

  const newest = async (): Promise<Made | undefined> =>
    (await call(batches.calls.list, { query: { kind: 'import', limit: 1 } })).data[0];

  const apply = (): void => {
    const table = latest.current;
    if (!table || running.current) return;
    const title = `Importing ${inWords(table.rows.length)} …`;
    const note = 'All of it goes in at once, or nothing. Cancel leaves nothing behind.';
    void run({ kind: 'import', title, note }, async (signal) => {
      const { choices, fingerprint } = table;
      const body = { ...bodyOf(table), choices: [...choices], expected: { fingerprint } };
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
        if (isApiError(error, 'IMPORT_CHANGED')) checkNow(table);
      }
    });
  };
  const done = (batch: Made): void => {
    open.current = undefined;
    show(undefined);
    onImported(batch);
  };

  /** The rows as they were sent are being saved: a change would be of nothing. */
  const mayChange = (): boolean => {
    const isFree = running.current?.kind !== 'import';
    if (!isFree) notify.info('Wait until the import is done, or cancel it');
    return isFree;
  };

  return {
    checked,
    busy,
    check: checkNow,
    apply,
    cancel: () => stop(),
    /** Back to the columns. */
    forget: () => {
      stop(running.current?.kind === 'check' ? superseded : undefined);
      show(undefined);
    },
    choose: (indexes: readonly number[], choice: ImportChoice) => {
      const old = latest.current;
      if (!old || !mayChange()) return;
      const chosen = new Set(indexes.filter((index) => old.answers[index]?.choices?.includes(choice)));
      show({ ...old, choices: old.choices.map((one, index) => (chosen.has(index) ? choice : one)) });
    },
    /** Rows were mended, by their texts: everything is checked again, since rows know of each other. */
    mend: (mended: ReadonlyMap<number, readonly string[]>) => {
      const old = latest.current;
      if (!old || !mayChange()) return;
      const rows = old.rows.map((row, index) => mended.get(index) ?? row);
      const next = { ...old, rows, unchecked: new Set([...old.unchecked, ...mended.keys()]) };
      show(next);
      checkNow(next);
    },
    /** After a check that failed or was cancelled, or when a record was created that rows name. */
    checkAgain: () => {
      if (latest.current) checkNow(latest.current);
    },
  };
}

export type ImportWork = ReturnType<typeof useImport>;

import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { countText } from '../../../shared/calc/count-text.ts';
import { TABLE_MAX_ROWS } from '../../../shared/reading/tables.ts';
import type { ScreenId } from '../../../shared/screen-names.ts';
import { importNouns } from '../../../shared/sheet/import-fields.ts';
import { importKinds, type ImportKind } from '../../../shared/contract/imports.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { useLeaveGuard } from '../../kit/feedback/leave-guard.ts';
import { useUndoBatch } from '../../kit/feedback/undo-batch.tsx';
import { url, useUrlState } from '../../kit/filters/url-state.ts';
import { screens } from '../../screens.ts';
import { Page } from '../../kit/ui/page.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { CheckStep } from './check-step.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { readAsOf, rememberColumns, rowsOf, type Source } from './import-source.ts';
import { ReadAgain } from './read-source.tsx';
import { StartStep } from './start-step.tsx';
import { useImport } from './use-import.ts';

const urlShape = { kind: url.oneOf<ImportKind>(importKinds, 'owners') };
/** The screen that shows what was imported. */
const resultScreens: Readonly<Record<ImportKind, { screen: ScreenId; label: string }>> = {
  owners: { screen: 'owners', label: 'Show owners' },
  trucks: { screen: 'trucks', label: 'Show trucks' },
  tags: { screen: 'tags', label: 'Show tags' },
  'petrol-pumps': { screen: 'petrolPumps', label: 'Show petrol pumps' },
  challans: { screen: 'challans', label: 'Show past challans' },
  // Each opening balance is shown in the statement of its owner.
  'opening-balances': { screen: 'accounting', label: 'Show accounting' },
  declarations: { screen: 'declarations', label: 'Show declarations' },
};

export interface Imported {
  kind: ImportKind;
  batch: Pick<Batch, 'id' | 'number' | 'title'>;
  /** How many rows were left out. They stay on the screen. */
  leftCount: number;
}

/**
 * /import (docs/specification.md §22.4): the user chooses a file or pastes rows, assigns the columns, sees the check,
 * and imports the rows that are right.
 */
export function ImportPage() {
  const [{ kind }, setUrl] = useUrlState(urlShape);
  const [source, setSource] = useState<Source>();
  const [imported, setImported] = useState<Imported>();
  const { undo, dialog } = useUndoBatch();
  const noticeRef = useRef<HTMLDivElement>(null);
  const work = useImport(kind, source, (batch, leftCount) => {
    setImported({ kind, batch, leftCount });
    if (leftCount === 0) setSource(undefined);
  });
  const { checked } = work;
  useLeaveGuard(source !== undefined, 'The rows and your changes to them will be lost.');
  useLayoutEffect(() => {
    if (imported) noticeRef.current?.focus();
  }, [imported]);

  const startAgain = (): void => {
    work.discardCheck();
    setSource(undefined);
  };
  const check = (from: Source): void => {
    rememberColumns(kind, from);
    setImported(undefined);
    work.check(rowsOf(kind, from));
  };
  const [nouns] = importNouns[kind];

  return (
    <Page
      fill={checked !== undefined}
      title="Import"
      aside={
        source && (
          <p className="min-w-0 truncate text-muted">
            {[`${nouns} from ${source.name}`, readAsOf(source)].filter(Boolean).join(' · ')}
          </p>
        )
      }
      actions={<Link to={screens.pastImports.path}>Past imports and sheets</Link>}
    >
      {imported && (
        <Alert
          ref={noticeRef}
          tone="good"
          title={`${imported.batch.number}: ${imported.batch.title}`}
          onClose={() => setImported(undefined)}
          actions={
            <>
              <Link to={screens[resultScreens[imported.kind].screen].path}>{resultScreens[imported.kind].label}</Link>
              <Button
                size="sm"
                onClick={() =>
                  void undo(imported.batch).then((isDone) => {
                    if (isDone) setImported(undefined);
                  })
                }
              >
                Undo
              </Button>
            </>
          }
        >
          {imported.leftCount > 0 &&
            `${countText(imported.leftCount, 'row')} ${imported.leftCount === 1 ? 'was' : 'were'} left out. They stay below: correct and import them, or save them as a file.`}
        </Alert>
      )}
      {work.busy && (
        <Alert
          tone="info"
          title={work.busy.title}
          actions={
            <Button size="sm" onClick={work.cancel}>
              Cancel
            </Button>
          }
        >
          {work.busy.note}
        </Alert>
      )}
      {source === undefined && (
        <StartStep
          kind={kind}
          onKind={(next) => setUrl({ kind: next }, { replace: true })}
          onSource={(next) => {
            setImported(undefined);
            setSource(next);
          }}
        />
      )}
      {source !== undefined && checked === undefined && (
        <>
          <ReadAgain kind={kind} source={source} onSource={setSource} />
          <ColumnsStep
            kind={kind}
            source={source}
            isBusy={work.busy !== undefined}
            mostRows={TABLE_MAX_ROWS}
            onChange={setSource}
            onCheck={() => check(source)}
            onStartAgain={startAgain}
          />
        </>
      )}
      {source && checked && (
        // After an import the rows that are left begin anew.
        <CheckStep key={imported?.batch.id} kind={kind} source={source} work={work} checked={checked} />
      )}
      {dialog}
    </Page>
  );
}

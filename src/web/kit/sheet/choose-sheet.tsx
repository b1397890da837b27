import { useCallback, useState, type ReactNode } from 'react';
import { countText } from '../../../shared/calc/count-text.ts';
import type { TableSheet } from '../../../shared/contract/tables.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface Question {
  fileName: string;
  sheets: readonly TableSheet[];
  answer: (sheet: number | undefined) => void;
}

/**
 * Asks which sheet of a file is meant, where more than one has rows. The answer is its index; undefined means that the user
 * wants none. The only sheet is taken without asking.
 */
export function useSheetChoice(): {
  chooseSheet: (fileName: string, sheets: readonly TableSheet[]) => Promise<number | undefined>;
  dialog: ReactNode;
} {
  const [question, setQuestion] = useState<Question>();
  const chooseSheet = useCallback(
    (fileName: string, sheets: readonly TableSheet[]) =>
      sheets.length < 2
        ? Promise.resolve(sheets.length === 1 ? 0 : undefined)
        : new Promise<number | undefined>((resolve) => {
            setQuestion({
              fileName,
              sheets,
              answer: (sheet) => {
                setQuestion(undefined);
                resolve(sheet);
              },
            });
          }),
    [],
  );
  return {
    chooseSheet,
    dialog: question && (
      <Dialog
        size="sm"
        title="Which sheet?"
        description={`${question.fileName} has ${countText(question.sheets.length, 'sheet')} with rows.`}
        onClose={() => question.answer(undefined)}
        footer={<Button onClick={() => question.answer(undefined)}>Cancel</Button>}
      >
        <ul className="grid gap-1.5">
          {question.sheets.map(({ name, rows }, index) => (
            // Two sheets of a file may have the same name.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <Button className="w-full justify-between" onClick={() => question.answer(index)}>
                <span className="truncate">{name}</span>
                <span className="nums ml-3 shrink-0 text-muted">{countText(rows.length, 'row')}</span>
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
    ),
  };
}

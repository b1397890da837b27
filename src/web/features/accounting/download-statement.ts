import { call, saveFile } from '../../kit/api/client.ts';
import { ownerStatements } from '../../resources/owner-statements.ts';
import { notify } from '../../kit/feedback/toast.ts';

const { pdf, xlsx } = ownerStatements.calls;
const calls = { pdf, xlsx };

/** Downloads a printed statement as it was frozen, with the same bytes each time (docs/specification.md §26.3). */
export async function downloadStatement(
  { id, number }: { id: string; number: string },
  format: keyof typeof calls,
): Promise<void> {
  try {
    const file = await call(calls[format], { params: { id } });
    saveFile(file, `statement_${number}.${format}`);
  } catch (error) {
    notify.error(error, 'Failed to download the statement');
  }
}

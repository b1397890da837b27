import type { BankFile } from '../../shared/contract/bank-files.ts';
import { bankFiles } from '../api/bank-files.ts';
import { call, saveFile } from '../api/client.ts';
import { notify } from '../feedback/toast.ts';

/** The stored file, the same bytes each time; false where it could not be fetched, which is said. */
export async function downloadBankFile({ id, fileName, number }: BankFile): Promise<boolean> {
  try {
    saveFile(await call(bankFiles.calls.download, { params: { id } }), fileName);
    notify.success(`Bank file ${number} downloaded: ${fileName}`);
    return true;
  } catch (error) {
    notify.error(error, 'Failed to download the bank file');
    return false;
  }
}

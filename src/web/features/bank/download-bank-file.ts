import type { BankFile } from '../../../shared/contract/bank-files.ts';
import { bankFiles } from '../../resources/bank-files.ts';
import { call, saveFile } from '../../kit/api/client.ts';
import { notify } from '../../kit/feedback/toast.ts';

/**
 * Downloads the stored bank file, which has the same bytes each time. Returns false after an error toast if it could not be
 * fetched.
 */
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

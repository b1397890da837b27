import { fileMessages } from '../files/spreadsheet/messages.ts';
import { Refusal } from '../refusal.ts';

/** Per account, so that a slow sender does not block other accounts. */
const perAccount = 4;
/** Memory of all uploads together. */
const mostBytes = 128 * 1024 * 1024;

export interface UploadUnderWay {
  /** Counts bytes that have arrived; refuses when there is no room. */
  take(bytes: number): void;
  end(): void;
}

/**
 * Uploads from their first byte to their answer. Only bytes that have arrived count; announced ones do not.
 */
export class UploadsUnderWay {
  readonly #accounts = new Map<string, number>();
  #bytes = 0;

  get count(): number {
    return [...this.#accounts.values()].reduce((sum, count) => sum + count, 0);
  }

  get bytes(): number {
    return this.#bytes;
  }

  begin(account: string): UploadUnderWay {
    const before = this.#accounts.get(account) ?? 0;
    if (before >= perAccount) throw busy();
    this.#accounts.set(account, before + 1);
    let own = 0;
    return {
      take: (bytes) => {
        if (this.#bytes + bytes > mostBytes) throw busy();
        own += bytes;
        this.#bytes += bytes;
      },
      end: () => {
        this.#bytes -= own;
        const left = (this.#accounts.get(account) ?? 1) - 1;
        if (left === 0) this.#accounts.delete(account);
        else this.#accounts.set(account, left);
      },
    };
  }
}

const busy = (): Refusal => new Refusal('TOO_MANY_REQUESTS', fileMessages.busy, { retryAfterSeconds: 5 });

/** One for the process, whatever number of apps it holds. */
export const uploadsUnderWay = new UploadsUnderWay();

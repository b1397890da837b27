import type { Refusal } from '../refusal.ts';

interface Account {
  atWork: number;
  /** First come, first served. */
  readonly waiting: (() => void)[];
}

interface GateOptions {
  atOnce: number;
  waiting: number;
  waitMs: number;
  refusal: () => Refusal;
}

/**
 * A semaphore per account, so that no account takes all connections. Further calls wait in a queue and are refused when
 * it is full or they wait too long; a client that disconnects leaves the queue.
 */
export class AccountGate {
  readonly #options: GateOptions;
  readonly #accounts = new Map<string, Account>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** How many calls of an account are running and waiting. */
  look(id: string): { atWork: number; waiting: number } {
    const account = this.#accounts.get(id);
    return { atWork: account?.atWork ?? 0, waiting: account?.waiting.length ?? 0 };
  }

  async pass<T>(id: string, left: AbortSignal, work: () => Promise<T>): Promise<T> {
    const account = this.#of(id);
    if (account.atWork < this.#options.atOnce) account.atWork += 1;
    else await this.#turn(account, left);
    try {
      return await work();
    } finally {
      this.#leave(id, account);
    }
  }

  #of(id: string): Account {
    let account = this.#accounts.get(id);
    if (account === undefined) this.#accounts.set(id, (account = { atWork: 0, waiting: [] }));
    return account;
  }

  #leave(id: string, account: Account): void {
    const next = account.waiting.shift();
    // Passed on to the next: the number of running calls stays.
    if (next) next();
    else {
      account.atWork -= 1;
      if (account.atWork === 0) this.#accounts.delete(id);
    }
  }

  #turn({ waiting }: Account, left: AbortSignal): Promise<void> {
    const { waitMs, refusal } = this.#options;
    if (waiting.length >= this.#options.waiting || left.aborted) throw refusal();
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(clock);
        left.removeEventListener('abort', giveUp);
      };
      const go = (): void => {
        settle();
        resolve();
      };
      const giveUp = (): void => {
        settle();
        waiting.splice(waiting.indexOf(go), 1);
        reject(refusal());
      };
      const clock = setTimeout(giveUp, waitMs);
      left.addEventListener('abort', giveUp);
      waiting.push(go);
    });
  }
}

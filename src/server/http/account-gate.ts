import type { ServerResponse } from 'node:http';
import type { Refusal } from '../refusal.ts';

interface Account {
  atWork: number;
  /** Who came first goes first. */
  readonly waiting: (() => void)[];
}

interface GateOptions {
  atOnce: number;
  waiting: number;
  waitMs: number;
  refusal: () => Refusal;
}

/**
 * So much of one account's work at once, so that no account takes the connections of all others. What is more waits its
 * turn, and is refused when it waits too long or too many do; whoever leaves meanwhile loses the turn.
 */
export class AccountGate {
  readonly #options: GateOptions;
  readonly #accounts = new Map<string, Account>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** How many of an account's calls are at work, and wait. */
  look(id: string): { atWork: number; waiting: number } {
    const account = this.#accounts.get(id);
    return { atWork: account?.atWork ?? 0, waiting: account?.waiting.length ?? 0 };
  }

  async pass<T>(id: string, response: ServerResponse, work: () => Promise<T>): Promise<T> {
    const account = this.#of(id);
    if (account.atWork < this.#options.atOnce) account.atWork += 1;
    else await this.#turn(account, response);
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
    // Handed on: the number at work stays.
    if (next) next();
    else {
      account.atWork -= 1;
      if (account.atWork === 0) this.#accounts.delete(id);
    }
  }

  #turn({ waiting }: Account, response: ServerResponse): Promise<void> {
    const { waitMs, refusal } = this.#options;
    if (waiting.length >= this.#options.waiting) throw refusal();
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(clock);
        response.off('close', giveUp);
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
      response.once('close', giveUp);
      waiting.push(go);
    });
  }
}

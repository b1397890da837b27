/** Waits for the work, up to a time limit. After that saving goes on without its result, and the form's validation asks for it. */
export function waitAtMost(work: Promise<unknown>, mostMs = 10_000): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, mostMs);
  });
  const done = work.then(
    () => undefined,
    () => undefined,
  );
  return Promise.race([done, timeUp]).finally(() => clearTimeout(timer));
}

/** The pickers of a form that the user left before their search answered. Saving waits for them. */
export class PendingPickers {
  /** In a form with one picker: why its text is not a valid choice. */
  problem: string | undefined;
  private readonly pending = new Set<Promise<void>>();

  readonly add = (settling: Promise<void>): void => {
    this.pending.add(settling);
    void settling.finally(() => this.pending.delete(settling));
  };

  readonly setProblem = (problem: string | undefined): void => {
    this.problem = problem;
  };

  isPending(): boolean {
    return this.pending.size > 0;
  }

  settled(): Promise<void> {
    return waitAtMost(Promise.all(this.pending));
  }
}

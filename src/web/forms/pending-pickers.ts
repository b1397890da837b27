/** Waits for the work, with a time limit: what saving needs of it is then missing, and the form asks for it. */
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

/** The pickers of a form that were left before their search had answered: saving waits for them. */
export class PendingPickers {
  /** Of a form with one picker: why its text is no choice. */
  problem: string | undefined;
  private readonly underWay = new Set<Promise<void>>();

  readonly add = (settling: Promise<void>): void => {
    this.underWay.add(settling);
    void settling.finally(() => this.underWay.delete(settling));
  };

  readonly setProblem = (problem: string | undefined): void => {
    this.problem = problem;
  };

  isPending(): boolean {
    return this.underWay.size > 0;
  }

  settled(): Promise<void> {
    return waitAtMost(Promise.all(this.underWay));
  }
}

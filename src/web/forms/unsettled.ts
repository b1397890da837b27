/** Until the work has answered, though not for ever: what saving needs of it is then missing, and is asked for. */
export function patiently(work: Promise<unknown>, patienceMs = 10_000): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tired = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  const done = work.then(
    () => undefined,
    () => undefined,
  );
  return Promise.race([done, tired]).finally(() => clearTimeout(timer));
}

/** The pickers of a form that were left before their search had answered: saving waits for them. */
export class Unsettled {
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

  settled(): Promise<void> {
    return patiently(Promise.all(this.underWay));
  }
}

import { readFileSync } from 'node:fs';
import { parserPids } from '../../../src/server/files/spreadsheet/parser-process.ts';

/** Looks every few milliseconds at the memory of the parser processes: the most that one of them held, by the kernel. */
export class ParserMemory {
  peakMb = 0;
  readonly #clock = setInterval(() => this.#look(), 10);

  reset(): void {
    this.peakMb = 0;
  }

  stop(): void {
    clearInterval(this.#clock);
  }

  #look(): void {
    for (const pid of parserPids) {
      try {
        // VmHWM is the highest that the process ever had, so that nothing between two looks is missed.
        const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
        this.peakMb = Math.max(this.peakMb, Number(peak ?? 0) / 1024);
      } catch {
        // Gone between the two.
      }
    }
  }
}

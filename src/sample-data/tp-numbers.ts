import { dayText, financialYearOf } from './calendar.ts';
import type { Random } from './random.ts';
import type { Route } from './trade.ts';

/** Transit-pass numbers in the shapes that stress matching; 3 % name a pass that another challan has as well. */
export class TpNumbers {
  readonly #random: Random;
  readonly #recent: string[] = [];
  #position = 0;
  #counter: number;

  constructor(random: Random) {
    this.#random = random;
    this.#counter = random.between(100_000, 300_000);
  }

  next(route: Route, day: number): string {
    const random = this.#random;
    if (random.chance(3) && this.#recent.length > 0) return random.pick(this.#recent);
    const text = this.#fresh(route, day);
    this.#recent[this.#position] = text;
    this.#position = (this.#position + 1) % 400;
    return text;
  }

  #fresh(route: Route, day: number): string {
    const random = this.#random;
    this.#counter += random.between(1, 3);
    const roll = random.below(100);
    if (roll < 50) {
      const date = dayText(day).replaceAll('-', '').slice(2);
      return date.slice(0, 4) + String(this.#counter).padStart(random.between(7, 9), '0');
    }
    if (roll < 62) return `000${String(this.#counter % 1_000_000).padStart(6, '0')}`;
    if (roll < 84) {
      const year = financialYearOf(day);
      return `${route.district}/${year.slice(0, 2)}-${year.slice(2)}/${String(this.#counter).padStart(7, '0')}`;
    }
    return `Y${String(this.#counter).padStart(7, '0')}`;
  }
}

import type { z } from 'zod';
import { formatDate } from '../calc/dates.ts';
import type { declarationState } from '../contract/declaration-state.ts';

/** Where a declaration stands, in words. */
export function declarationStatus({ state, validFrom, validTo, withdrawnOn }: z.output<typeof declarationState>): {
  label: string;
  tone: 'good' | 'warn' | 'bad' | 'neutral';
} {
  switch (state) {
    case 'withdrawn':
      return { label: `Withdrawn on ${formatDate(withdrawnOn ?? validTo)}`, tone: 'neutral' };
    case 'lapsed':
      return { label: `Lapsed on ${formatDate(validTo)}`, tone: 'bad' };
    case 'coming':
      return { label: `From ${formatDate(validFrom)}`, tone: 'neutral' };
    case 'lapsing':
      return { label: `Lapses on ${formatDate(validTo)}`, tone: 'warn' };
    case 'valid':
      return { label: `Until ${formatDate(validTo)}`, tone: 'good' };
  }
}

/** In few words, for a narrow cell: 'Lapses 31/03/27'. */
export const declarationMark = (declaration: Parameters<typeof declarationStatus>[0]) => {
  const { label, tone } = declarationStatus(declaration);
  return { label: label.replace(/ on /, ' ').replace(/(\d\d\/\d\d\/)\d\d(\d\d)/, '$1$2'), tone };
};

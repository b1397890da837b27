import { groupLakhs } from './money.ts';

/**
 * '1,284' and '1,28,400': a count with the separators of India, the last three digits and then pairs. The first
 * toLocaleString of a process takes 15 ms, which each reader of an uploaded file would pay.
 */
export function formatCount(count: number): string {
  const [integer = '', fraction] = String(Math.abs(count)).split('.');
  return `${count < 0 ? '-' : ''}${groupLakhs(integer)}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** '1 challan', '1,284 challans'. For nouns whose plural ends in s. */
export const countText = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

const mostNames = 3;
/** 'Asha, Ravi, Sita and 2 more owners' */
export function namesText(names: readonly string[], noun: string): string {
  const more = names.length > mostNames ? ` and ${countText(names.length - mostNames, `more ${noun}`)}` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}

/** '1 challan', '1,284 challans' */
export const challansText = (count: number): string => countText(count, 'challan');

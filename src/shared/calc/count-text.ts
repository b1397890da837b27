/**
 * '1,284' and '1,28,400': a count with the separators of India, the last three digits and then pairs. The first
 * toLocaleString of a process takes 15 ms, which each reader of an uploaded file would pay.
 */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(?:\d\d)*\d{3}$)/g, ',');

/** '1 challan', '1,284 challans'. For nouns whose plural ends in s. */
export const countText = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** '1 challan', '1,284 challans' */
export const challansText = (count: number): string => countText(count, 'challan');

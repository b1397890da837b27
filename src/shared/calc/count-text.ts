/** '1,284' and '1,28,400': a count with the separators of India. */
export const formatCount = (count: number): string => count.toLocaleString('en-IN');

/** '1 challan', '1,284 challans'. For nouns whose plural ends in s. */
export const countText = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** '1 challan', '1,284 challans' */
export const challansText = (count: number): string => countText(count, 'challan');

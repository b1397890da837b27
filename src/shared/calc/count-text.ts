/** '1 challan', '1,284 challans'. For nouns whose plural ends in s. */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en-IN')} ${noun}${count === 1 ? '' : 's'}`;

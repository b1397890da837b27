/** A word of the text begins with the term, whatever stands between the words of either. */
export const beginsAWord = (text: string, term: string): string => {
  const words = (value: string): string =>
    `' ' || btrim(regexp_replace(lower(${value}), '[[:space:][:punct:]]+', ' ', 'g'))`;
  return `strpos(${words(text)}, ${words(term)}) > 0`;
};

/**
 * How well a name answers a search, the best first: it is the name; the name begins with it; one of its words does; the
 * rest. A picker's first row is the one Enter means, and its first page must hold the best ones.
 */
export const nameRank = (name: string, term: string): string =>
  `CASE WHEN lower(${name}) = lower(${term}) THEN 0 WHEN starts_with(lower(${name}), lower(${term})) THEN 1
    WHEN ${beginsAWord(name, term)} THEN 2 ELSE 3 END`;

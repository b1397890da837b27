/** A word of the text begins with the term; separators between words do not matter. */
export const beginsAWord = (text: string, term: string): string => {
  const words = (value: string): string =>
    `' ' || btrim(regexp_replace(lower(${value}), '[[:space:][:punct:]]+', ' ', 'g'))`;
  return `strpos(${words(text)}, ${words(term)}) > 0`;
};

/**
 * How well a name matches a search, the best first: equal, begins with the term, one of its words begins with it, the
 * rest. Enter takes a picker's first row, so the first page must have the best matches.
 */
export const nameRank = (name: string, term: string): string =>
  `CASE WHEN lower(${name}) = lower(${term}) THEN 0 WHEN starts_with(lower(${name}), lower(${term})) THEN 1
    WHEN ${beginsAWord(name, term)} THEN 2 ELSE 3 END`;

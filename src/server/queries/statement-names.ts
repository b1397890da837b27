const names = new Map<string, string>();

/**
 * Returns the name under which a statement with this text is prepared. The same text always gets the same name, and no
 * two texts share one. Each connection keeps every statement that was prepared on it, so only texts that are used often
 * should have a name.
 */
export function preparedName(kind: string, text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${kind}-${names.size + 1}`;
  names.set(text, name);
  return name;
}

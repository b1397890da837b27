/** A part of a text with markup: text between tags, or a tag. */
export type Token =
  | { text: string }
  | {
      /** The name in small letters, without the prefix of its namespace. */
      tag: string;
      isEnd: boolean;
      /** It has no content: <br/>. */
      isEmpty: boolean;
      /** The value of an attribute, without the prefix of its namespace; undefined where there is none. */
      valueOf: (name: string) => string | undefined;
    };

/** What is not closed goes on to the end of the source. So every part is found where it begins, and nothing is read twice. */
const part =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<(\/?)(?:[\w-]+:)?([a-z][\w-]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*)(?:>|$)|<[!?][^>]*(?:>|$)|([^<]+|<)/gi;

/** Yields the tags and texts one after the other. Comments and declarations are left out, and no entity is ever declared. */
export function* tokensOf(source: string): Generator<Token> {
  for (const [, raw, end, name, attributes = '', text] of source.matchAll(part)) {
    if (raw !== undefined) yield { text: raw };
    else if (text !== undefined) yield { text: plainText(text) };
    else if (name !== undefined)
      yield {
        tag: name.toLowerCase(),
        isEnd: end === '/',
        isEmpty: attributes.endsWith('/'),
        valueOf: (wanted) => {
          const [, double, single, bare] = attributePattern(wanted).exec(attributes) ?? [];
          const value = double ?? single ?? bare;
          return value === undefined ? undefined : plainText(value);
        },
      };
  }
}

const patterns = new Map<string, RegExp>();
function attributePattern(name: string): RegExp {
  const known = patterns.get(name);
  if (known) return known;
  const made = new RegExp(`(?:^|[\\s"'])(?:[\\w-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
  patterns.set(name, made);
  return made;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
};

/** Replaces entities by what they mean; one that is not known stays as it is written. */
const plainText = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (entity, decimal, hex, name) => {
        if (name !== undefined) return entities[String(name).toLowerCase()] ?? entity;
        const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
      })
    : text;

/** A number in an attribute; `otherwise` where there is none. */
export const numberIn = (text: string | undefined, otherwise: number): number => {
  const number = Number(text);
  return text !== undefined && Number.isInteger(number) && number > 0 ? number : otherwise;
};

/**
 * Reads a file for Tally as Tally would, by a schema written by hand from its public documentation, and keeps what is in it:
 * the books after every import of such files.
 */
interface Node {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
  text: string;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const plain = (text: string): string =>
  text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const sign = entities[name];
    if (sign === undefined || !whole.endsWith(';')) throw new Error(`No entity: ${whole}`);
    return sign;
  });

export function parseXml(source: string): Node {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for here
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(source)) throw new Error('XML cannot contain this character');
  const root: Node = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const part = /<\?xml[^>]*\?>|<!--(?:(?!--)[\s\S])*-->|<(\/?)([\w.]+)((?:\s+[\w:]+="[^"<]*")*)>|([^<>]+)/gy;
  while (part.lastIndex < source.length) {
    const at = part.lastIndex;
    const found = part.exec(source);
    if (!found) throw new Error(`Not XML: ${source.slice(at, at + 60)}`);
    const [, end, name, attributes = '', text] = found;
    const top = stack.at(-1)!;
    if (text !== undefined) top.text += plain(text);
    else if (end === '/') {
      if (stack.pop()?.name !== name) throw new Error(`${name} is closed, but not opened`);
    } else if (name !== undefined) {
      const node: Node = {
        name,
        attributes: Object.fromEntries(
          [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, plain(value)]),
        ),
        children: [],
        text: '',
      };
      top.children.push(node);
      stack.push(node);
    }
  }
  if (stack.length !== 1 || root.children.length !== 1) throw new Error('An element is not closed');
  return root.children[0]!;
}

const paise = (text: string): bigint => {
  if (!/^-?\d+\.\d\d$/.test(text)) throw new Error(`No amount: ${text}`);
  return BigInt(text.replace('.', ''));
};
const only = (node: Node, ...names: string[]): Node[] => {
  for (const child of node.children) if (!names.includes(child.name)) throw new Error(`${child.name} in ${node.name}`);
  return node.children;
};
const one = (node: Node, name: string): Node => {
  const found = node.children.filter((child) => child.name === name);
  if (found.length !== 1) throw new Error(`${found.length} ${name} in ${node.name}`);
  return found[0]!;
};
const path = (node: Node, ...names: string[]): Node => names.reduce(one, node);

export interface ReadVoucher {
  type: string;
  date: string;
  reference: string;
  narration: string;
  /** What each ledger is debited, in paise; credits are below zero. */
  entries: [ledger: string, debited: bigint][];
}

/** The messages of a file, in their order. */
function messagesOf(source: string, report: string): Node[] {
  if (!/<!--[^>]*Not certified by Tally/.test(source)) throw new Error('It does not say that nobody has certified it');
  const envelope = parseXml(source);
  if (envelope.name !== 'ENVELOPE' || path(envelope, 'HEADER', 'TALLYREQUEST').text !== 'Import Data')
    throw new Error('No import');
  const data = path(envelope, 'BODY', 'IMPORTDATA');
  if (path(data, 'REQUESTDESC', 'REPORTNAME').text !== report) throw new Error('Another report');
  return only(one(data, 'REQUESTDATA'), 'TALLYMESSAGE').map(({ children: [message, ...more] }) => {
    if (!message || more.length > 0) throw new Error('A message has one object');
    return message;
  });
}

export class TallyBooks {
  readonly vouchers = new Map<string, ReadVoucher>();

  /** Imports a file as often as one likes: a voucher with a known id takes the place of the one before it. */
  import(source: string): { created: string[]; deleted: string[] } {
    const created: string[] = [];
    const deleted: string[] = [];
    for (const node of messagesOf(source, 'Vouchers')) {
      const { REMOTEID: id = '', VCHTYPE: type = '', ACTION: action } = node.attributes;
      const date = one(node, 'DATE').text;
      if (node.name !== 'VOUCHER' || !/^[0-9a-f-]{36}$/.test(id) || one(node, 'GUID').text !== id)
        throw new Error('No stable id');
      if (!['Journal', 'Payment', 'Receipt'].includes(type) || one(node, 'VOUCHERTYPENAME').text !== type)
        throw new Error(type);
      if (!/^20\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/.test(date)) throw new Error(`No day: ${date}`);
      if (created.includes(id) || deleted.includes(id)) throw new Error(`${id} comes twice`);
      if (action === 'Delete') {
        only(node, 'GUID', 'DATE', 'VOUCHERTYPENAME');
        if (!this.vouchers.delete(id)) throw new Error('Takes back what is not there');
        deleted.push(id);
        continue;
      }
      if (action !== 'Create' || one(node, 'EFFECTIVEDATE').text !== date)
        throw new Error('Neither created nor deleted');
      only(node, 'GUID', 'DATE', 'VOUCHERTYPENAME', 'EFFECTIVEDATE', 'REFERENCE', 'NARRATION', 'ALLLEDGERENTRIES.LIST');
      const entries = node.children
        .filter(({ name }) => name === 'ALLLEDGERENTRIES.LIST')
        .map((entry): [string, bigint] => {
          only(entry, 'LEDGERNAME', 'ISDEEMEDPOSITIVE', 'AMOUNT');
          const amount = paise(one(entry, 'AMOUNT').text);
          const isDebit = one(entry, 'ISDEEMEDPOSITIVE').text === 'Yes';
          if (amount === 0n || amount < 0n !== isDebit) throw new Error(`The sign of ${amount}`);
          return [one(entry, 'LEDGERNAME').text, -amount];
        });
      if (entries.length < 2 || entries.reduce((sum, [, amount]) => sum + amount, 0n) !== 0n)
        throw new Error(`${id} does not balance`);
      this.vouchers.set(id, {
        type,
        date,
        reference: one(node, 'REFERENCE').text,
        narration: one(node, 'NARRATION').text,
        entries,
      });
      created.push(id);
    }
    return { created, deleted };
  }

  /** What the vouchers of these types debit to each ledger. */
  balances(...types: string[]): Record<string, bigint> {
    const sums: Record<string, bigint> = {};
    for (const { type, entries } of this.vouchers.values())
      if (types.includes(type)) for (const [ledger, amount] of entries) sums[ledger] = (sums[ledger] ?? 0n) + amount;
    return sums;
  }
}

/** The groups and ledgers of a file of masters, each with its parent. */
export const readMasters = (source: string): [what: string, name: string, parent: string][] =>
  messagesOf(source, 'All Masters').map((node) => {
    if (!['GROUP', 'LEDGER'].includes(node.name) || node.attributes.NAME !== one(node, 'NAME').text)
      throw new Error(node.name);
    return [node.name, node.attributes.NAME, one(node, 'PARENT').text];
  });

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allErrors, type Endpoint } from '../src/shared/contract/define.ts';
import { errorStatus, type ErrorCode } from '../src/shared/contract/errors.ts';
import { contract } from '../src/shared/contract/index.ts';
import { filesUnder } from '../src/tasks/imports.ts';
import { childrenOf, isNode, programOf, type Node } from './messages/literals.ts';

/**
 * Every error code that the code of a call can throw is one that the contract declares for the call. From its handler on all
 * functions and constants of the server that are named are read, and the error codes in them are collected. So a refusal
 * that is added to a service has to be declared at each call that leads there.
 */

/** Codes that a call leads to and never answers, with the reason. */
const cannotHappen: Record<string, Partial<Record<ErrorCode, string>>> = {
  'bankAnswers.accept': {
    LINE_AT_BANK: 'its lines failed or were returned by then',
    CARRIED: 'an owner with a carry has no line at the bank',
  },
  'bankAnswers.undo': { ON_HOLD: 'leaves what is on hold, and locks the holds first' },
  'bankStatement.markPaid': { NO_MATCHING_CHALLANS: 'names its challans' },
  'bankStatement.markMatchingPaid': {
    ON_HOLD: 'a filter leaves out what is on hold',
    NOT_FOUND: 'a filter names no challan',
  },
  'batches.undo': {
    ON_HOLD: 'leaves what is on hold, and locks the holds first',
    CARRIED: 'the payment of an import carries and deducts nothing',
    LINE_AT_BANK: 'leaves what is at the bank, and reads it after the locks',
  },
  'challans.create': { NOT_FOUND: 'pays what it made' },
  'challans.createMany': {
    INVALID_ID: 'a row has no address',
    INVALID_PAGINATION: 'a row has no pages',
    AMOUNT_MISMATCH: 'in the list of refused rows',
    INVALID_REFERENCE: 'in the list of refused rows',
    ON_HOLD: 'in the list of refused rows',
    NOT_FOUND: 'pays what it made',
    PERIOD_LOCKED: 'in the list of refused rows',
  },
  'challans.previewMany': { AMOUNT_MISMATCH: 'sets no figure that is computed' },
  'challans.changeMany': {
    AMOUNT_MISMATCH: 'sets no figure that is computed',
    ON_HOLD: 'leaves what is on hold, and locks the holds first',
  },
  'hsdVerification.upload': { NOT_FOUND: 'a constant of the service has the name of the refusal' },
  'imports.check': {
    IMPORT_CHANGED: 'writes nothing',
    NOT_FOUND: 'writes nothing',
    ON_HOLD: 'writes nothing',
    AMOUNT_MISMATCH: 'writes nothing',
    INVALID_REFERENCE: 'writes nothing',
    PERIOD_LOCKED: 'writes nothing',
  },
  'imports.apply': {
    NOT_FOUND: 'pays what it made',
    ON_HOLD: 'a payment of the past',
    AMOUNT_MISMATCH: 'answered as IMPORT_CHANGED',
    INVALID_REFERENCE: 'answered as IMPORT_CHANGED',
    PERIOD_LOCKED: 'rows of locked days are wrong',
  },
  'imports.addSample': {
    NOT_FOUND: 'reads the batch that it made',
    ON_HOLD: 'creates nothing that is paid',
    AMOUNT_MISMATCH: 'its rows are constants',
    INVALID_REFERENCE: 'names what it made',
  },
  'paymentBatches.exportCsv': { VALIDATION_ERROR: 'a CSV file may have any number of rows' },
  'paymentBatches.takeBackCarry': { LINE_AT_BANK: 'an owner with a carry has no line at the bank' },
  'preparedPayments.prepare': {
    AMOUNT_MISMATCH: 'pays, and sets no figure',
    INVALID_REFERENCE: 'pays, and sets no field that names a record',
  },
  'preparedPayments.release': {
    AMOUNT_MISMATCH: 'pays, and sets no figure',
    INVALID_REFERENCE: 'pays, and sets no field that names a record',
  },
  'subadmins.setActive': { VERSION_CONFLICT: 'sends no version', EMAIL_IN_USE: 'sends no email' },
};

/** A file of the server: what it declares at its top, and the names that it imports from other files of the server. */
interface Module {
  declared: ReadonlyMap<string, Node>;
  imported: ReadonlyMap<string, string>;
}

// The cast is safe: these fields of a syntax tree hold nodes.
const nodesOf = (node: Node, field: string): Node[] => [node[field]].flat().filter(isNode);
const nameOf = (node: Node | undefined): string => (node?.type === 'Identifier' ? String(node['name']) : '');
const once = <T>(make: (key: string) => T): ((key: string) => T) => {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
};

const moduleOf = once((file): Module => {
  const declared = new Map<string, Node>();
  const imported = new Map<string, string>();
  for (const statement of nodesOf(programOf(file), 'body')) {
    if (statement.type === 'ImportDeclaration') {
      const [source] = nodesOf(statement, 'source');
      const target = String(source?.['value']);
      const from = path.join(path.dirname(file), target);
      const isOurs = target.startsWith('.') && from.startsWith('src/server/');
      if (statement['importKind'] === 'type' || !isOurs) continue;
      for (const one of nodesOf(statement, 'specifiers'))
        imported.set(nameOf(nodesOf(one, 'local')[0]), `${from}#${nameOf(nodesOf(one, 'imported')[0])}`);
      continue;
    }
    const [inner = statement] = nodesOf(statement, 'declaration');
    for (const one of [inner, ...nodesOf(inner, 'declarations')]) declared.set(nameOf(nodesOf(one, 'id')[0]), one);
  }
  // Of statements that have no name.
  declared.delete('');
  return { declared, imported };
});

/** The error codes in a piece of a file, and what of the server it names. */
function readPiece(file: string, piece: Node): { codes: ErrorCode[]; names: string[] } {
  const { declared, imported } = moduleOf(file);
  const codes: ErrorCode[] = [];
  const names: string[] = [];
  const walk = (node: Node): void => {
    if (node.type.startsWith('TS') && nodesOf(node, 'expression').length === 0) return;
    const { value } = node;
    // Safe: it is a key of the table.
    if (node.type === 'Literal' && typeof value === 'string' && value in errorStatus) codes.push(value as ErrorCode);
    const name = nameOf(node);
    if (imported.has(name)) names.push(imported.get(name)!);
    else if (declared.has(name)) names.push(`${file}#${name}`);
    // The name of a member is no name of the file.
    if (node.type === 'MemberExpression' && node['computed'] === false) nodesOf(node, 'object').forEach(walk);
    else if (node.type === 'Property' && node['computed'] === false) nodesOf(node, 'value').forEach(walk);
    else childrenOf(node).forEach(walk);
  };
  walk(piece);
  return { codes, names };
}

const readNamed = once((key) => {
  const [file = '', name = ''] = key.split('#');
  const piece = moduleOf(file).declared.get(name);
  return piece ? readPiece(file, piece) : { codes: [], names: [] };
});

/** The codes that these pieces of a file lead to. */
function codesFrom(file: string, pieces: readonly Node[]): Set<ErrorCode> {
  const first = pieces.map((piece) => readPiece(file, piece));
  const codes = new Set(first.flatMap((piece) => piece.codes));
  const seen = new Set(first.flatMap((piece) => piece.names));
  // A set that grows while it is gone through is gone through to its end.
  for (const key of seen) {
    const named = readNamed(key);
    named.codes.forEach((code) => codes.add(code));
    named.names.forEach((name) => seen.add(name));
  }
  return codes;
}

/** 'challans.list' for `challans.list` and for `contract.challans.list`. */
function endpointName(node: Node): string {
  const names: string[] = [];
  for (let at: Node | undefined = node; at; at = nodesOf(at, 'object')[0])
    names.unshift(nameOf(at.type === 'MemberExpression' ? nodesOf(at, 'property')[0] : at));
  return names.slice(-2).join('.');
}

/** The two calls of `implement.files`: those of a resource, or those that it names. */
const namesOfPair = (node: Node): string[] =>
  node.type === 'ObjectExpression'
    ? nodesOf(node, 'properties').map((property) => endpointName(nodesOf(property, 'value')[0]!))
    : ['exportCsv', 'exportXlsx'].map((verb) => `${endpointName(node).split('.').at(-1)}.${verb}`);

interface Bound {
  name: string;
  endpoint: Endpoint;
  codes: Set<ErrorCode>;
}

const endpoints = new Map<string, Endpoint>(
  Object.entries(contract).flatMap(([resource, verbs]) =>
    Object.entries<Endpoint>(verbs).map(([verb, endpoint]): [string, Endpoint] => [`${resource}.${verb}`, endpoint]),
  ),
);

/** The calls that are bound by name. The calls that all kinds of master data share are bound in a loop. */
const bound: Bound[] = filesUnder('src/server/features', /\.routes\.ts$/).flatMap((file) => {
  const found: Bound[] = [];
  const walk = (node: Node): void => {
    const [callee] = nodesOf(node, 'callee');
    const [object] = callee ? nodesOf(callee, 'object') : [];
    const [first, ...handlers] = nodesOf(node, 'arguments');
    const verb = callee && nameOf(nodesOf(callee, 'property')[0]);
    const isCall = object && nameOf(object) === 'implement' && first;
    for (const called of isCall ? (verb === 'files' ? namesOfPair(first) : [endpointName(first)]) : []) {
      const endpoint = endpoints.get(called);
      if (endpoint) found.push({ name: called, endpoint, codes: codesFrom(file, handlers) });
    }
    childrenOf(node).forEach(walk);
  };
  walk(programOf(file));
  return found;
});

describe('the error codes that a call leads to', () => {
  it('are read for all calls but those of master data and of histories', () => {
    const names = new Set(bound.map(({ name }) => name));
    const others = [...endpoints.keys()].filter((name) => !names.has(name));
    const shared =
      /^(owners|trucks|tags|petrolPumps|bankAccounts|declarations|tdsDeposits)\.(create|update|remove|list|get|previewMany|changeMany)$|^history\./;
    expect(others.filter((name) => !shared.test(name))).toEqual([]);
  });

  it.each(bound.map((one) => [one.name, one] as const))('are declared for %s', (name, { endpoint, codes }) => {
    const declared = new Set(allErrors(endpoint));
    const undeclared = [...codes].filter((code) => !declared.has(code));
    // Also none that is excused and cannot be reached, or is declared since.
    expect(undeclared.toSorted()).toEqual(Object.keys(cannotHappen[name] ?? {}).toSorted());
  });
});

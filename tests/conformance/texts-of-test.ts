import { parseSync } from 'vite';

export type Node = { type: string } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* walk(child);
}

/** The text of a literal, of a piece of a template, or of a regular expression; else null. */
function textOf(node: Node): string | null {
  if (node.type === 'TemplateElement') return (node.value as { cooked: string }).cooked;
  if (node.type !== 'Literal') return null;
  const { regex, value } = node as { regex?: { pattern: string }; value?: unknown };
  if (regex) return regex.pattern.replaceAll('\\', '');
  return typeof value === 'string' ? value : null;
}

/** `test`, also of `test.each(table)`. */
function isTest(callee: Node): boolean {
  const inner = (callee.callee ?? callee.object) as Node | undefined;
  return callee.type === 'Identifier' ? callee.name === 'test' : isNode(inner) && isTest(inner);
}

/** What is asked of the page or expected of it: `expect(…).toBe(…)`, `page.getByText(…)`. */
function isAssertion(callee: Node): boolean {
  return [...walk(callee)].some(
    ({ type, name }) =>
      type === 'Identifier' && /^(expect|getBy|waitFor|says?[A-Z]|shows?[A-Z])/.test(String(name)),
  );
}

export type Call = Node & { callee: Node; arguments: Node[] };

/** All tests of a file, and what the names in the file stand for. */
export function readTests(source: string): { tests: Call[]; declared: Map<string, Node> } {
  const nodes = [...walk(parseSync('a.test.ts', source).program as unknown as Node)];
  const declared = new Map<string, Node>();
  for (const node of nodes) {
    const { id } = node as { id?: Node };
    const value = node.type === 'VariableDeclarator' ? node.init : node;
    if (isNode(id) && isNode(value)) declared.set(String(id.name), value);
  }
  const calls = nodes.filter(({ type }) => type === 'CallExpression') as Call[];
  const isWritten = ({ callee, arguments: [title, body] }: Call) =>
    isTest(callee) && /^(Template)?Literal$/.test(title?.type ?? '') && body !== undefined;
  return { tests: calls.filter(isWritten), declared };
}

function findTest(source: string, title: string) {
  const { tests, declared } = readTests(source);
  return {
    test: tests.find(({ arguments: [first] }) => first && textOf(first) === title),
    declared,
  };
}

/** Whether the test runs at all: one of an empty table does not. */
export function hasCases(source: string, title: string): boolean {
  const { test, declared } = findTest(source, title);
  const table = (test?.callee as Partial<Call> | undefined)?.arguments?.[0];
  const rows = table?.type === 'Identifier' ? declared.get(String(table.name)) : table;
  return rows?.type !== 'ArrayExpression' || (rows.elements as unknown[]).length > 0;
}

/**
 * The texts that a test asserts: in its own body, in its table, and in what it uses of its file.
 * Comments, titles and what is only typed in or clicked through count for nothing.
 */
export function assertedTexts(source: string, title: string): string[] {
  const { test, declared } = findTest(source, title);
  if (!test) return [];
  const texts: string[] = [];
  const seen = { true: new Set<Node>(), false: new Set<Node>() };
  const collect = (node: Node, asserted: boolean): void => {
    if (seen[`${asserted}`].has(node)) return;
    seen[`${asserted}`].add(node);
    const text = textOf(node);
    if (text !== null && asserted) texts.push(text);
    const used = node.type === 'Identifier' ? declared.get(String(node.name)) : undefined;
    if (used) collect(used, asserted);
    const asks = node.type === 'CallExpression' && isAssertion(node.callee as Node);
    for (const child of childrenOf(node)) collect(child, asserted || asks);
  };
  collect(test.callee, true);
  for (const part of test.arguments.slice(1)) collect(part, false);
  return texts;
}

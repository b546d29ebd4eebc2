import { type Call, type Node, readTests, walk } from './texts-of-test.ts';

/** What fails where it does not find what it asks for, ours by its name. */
const ASSERTION = /^(expect|waitFor|waitUntil)/;

function nameOf({ type, name, property }: Node): string {
  if (type === 'MemberExpression') return nameOf(property as Node);
  return type === 'Identifier' ? String(name) : '';
}

/** Titles of the tests of a file that assert nothing, neither themselves nor by what they call in it. */
export function findIdleTests(source: string): string[] {
  const { tests, declared } = readTests(source);
  const asserts = (node: Node, seen = new Set<Node>()): boolean => {
    if (seen.has(node)) return false;
    seen.add(node);
    return [...walk(node)].some((part) => {
      if (part.type === 'CallExpression') {
        const { callee } = part as Call;
        if ([...walk(callee)].some((piece) => ASSERTION.test(nameOf(piece)))) return true;
      }
      const used = part.type === 'Identifier' ? declared.get(String(part.name)) : undefined;
      return used !== undefined && asserts(used, seen);
    });
  };
  return tests
    .filter(({ arguments: [, ...parts] }) => !parts.some((part) => asserts(part)))
    .map(({ arguments: [title] }) => source.slice(Number(title?.start), Number(title?.end)));
}

import { parseSync } from 'vite';
import { childrenOf, type Node, walk } from '../conformance/texts-of-test.ts';

interface Found {
  /** Sentences that the file hands to `fact`, or keeps in `texts` for it to take one of. */
  texts: string[];
  /** What it hands over beside, whose sentences are not known. */
  unknown: string[];
}

/** The strings below a node, but for keys and for what is only compared. */
function* stringsIn(node: Node): Generator<string> {
  if (node.type === 'Literal' && typeof node.value === 'string') yield node.value;
  if (node.type === 'BinaryExpression' || node.type === 'MemberExpression') return;
  for (const child of childrenOf(node)) {
    if (node.type !== 'Property' || child !== node.key) yield* stringsIn(child);
  }
}

/** What a file says as facts. */
export function findFacts(path: string, source: string): Found {
  const nodes = [...walk(parseSync(path, source).program as unknown as Node)];
  const textOf = ({ start, end }: Node) => source.slice(Number(start), Number(end));
  const callsOf = (name: string) =>
    nodes.flatMap((node) =>
      node.type === 'CallExpression' && textOf(node.callee as Node) === name
        ? [node.arguments as Node[]]
        : [],
    );
  const given = callsOf('fact').flatMap(([first]) => first ?? []);
  const kept = callsOf('texts').flat();

  /** By the names in a pattern, what their values are taken from; of what is imported, nothing. */
  const origins = new Map<string, Node | undefined>();
  for (const { type, id, init, local } of nodes as (Node &
    Record<'id' | 'init' | 'local', Node>)[]) {
    if (type === 'ImportSpecifier') origins.set(textOf(local), undefined);
    if (type !== 'VariableDeclarator') continue;
    for (const part of walk(id)) {
      if (part.type === 'Identifier') origins.set(String(part.name), init);
    }
  }

  /** Whether all that it may be is taken from what is kept, in this file or where it is imported from. */
  function isKept(node: Node | undefined): boolean {
    if (!node || kept.includes(node)) return true;
    if (node.type === 'CallExpression') return textOf(node.callee as Node) === 'texts';
    if (node.type === 'MemberExpression') return isKept(node.object as Node);
    if (node.type === 'Identifier') {
      const name = String(node.name);
      return origins.has(name) && isKept(origins.get(name));
    }
    return false;
  }

  /** Whether it stands there, or is kept: as it is, or one of two. */
  function isSaid(node: Node): boolean {
    if (node.type === 'Literal' && typeof node.value === 'string') return true;
    const [one, other] = [node.consequent ?? node.left, node.alternate ?? node.right] as Node[];
    return one && other ? isSaid(one) && isSaid(other) : isKept(node);
  }

  return {
    texts: [...given, ...kept].flatMap((node) => [...stringsIn(node)]),
    unknown: given.filter((node) => !isSaid(node)).map(textOf),
  };
}

import { parseSync } from 'vite';
import type { Node } from '../conformance/texts-of-test.ts';
import { childrenOf, walk } from '../conformance/texts-of-test.ts';

interface Found {
  /** What is filled in is `{}`. */
  text: string;
  line: number;
}

/** Of elements, what no person reads or hears. */
const UNHEARD =
  /^(?:accept|aria-(?:controls|describedby|labelledby)|autoComplete|className|d|id|media|pattern|rel|sizes|style|transform|viewBox)$/;

/** What is for programs, and for who reads the log. */
const UNSAID = /^(?:graphql|sql|console\.\w+|log\.\w+|\w*Error|matchMedia|querySelector\w*)$/;

const TAG = /<[^>]*>/g;
/** Styles, selectors, cookies, headers and names of programs. */
const CODE = /\dpx |[;{] ?[\w-]+ ?[:=]|\bbutton-|:not\(|^\S*\w[_.=]\w\S*$/;
/** Two words, or a capitalized one. */
const WORDS =
  /\p{L}{2,}[’']?[,;:.?!)”]* [“(]?(?:\p{L}|\{\})|\{\}[,;:.?!)”]* \p{L}{2,}|^\p{Lu}\p{Ll}{2,}[.:?…]*$/u;

const nameOf = (node: Node | undefined, source: string) =>
  node ? source.slice(Number(node.start), Number(node.end)) : '';

const isCallOf = (node: Node, callees: RegExp, source: string) =>
  /^(?:Call|New)Expression$/.test(node.type) && callees.test(nameOf(node.callee as Node, source));

/**
 * Everything in a source file that reads like words for people, wherever it goes.
 * @param within the calls that it is looked for in, and in what they name of the file; absent for all
 * of it
 */
export function findSentences(path: string, source: string, within?: RegExp): Found[] {
  const found: Found[] = [];
  const keep = (written: string, pattern: RegExp, { start }: Node) => {
    const text = written.replace(TAG, ' ').replace(/\s+/g, ' ').trim();
    if (CODE.test(text) || !pattern.test(text)) return;
    found.push({ text, line: source.slice(0, Number(start)).split('\n').length });
  };

  /** By their names, what is looked at where it is named. */
  const declared = new Map<string, Node>();

  function visit(node: Node): void {
    const { type } = node;
    if (/^(?:Import|ExportAll)/.test(type) || type === 'TaggedTemplateExpression') return;
    if (type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type)) return;
    if (type === 'JSXAttribute' && UNHEARD.test(nameOf(node.name as Node, source))) return;
    if (type === 'CallExpression' || type === 'NewExpression') {
      const callee = nameOf(node.callee as Node, source);
      if (UNSAID.test(callee) && callee !== 'DomainError') return;
    }
    if (type === 'BinaryExpression' && /^(?:[!=]==|in)$/.test(String(node.operator))) return;
    if (type === 'JSXText') keep(String(node.value), /\p{L}{2}/u, node);
    if (type === 'Literal' && typeof node.value === 'string') keep(node.value, WORDS, node);
    if (type === 'TemplateLiteral') {
      const text = (node.quasis as Node[])
        .map(({ value }) => (value as { cooked: string }).cooked)
        .join('{}');
      keep(text, WORDS, node);
    }
    const named = type === 'Identifier' && declared.get(String(node.name));
    if (named && declared.delete(String(node.name))) visit(named);
    const isNamed = type === 'Property' && !node.computed;
    for (const child of childrenOf(node)) {
      if (isNamed && child === node.key) continue;
      if (type === 'SwitchCase' && child === node.test) continue;
      visit(child);
    }
  }

  const program = parseSync(path, source).program as unknown as Node;
  if (within === undefined) {
    visit(program);
    return found;
  }
  const nodes = [...walk(program)];
  for (const { type, id, init } of nodes as (Node & Record<'id' | 'init', Node>)[]) {
    // What something answers is none of the file's own words.
    const isWritten = type === 'VariableDeclarator' && init && init.type !== 'AwaitExpression';
    if (isWritten) declared.set(nameOf(id, source), init);
  }
  for (const node of nodes) if (isCallOf(node, within, source)) visit(node);
  return found;
}

import { posix } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

export type Import = {
  /** A path from the root for a relative import, otherwise the package or builtin as written. */
  target: string;
  isRelative: boolean;
  isTypeOnly: boolean;
};

type Request = { specifier: string; isTypeOnly: boolean };

const LOADERS = /^(module\.)?require$|getBuiltinModule$|^import\.meta\.glob$/;

/** The text of a literal, or of a template without a hole. */
function textOf(node: ESTree.Node | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return null;
  return node.quasis[0]?.value.cooked ?? null;
}

function listRequests(path: string, source: string): Request[] {
  const { module, program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const requests: Request[] = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isTypeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
  }));
  for (const { moduleRequest, isType } of module.staticExports.flatMap((item) => item.entries)) {
    if (moduleRequest) requests.push({ specifier: moduleRequest.value, isTypeOnly: isType });
  }
  /** What a call loads; where only the running program knows that, the call itself. */
  const load = (target: ESTree.Node | undefined, call: string) => {
    requests.push({ specifier: textOf(target) ?? `${call}(…)`, isTypeOnly: false });
  };
  new Visitor({
    ImportExpression({ source: target }) {
      load(target, 'import');
    },
    TSImportType({ source: target }) {
      requests.push({ specifier: target.value, isTypeOnly: true });
    },
    TSExternalModuleReference({ expression }) {
      load(expression, 'require');
    },
    CallExpression({ callee, arguments: [target] }) {
      const name = source.slice(callee.start, callee.end).replaceAll(/\s/g, '');
      if (LOADERS.test(name)) load(target, name);
    },
  }).visit(program);
  // What it returns may be called anything.
  if (source.includes('createRequire')) load(undefined, 'createRequire');
  return requests;
}

/** Everything that a source file imports, statically, dynamically or as a type. */
export function listImports(path: string, source: string): Import[] {
  return listRequests(path, source).map(({ specifier, isTypeOnly }) => {
    const isRelative = specifier.startsWith('.');
    const target = isRelative ? posix.join(posix.dirname(path), specifier) : specifier;
    return { target, isRelative, isTypeOnly };
  });
}

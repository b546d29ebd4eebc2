import { posix } from 'node:path';
import { parseSync, Visitor } from 'vite';

export type Import = {
  /** A path from the root for a relative import, otherwise the package or builtin as written. */
  target: string;
  isRelative: boolean;
  isTypeOnly: boolean;
};

type Request = { specifier: string; isTypeOnly: boolean };

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
  new Visitor({
    ImportExpression({ source: target }) {
      if (target.type === 'Literal' && typeof target.value === 'string') {
        requests.push({ specifier: target.value, isTypeOnly: false });
      }
    },
    TSImportType({ source: target }) {
      requests.push({ specifier: target.value, isTypeOnly: true });
    },
  }).visit(program);
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

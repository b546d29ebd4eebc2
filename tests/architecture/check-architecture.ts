import { findForbiddenImports } from './find-forbidden-imports.ts';
import { findImportCycles } from './find-import-cycles.ts';
import { listImports } from './list-imports.ts';

/** Every fault of the given sources (path from the root -> text): forbidden imports and circles. */
export function checkArchitecture(sources: Map<string, string>): string[] {
  const imports = new Map(
    [...sources].map(([path, source]) => [path, listImports(path, source)] as const),
  );
  return [...findForbiddenImports(imports), ...findImportCycles(imports)];
}

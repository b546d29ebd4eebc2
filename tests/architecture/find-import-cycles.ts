import type { Import } from './list-imports.ts';

/** One line for each circle of imports, types included: `a.ts -> b.ts -> a.ts`. */
export function findImportCycles(imports: Map<string, Import[]>): string[] {
  const finished = new Set<string>();
  const cycles: string[] = [];

  function follow(path: string, trail: string[]): void {
    const start = trail.indexOf(path);
    if (start >= 0) {
      cycles.push([...trail.slice(start), path].join(' -> '));
      return;
    }
    if (finished.has(path)) return;
    for (const { target, isRelative } of imports.get(path) ?? []) {
      if (isRelative) follow(target, [...trail, path]);
    }
    finished.add(path);
  }

  for (const path of imports.keys()) follow(path, []);
  return cycles;
}

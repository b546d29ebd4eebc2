import type { Rolldown } from 'vite';

/** The pages of a build, each with its module. */
export function listPages(bundle: Rolldown.OutputBundle): { name: string; source: string }[] {
  return Object.values(bundle).flatMap((file) => {
    const source = file.type === 'chunk' && file.facadeModuleId;
    const name = source && /\/([\w-]+)\.page\.tsx$/.exec(source)?.[1];
    return name ? [{ name, source }] : [];
  });
}

/** Modules and whatever they import, at once or later; what ends with one of `without` is left out. */
export function collectModules(
  graph: Rolldown.PluginContext,
  sources: string[],
  without: string[] = [],
): string[] {
  const modules = new Set<string>();
  const collect = (id: string) => {
    if (modules.has(id) || id.includes('/node_modules/')) return;
    if (without.some((end) => id.endsWith(`/${end}`))) return;
    modules.add(id);
    const info = graph.getModuleInfo(id);
    for (const imported of info?.importedIds ?? []) collect(imported);
    for (const imported of info?.dynamicallyImportedIds ?? []) collect(imported);
  };
  sources.forEach(collect);
  return [...modules];
}

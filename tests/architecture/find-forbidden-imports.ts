import { matchesGlob } from 'node:path';
import type { Import } from './list-imports.ts';
import { type Rule, rules } from './rules.ts';

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('/') ? path.startsWith(pattern) : matchesGlob(path, pattern);
}

function ruleFor(path: string): Rule | undefined {
  return rules
    .filter(({ from }) => path.startsWith(from))
    .sort((a, b) => b.from.length - a.from.length)[0];
}

function isAllowed(rule: Rule, { target, isRelative, isTypeOnly }: Import): boolean {
  if (isRelative) return rule.mayImport.some((pattern) => matches(pattern, target));
  if (!rule.mayUse || rule.mayUse.includes(target)) return true;
  return isTypeOnly && (rule.mayUseTypesOf ?? []).includes(target);
}

/** One line for each import that goes against the arrows. Tests beside the code are free. */
export function findForbiddenImports(imports: Map<string, Import[]>): string[] {
  return [...imports].flatMap(([path, list]) => {
    const rule = ruleFor(path);
    if (!rule || path.includes('.test.')) return [];
    return list
      .filter((item) => !isAllowed(rule, item))
      .map(({ target }) => `${path} must not import ${target}`);
  });
}

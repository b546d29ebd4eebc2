import type { Import } from './list-imports.ts';
import { ARROWS_BACK, FLOORS, isTestCode } from './rooms.ts';

/** Which floor of the server a file is on, from the bottom up; what stands at its door is on top. */
function floorOf(path: string): number {
  const floor = FLOORS.indexOf(path.split('/')[1] ?? '');
  return floor === -1 ? FLOORS.length : floor;
}

const arrowOf = (path: string, target: string) =>
  ARROWS_BACK.find((arrow) => path.startsWith(arrow.from) && target === arrow.to);

/** Whether the house names an import as one that points up all the same. */
export const isNamed = (path: string, target: string) => arrowOf(path, target) !== undefined;

/** One line for each import that points up and is not named, and for each that is named and not there. */
export function findArrowsBack(imports: Map<string, Import[]>): string[] {
  const used = new Set<(typeof ARROWS_BACK)[number]>();
  const found: string[] = [];
  for (const [path, list] of imports) {
    if (!path.startsWith('server/') || isTestCode(path)) continue;
    for (const { target, isRelative } of list) {
      if (!isRelative || !target.startsWith('server/') || floorOf(target) <= floorOf(path))
        continue;
      const arrow = arrowOf(path, target);
      if (arrow) used.add(arrow);
      else found.push(`${path} points up to ${target}`);
    }
  }
  const unused = ARROWS_BACK.filter((arrow) => !used.has(arrow));
  return [...found, ...unused.map(({ from, to }) => `nothing of ${from} imports ${to}`)];
}

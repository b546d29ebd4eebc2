import { matchesGlob } from 'node:path';
import type { Import } from './list-imports.ts';
import { EDGES, exceptions, isTestCode, type Room, rooms } from './rooms.ts';

const isFolder = (pattern: string) => pattern.endsWith('/');

function holds(pattern: string, path: string): boolean {
  return isFolder(pattern) ? path.startsWith(pattern) : matchesGlob(path, pattern);
}

function isPartOf(name: string, specifier: string): boolean {
  return isFolder(name) ? `${specifier}/`.startsWith(name) : specifier === name;
}

function roomOf(path: string): Room | undefined {
  return rooms.find((room) => holds(room.path, path));
}

function isAllowed(path: string, room: Room, { target, isRelative, isTypeOnly }: Import): boolean {
  if (isRelative) {
    const isOpen = room.edges || !EDGES.some((pattern) => holds(pattern, target));
    return isOpen && !isTestCode(target) && room.imports.some((pattern) => holds(pattern, target));
  }
  const named = [...room.packages, ...(isTypeOnly ? room.types : []), ...(exceptions[path] ?? [])];
  return named.some((name) => isPartOf(name, target));
}

/** One line for each import that goes against the arrows, and for each file without a room. */
export function findForbiddenImports(imports: Map<string, Import[]>): string[] {
  return [...imports].flatMap(([path, list]) => {
    if (isTestCode(path)) return [];
    const room = roomOf(path);
    if (!room) return [`${path} belongs to no room`];
    return list
      .filter((item) => !isAllowed(path, room, item))
      .map(({ target }) => `${path} must not import ${target}`);
  });
}

/** One line for each package that a room may use and none of its files does. */
export function findUnusedPermissions(imports: Map<string, Import[]>): string[] {
  const lists = new Set(rooms.flatMap(({ packages, types }) => [packages, types]));
  return [...lists].flatMap((list) => {
    const used = [...imports].flatMap(([path, items]) => {
      const room = isTestCode(path) ? undefined : roomOf(path);
      return room?.packages === list || room?.types === list ? items : [];
    });
    return list
      .filter((name) => !used.some(({ target }) => isPartOf(name, target)))
      .map((name) => `nobody uses ${name} of ${list.join(', ')}`);
  });
}

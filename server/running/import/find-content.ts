import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BackupRefused } from '../backup/backup-refused.ts';
import type { Product } from './read-shop.ts';
import { foldName } from './read-values.ts';

/** A file to sell. */
export interface FoundFile {
  path: string;
  /** As it is sold, with the folders that it lies in. */
  name: string;
}

/** Finds the files of products. */
export interface ContentFinder {
  find(product: Product): FoundFile[];
  /** What it looks for, in words. */
  describe(product: Product): string;
}

/**
 * Lists a folder of files. Nothing outside of it is ever found, whatever a table names and wherever a
 * symbolic link leads.
 * @throws BackupRefused where it cannot be read
 */
export async function openContent(
  folder: string | null,
  products: Product[],
): Promise<ContentFinder> {
  const files = folder === null ? [] : await listFiles(folder);
  const isOwnName = createOwnership(products);
  const ownNames = (product: Product) =>
    [...new Set(product.names.map(foldFileName))].filter((name) => isOwnName(product, name));
  return {
    find(product) {
      const wanted =
        product.file === '' ? ownNames(product) : [foldPath(product.file.split(/[/\\]/))];
      const found = files.flatMap(({ path, parts }) => {
        const depth = parts.findIndex((_part, index) =>
          wanted.includes(foldPath(parts.slice(0, index + 1))),
        );
        const isStem = parts.length === 1 && wanted.includes(stemOf(foldPath(parts)));
        if (depth === -1 && !(isStem && product.file === '')) return [];
        // Of a folder, what lies in it.
        return [{ path, name: parts.slice(depth + 1).join('/') || (parts.at(-1) ?? '') }];
      });
      return found.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    describe(product) {
      if (product.file !== '') return `“${product.file}”`;
      return ownNames(product)
        .map((name) => `“${name}.*” or a folder “${name}”`)
        .join(', or ');
    },
  };
}

interface Listed {
  path: string;
  /** Its folders below the listed one, and its own name. */
  parts: string[];
}

async function listFiles(folder: string): Promise<Listed[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new BackupRefused(`There is no folder ${folder} that can be read.`);
  });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, parts: relative(folder, path).split(sep) }))
    .filter(({ parts }) => !parts.some((part) => part.startsWith('.')));
}

/** A file of a name that several products have is nobody's, but for the name that never changes. */
function createOwnership(products: Product[]) {
  const byKey = Map.groupBy(products, ({ names }) => foldFileName(names[0]));
  const byName = Map.groupBy(
    products.flatMap((product) => product.names.map((name) => ({ product, name }))),
    ({ name }) => foldFileName(name),
  );
  return (product: Product, name: string) => {
    const owners = byKey.get(name) ?? byName.get(name)?.map((named) => named.product) ?? [];
    return owners.every((owner) => owner === product);
  };
}

/** Without what file systems do not take. */
const foldFileName = (name: string) => foldName(name).replaceAll(/[/\\:*?"<>|]/g, '_');
const foldPath = (parts: string[]) => parts.map(foldFileName).join('/');
const stemOf = (name: string) => name.replace(/\.[^.]*$/, '');

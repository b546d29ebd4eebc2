import { readFileSync } from 'node:fs';
import { transform } from 'lightningcss';
import type { Plugin, Rolldown } from 'vite';
import { collectModules, listPages } from './page-modules.ts';

/** Where the build leaves the styles of each page, beside its manifest. */
const FILE = '.vite/styles.json';

/** What every document has around its page: rendered on the server, or written by the entry. */
const FRAME = [
  'web/client.tsx',
  'web/shell/document.tsx',
  'web/shell/frame.tsx',
  'web/shell/watch-viewer.ts',
  'web/ui/icons.tsx',
  'web/ui/spinner.tsx',
];

/**
 * Gives each page the part of the stylesheet that it can use. A class counts as used when its name
 * stands anywhere in the page's modules or in those it loads later, so a name is written as a whole.
 */
export function pageStyles(): Plugin {
  return {
    name: 'page-styles',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const css = files
          .filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
          .map((file) => String((file as Rolldown.OutputAsset).source))
          .join('');
        const classes = listClasses(css);
        const framed = FRAME.flatMap((file) => wordsOf(readFileSync(file, 'utf8')));
        const pages = listPages(bundle).map(({ name, source }) => {
          const modules = collectModules(this, [source]);
          const words = modules.flatMap((id) => wordsOf(this.getModuleInfo(id)?.code ?? ''));
          const used = new Set([...framed, ...words]);
          return [name, withoutClasses(css, classes.difference(used))];
        });
        this.emitFile({
          type: 'asset',
          fileName: FILE,
          source: JSON.stringify(Object.fromEntries(pages)),
        });
      },
    },
  };
}

/** Everything in a source text that could be the name of a class, as "[&>ul]:mt-0" is too. */
function wordsOf(source: string): string[] {
  return [...source.split(/[\s"'`]+/), ...source.split(/[\s"'`{}<>=,;]+|\$\{/)];
}

function listClasses(css: string): Set<string> {
  const classes = new Set<string>();
  transform({
    filename: 'styles.css',
    code: Buffer.from(css),
    visitor: {
      Selector(selector) {
        for (const part of selector) if (part.type === 'class') classes.add(part.name);
      },
    },
  });
  return classes;
}

function withoutClasses(css: string, classes: Set<string>): string {
  const { code } = transform({
    filename: 'styles.css',
    code: Buffer.from(css),
    minify: true,
    unusedSymbols: [...classes],
  });
  // Tailwind registers the variables of every utility, used by a page or not, and declares them once
  // more for browsers that know no `@property`.
  const text = code.toString();
  const isUsed = (name: string) => text.includes(`var(${name}`);
  return text
    .replace(/@property (--[\w-]+)\{[^}]*\}/g, (rule, name) => (isUsed(name) ? rule : ''))
    .replace(/(?<=@layer properties\{.*?::backdrop\{)[^}]*/, (declarations) =>
      declarations
        .split(';')
        .filter((declaration) => isUsed(declaration.split(':', 1)[0] ?? ''))
        .join(';'),
    );
}

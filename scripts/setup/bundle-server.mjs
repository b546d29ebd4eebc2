// Puts the server and what it imports into one file: it starts sooner and takes less memory than
// from thousands of modules (docs/decisions/066-the-server-is-bundled.md).
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { program, root } from './paths.mjs';
import { toAscii } from './to-ascii.ts';

/** Left in node_modules: few processes load them, or they hold machine code or files of their own. */
const APART = [
  ...[
    '@cantoo/pdf-lib',
    '@fastify/middie',
    '@hyzyla/pdfium',
    '@zxcvbn-ts/language-common',
    'bidi-js',
    'harfbuzzjs',
  ],
  ...['linebreak', 'nodemailer', 'pg', 'pino-pretty', 'qrcode', 'sharp', 'sitemap', 'vite'],
  ...['web-push', 'woff2-encoder'],
];

const HTTP = '\0http';

const bundle = await rolldown({
  input: 'server/run.ts',
  cwd: root,
  platform: 'node',
  external: (id) => APART.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [
    { name: 'own-files', transform: { filter: { code: 'import.meta.' }, handler: locate } },
    {
      name: 'without-fetch',
      resolveId: {
        filter: { id: /^(node:)?http$/ },
        handler: (_id, _importer, { kind }) => (kind === 'import-statement' ? HTTP : null),
      },
      load: { filter: { id: new RegExp(`^${HTTP}$`) }, handler: requireHttp },
    },
  ],
});
// One file, put in place in one step: a server that runs needs nothing of it any more, and none that
// is starting reads half of one.
const draft = `${program}.${process.pid}`;
const { output } = await bundle.generate({
  codeSplitting: false,
  comments: false,
  // V8 keeps the text in memory: it is a third smaller without white space and with short local names.
  // Function and class names stay, for stack traces.
  minify: { compress: false, mangle: { keepNames: true }, codegen: true },
});
await bundle.close();
mkdirSync(dirname(program), { recursive: true });
writeFileSync(draft, toAscii(output[0].code));
renameSync(draft, program);

/**
 * An import of node:http reads each of its exports, some of which load the client behind `fetch`: 4 MiB.
 * These are getters.
 */
function requireHttp() {
  const names = Object.entries(Object.getOwnPropertyDescriptors(http))
    .filter(([, { get }]) => !get)
    .map(([name]) => name);
  return `const http = process.getBuiltinModule('node:http');
    export default http;
    export const { ${names.join(', ')} } = http;`;
}

/** Files beside a module of ours, such as styles and workers, are read where they are in the sources. */
function locate(code, id) {
  if (id.includes('node_modules')) return;
  const pathTo = (file) => relative(dirname(program), file).split(sep).join('/');
  return code
    .replaceAll('import.meta.url', `new URL(${JSON.stringify(pathTo(id))}, import.meta.url).href`)
    .replaceAll(
      'import.meta.dirname',
      `(import.meta.dirname + ${JSON.stringify(`/${pathTo(dirname(id))}`)})`,
    );
}

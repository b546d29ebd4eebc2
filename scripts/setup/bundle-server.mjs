// Puts the server and what it imports into few files: it starts sooner and takes less memory than
// from thousands of modules (docs/decisions/066-the-server-is-bundled.md).
import { dirname, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { program, root } from './paths.mjs';

/** Left in node_modules and loaded when they are needed: they hold machine code or files of their own. */
const APART = ['sharp', 'pg', '@hyzyla/pdfium', 'nodemailer', 'satori', 'vite'];

const bundle = await rolldown({
  input: 'server/run.ts',
  cwd: root,
  platform: 'node',
  external: (id) => APART.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [
    { name: 'own-files', transform: { filter: { code: 'import.meta.' }, handler: locate } },
  ],
});
await bundle.write({
  dir: program,
  cleanDir: true,
  comments: false,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});
await bundle.close();

/** Files beside a module of ours, such as styles and workers, are read where they are in the sources. */
function locate(code, id) {
  if (id.includes('node_modules')) return;
  const pathTo = (file) => relative(program, file).split(sep).join('/');
  return code
    .replaceAll('import.meta.url', `new URL(${JSON.stringify(pathTo(id))}, import.meta.url).href`)
    .replaceAll(
      'import.meta.dirname',
      `(import.meta.dirname + ${JSON.stringify(`/${pathTo(dirname(id))}`)})`,
    );
}

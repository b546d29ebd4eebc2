// `npm run package -- PATH` writes what a server runs with into an empty folder: the program, the
// built pages, Node.js for this kind of machine, the packages that run and a list of them, and nothing
// else.
// `npm prune --omit=dev` would keep what only tests and the build use, where a package that runs
// would work with it (optional peers).
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findPinnedNode, modules, root } from './setup/paths.mjs';

const PROGRAM = ['server', 'sandbox', 'contract', 'dist', 'web/assets', 'deploy', 'docs'];
const FILES = ['scripts/follow-npm.mjs', 'README.md', 'CHANGELOG.md', 'LICENSE'];
/** Of Node.js: what add-ons are compiled with, and its manual. */
const UNUSED = /[\\/]node_modules[\\/]node-[\w-]+[\\/](include|share)$/;
const TEST = /[\\/]testing$|\.test\.(support\.)?ts$/;
/** Of the dependencies: the packages that build the pages and the program, or have become part of them. */
const BUILT_WITH = [
  ...['@tailwindcss/vite', '@vitejs/plugin-react', 'gql.tada', 'lightningcss', 'rolldown'],
  ...['tailwindcss', 'vite'],
];

/** Paths of the packages that those of `dependencies` need, where npm has put them. */
function listPackages(manifest) {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const found = new Set();

  /** As Node.js looks a package up: beside the one that asks, then further up. */
  function find(from, name) {
    const path = `${from && `${from}/`}node_modules/${name}`;
    if (packages[path] || !from) return packages[path] && path;
    return find(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
  }

  function add(from, { dependencies, optionalDependencies, peerDependencies, ...rest }) {
    const isWanted = (name) => !rest.peerDependenciesMeta?.[name]?.optional;
    const peers = Object.keys(peerDependencies ?? {}).filter(isWanted);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const path = find(from, name);
      // Those of other platforms are not installed.
      if (!path || found.has(path)) continue;
      found.add(path);
      add(path, packages[path]);
    }
  }

  add('', manifest);
  return [...found];
}

function copy(path, target) {
  cpSync(join(root, path), join(target, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !UNUSED.test(source) && !TEST.test(source),
  });
}

function copyPackage(path, target) {
  // Those inside it are packages of their own.
  const inside = join(root, path, 'node_modules');
  cpSync(join(root, path), join(target, path), {
    recursive: true,
    filter: (source) => source !== inside && !UNUSED.test(source),
  });
}

/**
 * What is in the package, as CycloneDX 1.6 (https://cyclonedx.org): programs compare it with lists of
 * known weaknesses.
 */
function describeParts({ name, version, license }, paths) {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const components = paths.map((path) => {
    const { version, license, integrity } = packages[path];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const [, digest] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
    return {
      type: 'library',
      'bom-ref': `${path}@${version}`,
      name,
      version,
      purl,
      ...(license && { licenses: [{ expression: license }] }),
      ...(digest && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      }),
    };
  });
  const pinned = findPinnedNode();
  const node = pinned
    ? JSON.parse(readFileSync(resolve(pinned, '../../package.json'), 'utf8')).version
    : process.versions.node;
  const runtime = {
    type: 'platform',
    'bom-ref': `node@${node}`,
    name: 'node',
    version: node,
    cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
  };
  const component = { type: 'application', 'bom-ref': name, name, version };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...component, licenses: [{ expression: license }] } },
    components: [...components, runtime],
  };
}

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

function pack(target) {
  const { devDependencies, workspaces, scripts, ...manifest } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  for (const name of BUILT_WITH) delete manifest.dependencies[name];
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new Error(`${target} is not empty. Name a folder that is, or that does not exist.`);
  }
  mkdirSync(target, { recursive: true });
  for (const path of [...PROGRAM, ...FILES]) copy(path, target);
  const packages = listPackages(manifest);
  for (const path of packages) copyPackage(path, target);
  const commands = readdirSync(join(modules, '.bin')).filter((name) => /^node(\.|$)/.test(name));
  for (const name of findPinnedNode() ? commands : []) copy(`node_modules/.bin/${name}`, target);
  const { start, cli } = scripts;
  writeJson(join(target, 'package.json'), { ...manifest, scripts: { start, cli } });
  writeJson(join(target, 'bom.json'), describeParts(manifest, packages));
}

const [folder, ...more] = process.argv.slice(2);
try {
  if (!folder || more.length > 0) throw new Error('Say where to: npm run package -- PATH');
  const target = resolve(process.env.INIT_CWD ?? '.', folder);
  pack(target);
  console.log(`${target} holds all that Padlink runs with.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

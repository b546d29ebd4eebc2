// Part of `npm run check`: what the registry of packages knows of those that run in production, as far as
// it answers. A serious weakness that is known fails the check; a patch that is waiting is only said.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup/paths.mjs';

const npm = process.env.npm_execpath;
if (!npm) {
  console.log('The registry was not asked: this is a part of `npm run check`.');
  process.exit(0);
}
const OLD_MS = 60 * 24 * 60 * 60 * 1_000;
const SERIOUS = ['high', 'critical'];
const TIMEOUT_MS = 10_000;

/** Runs npm. @returns what it printed */
function run(...words) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  const patience = ['--fetch-retries=0', `--fetch-timeout=${TIMEOUT_MS}`];
  return spawnSync(process.execPath, [npm, ...words, ...patience], options).stdout;
}

function audit() {
  const { vulnerabilities, statusCode } = JSON.parse(run('audit', '--omit=dev', '--json') || '{}');
  if (!vulnerabilities) {
    const why = statusCode ? `it answered ${statusCode}` : 'it did not answer';
    console.log(`The registry was not asked for known weaknesses: ${why}.`);
    return;
  }
  const found = Object.values(vulnerabilities);
  for (const { name, severity, range, via } of found) {
    const titles = via.map((one) => one.title ?? one).join('; ');
    console.log(`${name} ${range} (${severity}): ${titles}`);
  }
  if (found.length === 0) console.log('No weakness of a production dependency is known.');
  if (found.some(({ severity }) => SERIOUS.includes(severity))) process.exitCode = 1;
}

/** @returns a line for a package that a patch has been waiting for more than two months */
async function describeBehind([name, version], registry) {
  const read = async (accept) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`${registry}${name}`, { headers: { accept }, signal });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    return answer.json();
  };
  const patchOf = (of) => Number(of.split('.')[2]);
  const isNewer = (other) =>
    /^\d+\.\d+\.\d+$/.test(other) &&
    other.startsWith(version.replace(/\d+$/, '')) &&
    patchOf(other) > patchOf(version);
  const { versions } = await read('application/vnd.npm.install-v1+json');
  const newer = Object.keys(versions).filter(isNewer);
  if (newer.length === 0) return null;
  const { time } = await read('application/json');
  const [next, ...later] = newer.sort((a, b) => patchOf(a) - patchOf(b));
  const date = time?.[next];
  if (!date || Date.now() - Date.parse(date) < OLD_MS) return null;
  return `${name} ${version} has a patch from ${date.slice(0, 10)}: ${next}, newest ${later.at(-1) ?? next}.`;
}

async function findBehind() {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const registry = run('config', 'get', 'registry').trim();
  const asked = await Promise.allSettled(
    Object.entries(dependencies).map((one) => describeBehind(one, registry)),
  );
  const lines = asked.flatMap(({ value }) => value ?? []);
  const unanswered = asked.filter(({ status }) => status === 'rejected').length;
  for (const line of lines) console.log(line);
  if (unanswered > 0) {
    console.log(`The registry did not answer which patches there are of ${unanswered} packages.`);
  } else if (lines.length === 0) {
    console.log('No production dependency is two months behind its patches.');
  }
}

audit();
await findBehind();

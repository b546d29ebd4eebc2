// Run as a process of its own by bundled-browser.ts, with TMPDIR set to where the files go.
import { join } from 'node:path';
import { inflate } from '@sparticuz/chromium';

const archives = process.argv[2] ?? '';
for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']) {
  await inflate(join(archives, name));
}

import { writeFileSync } from 'node:fs';
import { describeCalls, describeCodes, describeOperations } from './describe-client.ts';
import { DESCRIPTIONS } from './describe-schema.ts';

for (const [name, text] of Object.entries(DESCRIPTIONS)) {
  writeFileSync(new URL(`../contract/${name}`, import.meta.url), text);
}

process.env.NODE_ENV ??= 'production';
const { startApp } = await import('../tests/harness/start-app.ts');
// What the routes say of themselves, they say once they are registered.
const app = await startApp({ empty: true });
try {
  const description = await (await fetch(`${app.origin}/openapi.json`)).json();
  const generated = {
    'calls.ts': describeCalls(description),
    'codes.ts': describeCodes(),
    'operations.ts': describeOperations(),
  };
  for (const [name, text] of Object.entries(generated)) {
    writeFileSync(new URL(`../client/src/generated/${name}`, import.meta.url), text);
  }
} finally {
  await app.stop();
}

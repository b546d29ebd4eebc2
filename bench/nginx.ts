import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { eventually } from '../tests/harness/eventually.ts';
import { findFreePort } from '../tests/harness/free-port.ts';
import { end } from './subject.ts';

/** The nginx of this machine, or null: then the rows that need it are left out, with a word. */
export function findNginx(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'nginx')).find(existsSync) ?? null;
}

/**
 * nginx with sendfile over a folder at /files/, and in front of Padlink for all else, where it
 * serves the blobs that Padlink hands over.
 */
export async function startNginx(
  nginx: string,
  folder: string,
  { files, upstream, blobs }: { files: string; upstream: string; blobs: string },
) {
  const port = await findFreePort();
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx-error.log; worker_processes 1;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {}
    http {
      access_log off; sendfile on; tcp_nopush on;
      client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
      uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      server {
        listen 127.0.0.1:${port};
        location /files/ { alias ${files}/; }
        location /protected/ { internal; alias ${blobs}/; }
        location / { proxy_pass ${upstream}; proxy_set_header Host ${new URL(upstream).host}; }
      }
    }`,
  );
  const child = spawn(nginx, ['-c', config, '-p', folder], { stdio: 'inherit' });
  const origin = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(`${origin}/files/`));
  return { origin, stop: () => end(child) };
}

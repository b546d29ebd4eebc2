import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../tests/harness/free-port.ts';
import { type Server, startProcess } from './start-process.ts';

/**
 * nginx in front of Padlink as deploy/nginx.conf has it, which also serves the blobs by itself at
 * /plain/. `folder` is for its own files.
 */
export async function startNginx(
  nginx: string,
  { folder, blobs, upstream }: { folder: string; blobs: string; upstream: string },
): Promise<Server> {
  const port = await findFreePort();
  const { host, port: upstreamPort } = new URL(upstream);
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events {}
    http {
      access_log off; sendfile on; tcp_nopush on;
      client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
      uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      server {
        listen 127.0.0.1:${port};
        location /plain/ { alias ${blobs}/; }
        location /protected/ { internal; alias ${blobs}/; }
        location / {
          proxy_pass http://127.0.0.1:${upstreamPort};
          proxy_set_header Host ${host};
        }
      }
    }`,
  );
  return startProcess([nginx, '-c', config, '-p', folder], {
    origin: `http://127.0.0.1:${port}`,
    readyPath: '/plain/',
  });
}

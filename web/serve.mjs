/** A file server for the page on this machine alone, with the headers that a careful host would send. */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { POLICY } from './policy.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.tar': 'application/x-tar',
};

/** Resolves to the server once it listens; port 0 is any that is free. */
export function servePage(folder, port) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(folder, normalize(decodeURIComponent(pathname)));
    const file = path.endsWith('/') ? join(path, 'index.html') : path;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!file.startsWith(folder) || stats === undefined || !stats.isFile()) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('there is no such file\n');
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': stats.size,
      'content-security-policy': POLICY.header,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
      'last-modified': stats.mtime.toUTCString(),
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

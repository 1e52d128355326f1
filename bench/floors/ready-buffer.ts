import { createServer } from 'node:http';

/** Floor of every read: Node's HTTP server sends a prepared buffer. */
let body = Buffer.from('{}');

createServer((request, response) => {
  if (request.method === 'PUT') {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      body = Buffer.concat(parts);
      response.end();
    });
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');

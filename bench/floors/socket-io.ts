import { createServer } from 'node:http';
import pg from 'pg';
import { Server } from 'socket.io';

/**
 * Floor of live events: Socket.IO alone. `POST /emit` sends the body to a room; with the query parameter `order` it
 * first changes that order's status with the same SQL.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://floor');
  if (request.method !== 'POST') {
    response.end('ready');
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const data: unknown = JSON.parse(Buffer.concat(parts).toString());
  const order = url.searchParams.get('order');
  if (order) {
    await pool.query({
      name: 'accept',
      text: `UPDATE orders SET status = 'accepted', version = version + 1
             WHERE id = $1 AND status = 'pending' RETURNING *`,
      values: [order],
    });
  }
  io.to(url.searchParams.get('room') ?? '').emit(url.searchParams.get('event') ?? 'event', data);
  response.end('{"success":true}');
});

const io = new Server(server, { serveClient: false });
io.on('connection', (socket) => {
  const { room } = socket.handshake.auth as { room?: string };
  if (room) void socket.join(room);
  socket.emit('synced', {});
});
server.listen(Number(process.env.PORT), '127.0.0.1');

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { IServerAdapter } from '@bull-board/api/typings/app';
import { KoaAdapter } from '@bull-board/koa';
import type { Middleware } from 'koa';
import type { Platform } from '../http/platform.ts';

/** Creates the pages that show the job queues, below a path. */
export function createBoard(platform: Platform, path: string): Middleware {
  const { email, push, housekeeping } = platform.queues();
  const adapter = new KoaAdapter();
  adapter.setBasePath(path);
  createBullBoard({
    queues: [email, push, housekeeping].map((queue) => new BullMQAdapter(queue)),
    // The adapter's types come from another patch release of the board.
    serverAdapter: adapter as unknown as IServerAdapter,
    options: { uiConfig: { boardTitle: 'Farmgate queues' } },
  });
  return adapter.registerPlugin() as Middleware;
}

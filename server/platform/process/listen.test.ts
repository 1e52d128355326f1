import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createDrain, listen } from './listen.ts';

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');

describe('a server on localhost', () => {
  it.skipIf(!hasIpv6)('finishes requests over IPv6 before it is drained', async () => {
    const server = createServer();
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      server.once('request', (_, response) => {
        answer = () => response.end('done');
        resolve();
      });
    });
    const drain = createDrain(server);
    await listen(server, { port: 0, host: 'localhost', setting: 'PORT' });
    const { port } = server.address() as AddressInfo;
    const request = get({ host: '::1', port, agent: false });
    await asked;
    let isDrained = false;
    const drained = drain(60_000).then(() => {
      isDrained = true;
    });
    const refused = get({ host: '::1', port, agent: false });
    const [error] = await once(refused, 'error');
    expect(error.code).toBe('ECONNREFUSED');
    expect(isDrained).toBe(false);
    answer();
    const [response] = await once(request, 'response');
    response.setEncoding('utf8');
    expect((await once(response, 'data'))[0]).toBe('done');
    await drained;
  });

  it('names the setting of a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const server = createServer();
    await expect(
      listen(server, { port, host: 'localhost', setting: 'METRICS_PORT' }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE', port, setting: 'METRICS_PORT' });
    expect(server.listening).toBe(false);
    taken.close();
  });
});

describe('the commands', () => {
  const hostWith = (settings: Record<string, string>): string => {
    const script = `
      import { readSettings } from './scripts/lib/settings.mjs';
      const { host, env } = readSettings();
      process.stdout.write(host === env.HOST ? host : 'not passed on');`;
    const { PATH } = process.env;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      env: { PATH, DATA_DIR: process.env.DATA_DIR, ...settings },
    });
    return stdout;
  };

  it.each([
    [{}, 'localhost'],
    [{ HOST: '' }, 'localhost'],
    [{ HOST: ' ' }, 'localhost'],
    [{ SEED: 'demo' }, 'localhost'],
    [{ SEED: 'demo', NODE_ENV: 'production' }, 'localhost'],
    [{ SEED: 'none' }, '0.0.0.0'],
    [{ NODE_ENV: 'production' }, '0.0.0.0'],
    [{ HOST: '192.0.2.1' }, '192.0.2.1'],
    [{ HOST: '::' }, '::'],
    [{ HOST: 'LOCALHOST' }, 'localhost'],
  ])('with %j listen on %s', (settings, host) => {
    expect(hostWith(settings as Record<string, string>)).toBe(host);
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { killOnExit } from '../../server/testing/kill-on-exit.ts';
import { until } from '../../testing/until.ts';
import { freePort } from '../stack.ts';

// Firefox and WebKit by the protocols of the W3C, which Debian's builds speak: WebDriver BiDi and WebDriver. Playwright
// drives builds of its own, and a newer BiDi than that of Firefox ESR.

/** One page, in a profile of its own. */
export interface Driver {
  goto: (url: string) => Promise<unknown>;
  /** @returns the value of an expression of JavaScript, by way of JSON */
  evaluate: <T>(expression: string) => Promise<T>;
  /** Does what fingers do: input sources with their ticks, the same in both protocols. */
  act: (sources: object[]) => Promise<unknown>;
  /** Chooses a file in the field of this selector. */
  attach: (selector: string, file: string) => Promise<unknown>;
  resize: (width: number, height: number) => Promise<unknown>;
  /** @returns a PNG in base64 */
  screenshot: () => Promise<string>;
  /** Errors that the page logged, where the protocol reports them. */
  errors: string[];
}

/** A browser that opens pages until it is closed. */
export interface Opener {
  open: () => Promise<Driver>;
  close: () => Promise<void>;
}

type Answer = Record<string, unknown>;

/** Starts a program whose home is a folder of its own. @returns it with its output so far */
function start(program: string, args: string[], env: Record<string, string>) {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killOnExit(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  }
  child.on('error', ({ message }) => {
    output += message;
  });
  const find = (pattern: RegExp) =>
    until(`${program} to print ${pattern}`, () => {
      if (child.exitCode !== null) throw new Error(`${program} exited: ${output}`);
      return pattern.exec(output)?.[1];
    });
  return { child, find };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

/** Sends commands over a WebSocket and matches their answers by id. */
async function connect(address: string, onEvent: (method: string, params: Answer) => void) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map<number, (message: Answer) => void>();
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Answer;
    if (message.type === 'event') onEvent(String(message.method), message.params as Answer);
    else waiting.get(Number(message.id))?.(message);
  });
  let last = 0;
  const send = async (method: string, params: object = {}): Promise<Answer> => {
    const id = ++last;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`);
    return answer.result as Answer;
  };
  return { send, close: () => socket.terminate() };
}

/** Starts Firefox, which speaks WebDriver BiDi itself. Each page is a window with storage of its own. */
export async function startFirefox(program: string): Promise<Opener> {
  const home = await mkdtemp(path.join(tmpdir(), 'farmgate-firefox-'));
  await writeFile(path.join(home, 'user.js'), 'user_pref("ui.prefersReducedMotion", 1);\n');
  const args = ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0'];
  const firefox = start(program, args, { HOME: home });
  const address = await firefox.find(/WebDriver BiDi listening on (ws:\S+)/);
  const errorsOf = new Map<unknown, string[]>();
  const { send, close } = await connect(`${address}/session`, (_, params) => {
    const { context } = params.source as Answer;
    if (params.level === 'error') errorsOf.get(context)?.push(String(params.text));
  });
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });

  async function open(): Promise<Driver> {
    const { userContext } = await send('browser.createUserContext');
    const { context } = await send('browsingContext.create', { type: 'window', userContext });
    const errors: string[] = [];
    errorsOf.set(context, errors);
    const run = async (expression: string) => {
      const params = { expression, target: { context }, awaitPromise: false };
      const { result, exceptionDetails } = await send('script.evaluate', params);
      if (!result) throw new Error(String((exceptionDetails as Answer).text));
      return result as { value?: string; sharedId?: string };
    };
    return {
      errors,
      goto: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
      evaluate: async (expression) =>
        JSON.parse((await run(`JSON.stringify(${expression}) ?? 'null'`)).value ?? 'null'),
      act: async (actions) => {
        // Keys go to the window in front.
        await send('browsingContext.activate', { context });
        return send('input.performActions', { context, actions });
      },
      attach: async (selector, file) => {
        const { sharedId } = await run(`document.querySelector(${JSON.stringify(selector)})`);
        return send('input.setFiles', { context, element: { sharedId }, files: [file] });
      },
      screenshot: async () =>
        String((await send('browsingContext.captureScreenshot', { context })).data),
      resize: (width, height) =>
        send('browsingContext.setViewport', { context, viewport: { width, height } }),
    };
  }

  return {
    open,
    close: async () => {
      close();
      await end(firefox.child);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Calls a WebDriver. @throws with its words when it refuses */
async function command(address: string, method: string, body?: object): Promise<Answer> {
  const response = await fetch(address, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: Answer };
  if (!response.ok) throw new Error(`${new URL(address).pathname}: ${value.message}`);
  return value;
}

/** Starts WebKitGTK's own browser, which needs a screen. A driver has one page, so each page has a driver. */
export async function startWebKit(program: string, screen: string): Promise<Opener> {
  const home = await mkdtemp(path.join(tmpdir(), 'farmgate-webkit-'));
  const display = start(screen, ['-displayfd', '1', '-screen', '0', '1600x1200x24'], {});
  const DISPLAY = `:${await display.find(/(\d+)\n/)}`;
  const drivers: ChildProcess[] = [];
  const sessions: string[] = [];

  async function open(): Promise<Driver> {
    const port = await freePort();
    // Without acceleration, since no two machines have the same, and this screen has none.
    const env = { HOME: home, DISPLAY, GDK_BACKEND: 'x11', GSK_RENDERER: 'cairo' };
    drivers.push(start(program, [`--port=${port}`], env).child);
    const base = `http://127.0.0.1:${port}`;
    await until('WebKitWebDriver', () => command(`${base}/status`, 'GET').catch(() => undefined));
    const created = await command(`${base}/session`, 'POST', { capabilities: {} });
    const session = `${base}/session/${created.sessionId}`;
    sessions.push(session);
    const post = (name: string, body: object) => command(`${session}/${name}`, 'POST', body);
    return {
      errors: [],
      goto: (url) => post('url', { url }),
      evaluate: async (expression) => {
        const script = `return JSON.stringify(${expression})`;
        return JSON.parse(
          ((await post('execute/sync', { script, args: [] })) as unknown as string) ?? 'null',
        );
      },
      act: (actions) => post('actions', { actions }),
      attach: async (selector, file) => {
        const element = await post('element', { using: 'css selector', value: selector });
        return post(`element/${Object.values(element)[0]}/value`, { text: file });
      },
      screenshot: async () => String(await command(`${session}/screenshot`, 'GET')),
      resize: (width, height) => post('window/rect', { width, height }),
    };
  }

  return {
    open,
    close: async () => {
      await Promise.allSettled(sessions.map((session) => command(session, 'DELETE')));
      await Promise.all([...drivers, display.child].map(end));
      await rm(home, { recursive: true, force: true });
    },
  };
}

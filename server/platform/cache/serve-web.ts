import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import escapeHtml from 'escape-html';
import type { Context, Next } from 'koa';
import type { Options as SirvOptions } from 'sirv';
import sirv from 'sirv';
import { DEFAULT_MARKET, type Market, ofMarket } from '#contract/platform/market/constants';
import { directionOf, theReader } from '#contract/platform/text/constants/reader';
import { msg, writeMessage } from '#contract/platform/text/constants/texts';
import { notFound } from '../http/errors.ts';
import { languageOfShell, withLanguage } from '../market/readers.ts';
import { RELEASE_FOLDER } from '../process/release.ts';
import { withLanguageTag } from '../process/request-context.ts';
import { type Storage, storageUnavailable } from '../uploads/storage.ts';

const WEB_DIRECTORY = path.join(RELEASE_FOLDER, 'web');

const SHELL = /^\/(index(\.html?)?)?$/;
/** Paths of files, which the shell does not stand in for. */
const FILE = /\/[\w\s~$.-]+\.\w+$|\/\.well-known/;

const ASSET = /^\/assets\/([\w-]+(?:\.[\w-]+)+)$/;
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * Serves the built client, compressed at build time; pages get the shell. Files of other releases come from `shared`:
 * their pages may be open, and with several servers behind one address any of them is asked.
 */
export function serveWeb(shared: Pick<Storage, 'read'>, directory = WEB_DIRECTORY) {
  // In development Vite serves the client, and tests need none.
  const isBuilt = existsSync(directory);
  const serve = isBuilt ? sirv(directory, webOptions) : undefined;
  const named = createNamedFiles(directory);
  return async (ctx: Context, next: Next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (!serve) throw notFound(msg('The web client is not built: run npm run build.'));
    if (named.sendManifest(ctx)) return;
    if (SHELL.test(ctx.path) || !(await serveFile(serve, ctx))) {
      const [, asset] = ASSET.exec(ctx.path) ?? [];
      if (asset !== undefined) await sendShared(shared, ctx, asset);
      else if (FILE.test(ctx.path) && !SHELL.test(ctx.path)) ctx.status = 404;
      else await named.sendShell(ctx);
    }
  };
}

/** Answers with a file of another release, or with 404. @throws 503 where the storage does not answer */
async function sendShared(shared: Pick<Storage, 'read'>, ctx: Context, name: string) {
  // Another server may have it in a moment.
  ctx.set('Cache-Control', 'no-store');
  const file = await shared.read(name).catch(() => {
    throw storageUnavailable(msg("This file can't be read just now. Please try again later."));
  });
  if (!file) {
    ctx.status = 404;
    return;
  }
  ctx.status = 200;
  ctx.set('Cache-Control', FOREVER);
  ctx.type = path.extname(name);
  ctx.body = file;
}

/** Answers with a built file. @returns false where there is none */
function serveFile(serve: ReturnType<typeof sirv>, ctx: Context): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const onClose = () => resolve(true);
    ctx.res.once('close', onClose);
    // A newer build may have removed the file: end this response, not the process.
    ctx.res.once('pipe', (file) => file.once('error', () => ctx.res.destroy()));
    ctx.status = 200;
    ctx.respond = false;
    serve(ctx.req, ctx.res, () => {
      ctx.res.off('close', onClose);
      ctx.status = 404;
      ctx.respond = true;
      resolve(false);
    });
  });
}

const webOptions: SirvOptions = {
  etag: true,
  brotli: true,
  gzip: true,
  setHeaders: (response, pathname) => {
    response.setHeader('Cache-Control', pathname.startsWith('/assets/') ? FOREVER : 'no-cache');
  },
};

const SHELL_FILE = 'index.html';
const MANIFEST = /^\/(manifest(?:-\w+)?\.webmanifest)$/;

/** A built file with the market's name in it. */
interface NamedFile {
  text: string;
  type: string;
  etag: string;
}

/** Whether the pictures of the installed application show this market: they have its name and its money. */
const isPictured = ({ name, currency }: Market): boolean =>
  name === DEFAULT_MARKET.name && currency.sign === DEFAULT_MARKET.currency.sign;

/** The words of `web/public/manifest*.webmanifest`. */
const OF_MANIFESTS = [
  msg('Fresh produce straight from the farms around you.'),
  msg("Your farm's orders, pick lists and messages."),
  msg('The market at a glance.'),
  msg('Every order of the market'),
  msg('The orders of a farm'),
  msg('This week on the market'),
  msg('Audit'),
  msg('Cart'),
  msg('Messages'),
  msg('My orders'),
  msg('Orders'),
  msg('Pick list'),
  msg('Products'),
  msg('Users'),
];

function nameManifest(text: string, market: Market): string {
  const { screenshots, ...manifest } = JSON.parse(text, (key, value) => {
    const words = /^(name|description|label)$/.test(key)
      ? OF_MANIFESTS.find((each) => each.text === value)
      : undefined;
    return words ? writeMessage(words) : value;
  });
  const { name } = market;
  const { language } = theReader();
  return JSON.stringify({
    ...manifest,
    name,
    short_name: name,
    ...(language === 'en' ? {} : { lang: language, dir: directionOf(language) }),
    ...(isPictured(market) ? { screenshots } : {}),
  });
}

/** Puts the market's name in the place of ours. */
function nameFile(text: string, file: string, market: Market): NamedFile {
  const isShell = file === SHELL_FILE;
  const named = isShell
    ? withLanguage(text).replaceAll(DEFAULT_MARKET.name, () => escapeHtml(market.name))
    : nameManifest(text, market);
  return {
    text: named,
    type: isShell ? 'text/html; charset=utf-8' : 'application/manifest+json; charset=utf-8',
    etag: createHash('sha1').update(named).digest('base64url'),
  };
}

/**
 * Creates a function that answers with the built files which show the market's name before any script runs: the shell
 * of the client and the manifests of the installed application. `send` returns whether there is such a file.
 */
function createNamedFiles(directory: string) {
  const read = (file: string): string => readFileSync(path.join(directory, file), 'utf8');
  // Filled on request, and again once the market has changed.
  const filesOf = ofMarket((market) => ({ market, files: new Map<string, NamedFile>() }));

  function send(ctx: Context, file: string): void {
    const { market, files } = filesOf();
    const key = `${file} ${theReader().language}`;
    const known = files.get(key) ?? nameFile(read(file), file, market);
    files.set(key, known);
    ctx.status = 200;
    ctx.type = known.type;
    ctx.set('Cache-Control', 'no-cache');
    ctx.etag = known.etag;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = known.text;
  }

  return {
    sendShell: (ctx: Context): Promise<void> =>
      withLanguageTag(languageOfShell(ctx), async () => send(ctx, SHELL_FILE)),
    /** Answers with the manifest at this path. @returns false where there is none */
    sendManifest(ctx: Context): boolean {
      const [, file] = MANIFEST.exec(ctx.path) ?? [];
      if (file === undefined) return false;
      ctx.vary('Accept-Language');
      try {
        send(ctx, file);
      } catch {
        // There is no such file.
        return false;
      }
      return true;
    },
  };
}

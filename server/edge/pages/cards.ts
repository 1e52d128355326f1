import type { Context, Next } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { FarmerDetail } from '#contract/farm/farmers/farmers';
import { formatTown } from '#contract/platform/text/constants/addresses';
import { splitAddress, theReader } from '#contract/platform/text/constants/reader';
import { msg, t } from '#contract/platform/text/constants/texts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey } from '../../platform/http/rate-limit.ts';
import { LANGUAGES } from '../../platform/market/catalogues.ts';
import { offeredLanguages } from '../../platform/market/readers.ts';
import { withLanguageTag } from '../../platform/process/request-context.ts';
import { makePage, type Read } from './built.ts';
import type { Card } from './draw-card.ts';
import { siteOf } from './head.ts';
import { pricePerUnit } from './offers.ts';

/** Cards that are kept, at about 60 kB each. */
const KEPT_MAX = 200;

/** For how long others keep a card, in seconds: one of this very version with its picture, and any other. */
const MAX_AGE_S = { whole: 86_400, other: 60 };

const PATH =
  /^\/cards\/(?:(market)|(product|farm)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))\.jpg$/;
const UPLOADED = /^\/uploads\/([^/]+\.webp)$/;
const isUploaded = (address: string | null | undefined) => UPLOADED.test(address ?? '');

/** What cards are made of. */
interface CardSources {
  /** Answers a GET of the API as pages get it. */
  read: Read;
  /** Returns a stored picture by its name, or undefined. */
  readPicture: (name: string) => Promise<Buffer | undefined>;
}

/** What draws loads the fonts of papers, 35 MB, which a server needs for the first card alone. */
const drawCard = async (card: Card): Promise<Buffer> =>
  (await import('./draw-card.ts')).drawCard(card);

interface Drawn {
  image: Buffer;
  hasPicture: boolean;
}

/**
 * Serves the pictures that stand for a page where its address is shared: the market, a product, a farm. Their addresses
 * name a language as those of pages do.
 */
export function serveCards(
  { log, rateLimits }: Platform,
  { read, readPicture }: CardSources,
  draw: (card: Card) => Promise<Buffer> = drawCard,
) {
  // By what they show and for whom, so that another price or language is another card.
  const kept = new LRUCache<string, Promise<Drawn>>({ max: KEPT_MAX });

  /** @param address of the picture, which is drawn into the card once it can be read */
  function drawOnce(
    id: string,
    texts: Omit<Card, 'picture'>,
    address?: string | null,
  ): Promise<Drawn> {
    const key = JSON.stringify([
      theReader().language,
      siteOf().name,
      id,
      ...Object.values(texts),
      address,
    ]);
    const known = kept.get(key);
    if (known) return known;
    const removeKept = () => kept.get(key) === drawing && kept.delete(key);
    const drawing = pictureAt(address).then(async (picture) => {
      if (!picture && isUploaded(address)) removeKept();
      return { image: await draw({ ...texts, picture }), hasPicture: picture !== undefined };
    });
    kept.set(key, drawing);
    drawing.catch(removeKept);
    return drawing;
  }

  /** Returns the stored picture at an address; none for one of another site, or that is away. */
  async function pictureAt(address: string | null | undefined): Promise<Buffer | undefined> {
    const [, name] = UPLOADED.exec(address ?? '') ?? [];
    if (name === undefined) return undefined;
    return readPicture(name).catch((error: Error) => {
      log.warn({ reason: error.message }, 'Picture of a card could not be read');
      return undefined;
    });
  }

  async function readSubject<Subject>(ctx: Context, url: string): Promise<Subject> {
    const page = { ctx, depend: () => {}, answers: new Map<string, string>() };
    const { status, text } = await makePage(page, () => read(url));
    if (status !== 200) throw notFound(msg('There is no such card.'));
    return JSON.parse(text).data;
  }

  /** Returns the card, and the version of what it shows. */
  async function cardOf(
    ctx: Context,
    kind: string | undefined,
    id: string,
  ): Promise<Drawn & { version?: number | undefined }> {
    if (kind === 'product') {
      const product = await readSubject<Product>(ctx, `/api/products/${id}`);
      const { name: title, images, farmer, version } = product;
      const texts = { title, detail: pricePerUnit(product), from: farmNameOf(farmer) };
      return { ...(await drawOnce(id, texts, images[0])), version };
    }
    if (kind === 'farm') {
      const { farmer, profile } = await readSubject<FarmerDetail>(ctx, `/api/users/farmers/${id}`);
      const title = farmNameOf({ farmName: profile.farmName, name: farmer.name });
      const detail = formatTown(farmer.address);
      const texts = { title, detail, from: t('Straight from the farm') };
      const { version } = profile;
      return { ...(await drawOnce(id, texts, profile.cover ?? profile.photo)), version };
    }
    return drawOnce('market', {
      title: t('Good food grows near you.'),
      detail: siteOf().name,
      from: t('Straight from the farm that grew it'),
    });
  }

  return async (ctx: Context, next: Next) => {
    const [named, path] = splitAddress(ctx.path, LANGUAGES);
    const found = PATH.exec(path.toLowerCase());
    if (!found || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const [own = 'en', ...others] = offeredLanguages();
    const language = named ?? own;
    if (named !== undefined && !others.includes(named)) {
      ctx.redirect(path + ctx.search);
      return;
    }
    await rateLimits('reads', [addressKey(ctx.ip)]);
    const [, , kind, id = ''] = found;
    const { image, hasPicture, version } = await withLanguageTag(language, () =>
      cardOf(ctx, kind, id),
    );
    ctx.body = image;
    ctx.type = 'image/jpeg';
    // Services that show cards fetch them from elsewhere.
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    // A picture that is added or can be read later is not hidden by what others keep, nor is a later version.
    const isWhole = hasPicture && version !== undefined && ctx.query.v === String(version);
    ctx.set('Cache-Control', `public, max-age=${MAX_AGE_S[isWhole ? 'whole' : 'other']}`);
  };
}

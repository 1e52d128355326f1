import {
  MARKET_PAGES,
  type Market,
  type SentMarket,
  setMarket,
  theMarket,
} from '#contract/platform/market/constants';
import { WEEK_STARTS } from '#contract/platform/market/constants/choices';
import { usualCountry, usualUnitSystem } from '#contract/platform/market/countries';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { MarketSettings, Prisma } from '../../../prisma/generated/client.ts';
import type { Following, LoggedEvent } from '../events/event-log.ts';
import type { ProcessPlatform } from '../events/platform.ts';
import { invalidField } from '../http/errors.ts';
import { retryWhileAway } from '../stores/postgres.ts';
import { addressFormatOf } from './address-formats.ts';
import { LANGUAGES } from './catalogues.ts';

/** Returns the settings in the form of the wire. */
export const presentMarket = (row: MarketSettings): Market => ({
  ...presentPlace(row),
  name: row.name,
  tagline: row.tagline,
  logo: row.logo,
  contact: {
    address: row.contactAddress,
    phone: row.contactPhone,
    email: row.contactEmail,
  },
  currency: {
    code: row.currencyCode,
    sign: row.currencySign,
    decimals: row.currencyDecimals,
    position: row.isSignAfter ? 'after' : 'before',
  },
  locale: row.locale,
  timeZone: row.timeZone,
  weekStart: WEEK_STARTS.find((day) => day === row.weekStart) ?? 1,
  languages: presentLanguages(row.languages),
  unansweredMinutes: (row.unansweredSeconds ?? 1800) / 60,
  approvesFarms: row.approvesFarms,
  requiresVerifiedEmail: row.requiresVerifiedEmail,
  teamLinks: row.teamLinks,
  pages: MARKET_PAGES.filter((slug) => row.pages.includes(slug)),
  announcement: row.announcementText
    ? {
        text: row.announcementText,
        endsAt: row.announcementEndsAt?.toISOString() ?? null,
        announcedAt: row.announcedAt.toISOString(),
      }
    : null,
  version: row.version,
});

/** Returns where the market is, and in what one measures there: by what it says of itself until an admin has saved it. */
function presentPlace(
  row: MarketSettings,
): Pick<Market, 'country' | 'unitSystem' | 'addressFormat' | 'units'> {
  const { currencyCode: currency, timeZone, locale, units } = row;
  const country = row.country ?? usualCountry({ currency, timeZone, locale });
  const unitSystem = row.unitSystem ?? usualUnitSystem(country);
  const addsLitres = row.addsLitres && unitSystem === 'metric' && units.includes('kg');
  return {
    country,
    unitSystem,
    addressFormat: addressFormatOf(country, locale),
    units: addsLitres ? [...units, 'l', 'ml'] : units,
  };
}

/** Refuses languages that this release does not speak. @throws 400 at their place below `path` */
export function requireLanguages(languages: readonly string[] = [], path: string): void {
  const unknown = languages.findIndex((tag) => !LANGUAGES.includes(tag));
  if (unknown >= 0)
    throw invalidField(`${path}.${unknown}`, msg('Choose languages from the list.'));
}

/** Returns those of the stored tags that this release speaks, at least one. */
function presentLanguages(tags: readonly string[]): Market['languages'] {
  const offered = tags.filter((tag) => LANGUAGES.includes(tag));
  return offered.length > 0 ? offered : ['en'];
}

/** Returns settings of the wire as columns, but for the version. */
export const toMarketRow = ({
  contact,
  currency,
  unansweredMinutes,
  version: _,
  addressFormat: ____,
  // Written for themselves: see `pages.ts`.
  pages: __,
  announcement: ___,
  ...same
}: Market): Prisma.MarketSettingsUpdateInput => ({
  ...same,
  contactAddress: contact.address,
  contactPhone: contact.phone,
  contactEmail: contact.email,
  currencyCode: currency.code,
  currencySign: currency.sign,
  currencyDecimals: currency.decimals,
  isSignAfter: currency.position === 'after',
  unansweredSeconds: Math.round(unansweredMinutes * 60),
  addsLitres: false,
});

/** Reads the settings of the market. */
export const readMarket = async (db: Database | Transaction): Promise<Market> =>
  presentMarket(await db.marketSettings.findUniqueOrThrow({ where: { id: 1 } }));

/** Locks the row of the market against other changes until the transaction ends, and returns it. */
export async function lockMarket(tx: Transaction): Promise<MarketSettings> {
  await tx.$queryRaw`SELECT 1 FROM market_settings WHERE id = 1 FOR NO KEY UPDATE`;
  return tx.marketSettings.findUniqueOrThrow({ where: { id: 1 } });
}

/** Makes settings the market's in this process, unless it has newer ones. */
function applyUnlessOlder(market: SentMarket): void {
  if (market.version >= theMarket().version) setMarket(market);
}

/**
 * Reads the settings into this process and keeps them current by the events of the log, until closed.
 * Waits while Postgres is away.
 */
export async function followMarket({
  db,
  eventLog,
}: Pick<ProcessPlatform, 'db' | 'eventLog'>): Promise<Pick<Following, 'close'>> {
  const apply = (event: LoggedEvent) => {
    if (event.name === 'market.updated') applyUnlessOlder(event.data);
  };
  // A batch is applied before the writer is answered; the follower catches what this misses.
  const stopListening = eventLog.onBatch((events) => events.forEach(apply));
  const head = await retryWhileAway(() => eventLog.head());
  setMarket(await retryWhileAway(() => readMarket(db)));
  const following = eventLog.follow(head, apply);
  return {
    close: () => {
      stopListening();
      return following.close();
    },
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { READY_CATEGORIES } from '#contract/admin/setup/constants';
import type { SetUp } from '#contract/admin/setup/setup';
import type { Session } from '#contract/people/auth/auth';
import { usualCountry, usualUnitSystem } from '#contract/platform/market/countries';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { MarketSettings } from '../../../prisma/generated/client.ts';
import { namesIn, recordCategoryChange } from '../../catalogue/categories/service.ts';
import { releaseUnproven } from '../../people/auth/change-email.ts';
import { hashPassword } from '../../people/auth/password.ts';
import { recordNewUser, signInNew } from '../../people/auth/sessions.ts';
import { rememberSource, type Source } from '../../people/auth/sources.ts';
import { membershipInclude } from '../../people/users/present.ts';
import { conflict, forbidden, invalidField } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockMarket, requireLanguages } from '../../platform/market/settings.ts';
import type { Env } from '../../platform/process/env.ts';
import {
  databaseKnowsTimeZone,
  defined,
  isDuplicate,
  transact,
} from '../../platform/stores/postgres.ts';
import {
  changeMarket,
  changeTimeZone,
  isCurrencyInUse,
  MARKET_TRANSACTION_MS,
} from '../market/service.ts';

type Secrets = Pick<Env, 'JWT_SECRET'>;

/**
 * Returns the token of the set-up link. It follows from the market's secret, so that every process knows it
 * and none stores it; it is worth nothing once there is an admin.
 */
export const setupToken = ({ JWT_SECRET }: Secrets): string =>
  createHmac('sha256', JWT_SECRET).update('set up the market').digest('base64url');

/** Returns whether this is the token of the link, in the same time for any. */
function isSetupToken(env: Secrets, token: string): boolean {
  const digest = (text: string) => createHmac('sha256', env.JWT_SECRET).update(text).digest();
  return timingSafeEqual(digest(token), digest(setupToken(env)));
}

/** Returns the address that sets the market up. Its fragment is never sent to a server or written to its log. */
export const setupLink = (env: Secrets & Pick<Env, 'PUBLIC_URL'>): string =>
  `${env.PUBLIC_URL}/setup#token=${setupToken(env)}`;

/** Returns whether the market has no admin. */
export async function isSetupNeeded(db: Database | Transaction): Promise<boolean> {
  const admin = await db.user.findFirst({
    where: { role: 'admin', deletedAt: null },
    select: { id: true },
  });
  return admin === null;
}

/**
 * Prints the set-up link while it is needed: on the console and not in the log, which others may keep and
 * read. Anyone who reads the console of a process may rule its market.
 */
export async function printSetupLink({
  db,
  env,
}: {
  db: Database;
  env: Secrets & Pick<Env, 'PUBLIC_URL'>;
}): Promise<void> {
  if (!(await isSetupNeeded(db))) return;
  console.log(`\nThis market has no admin yet. Open this link to set it up:\n${setupLink(env)}\n`);
}

const alreadySetUp = () =>
  conflict('ALREADY_SET_UP', msg('This market is set up already. Sign in as its admin.'));

/**
 * Sets up a market that has no admin: its settings, its first admin and the categories it begins with, all
 * or nothing. The first admin is signed in.
 * @throws 403 another token, 409 ALREADY_SET_UP there is an admin, CURRENCY_IN_USE something has a price,
 *   EMAIL_TAKEN somebody has registered with this email and proved it
 */
export async function setUpMarket(
  platform: Platform,
  { token, market, admin, categories }: SetUp,
  source: Source,
): Promise<Omit<z.input<typeof Session>, 'success'>> {
  const { db, pool, env } = platform;
  if (!(await isSetupNeeded(db))) throw alreadySetUp();
  if (!isSetupToken(env, token)) {
    throw forbidden(
      msg("This link doesn't belong to this market. Open the one that the server printed."),
    );
  }
  if (!(await databaseKnowsTimeZone(pool, market.timeZone))) {
    throw invalidField('market.timeZone', msg('Choose a time zone from the list.'));
  }
  const passwordHash = await hashPassword(admin.password);
  try {
    const row = await transact(
      db,
      async (tx) => {
        // Of two at once, and of the command line's admin at the same time, the first one wins.
        const before = await lockMarket(tx);
        if (!(await isSetupNeeded(tx))) throw alreadySetUp();
        await saveSettings(tx, before, market);
        await addCategories(tx, categories, market.languages ?? before.languages);
        // Anyone who has the printed link answers for the address.
        await releaseUnproven(tx, admin.email);
        const created = await tx.user.create({
          data: {
            name: admin.name,
            email: admin.email,
            role: 'admin',
            passwordHash,
            emailVerifiedAt: new Date(),
          },
          include: membershipInclude,
        });
        await rememberSource(platform, tx, created, source);
        const { membership: _, ...account } = created;
        await recordNewUser(tx, account);
        return created;
      },
      MARKET_TRANSACTION_MS,
    );
    return await signInNew(platform, row, source);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw conflict('EMAIL_TAKEN', msg('An account with this email already exists.'), [
      { path: 'admin.email', message: msg('This email is already registered.') },
    ]);
  }
}

async function saveSettings(
  tx: Transaction,
  before: MarketSettings,
  {
    name,
    currency,
    timeZone,
    locale = before.locale,
    units,
    country = usualCountry({ currency: currency.code, timeZone, locale }),
    unitSystem = usualUnitSystem(country),
    languages,
    approvesFarms,
  }: SetUp['market'],
): Promise<void> {
  requireLanguages(languages, 'market.languages');
  const isOtherMoney =
    currency.code !== before.currencyCode || currency.decimals !== before.currencyDecimals;
  // Somebody may have registered a farm before the market was set up.
  if (isOtherMoney && (await isCurrencyInUse(tx))) {
    throw conflict(
      'CURRENCY_IN_USE',
      msg('This market has prices in {currency} already. Keep that currency and its decimals.', {
        currency: before.currencyCode,
      }),
      [
        {
          path: 'market.currency.code',
          message: msg('Choose {currency}.', { currency: before.currencyCode }),
        },
      ],
    );
  }
  await changeTimeZone(tx, { from: before.timeZone, to: timeZone, changedBy: null });
  await changeMarket(tx, {
    ...{ name, locale, country, unitSystem, approvesFarms },
    ...defined({ languages, units }),
    addsLitres: units === undefined,
    currencyCode: currency.code,
    currencySign: currency.sign,
    currencyDecimals: currency.decimals,
    isSignAfter: currency.position === 'after',
  });
}

/** Adds ready categories that the market does not have yet, in its languages. */
async function addCategories(
  tx: Transaction,
  keys: SetUp['categories'],
  languages: readonly string[],
): Promise<void> {
  const chosen = READY_CATEGORIES.filter(({ key }) => keys.includes(key));
  const added = await tx.category.createManyAndReturn({
    data: chosen.map(({ name, description, icon }) => {
      const named = namesIn(name, languages);
      return {
        ...named,
        description: namesIn(description, languages).name,
        icon,
        nameKey: named.name.toLowerCase(),
      };
    }),
    skipDuplicates: true,
  });
  for (const { id } of added) await recordCategoryChange(tx, id);
}

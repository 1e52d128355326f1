import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import {
  DELETION_MAIL_KIND,
  forEachKind,
  NOTIFICATION_KINDS,
  type NotificationKind,
  TEXTED_KINDS,
} from '#contract/people/notifications/constants';
import { type ParamsOf, wordsOf } from '#contract/people/notifications/constants/words';
import type { Notification } from '#contract/people/notifications/notifications';
import { isolate } from '#contract/platform/text/constants/reader';
import { inLanguageOf } from '../../server/platform/market/readers.ts';
import type { Mail } from '../../server/platform/process/smtp.ts';
import { type Caller, closeAfter, startTestMarket } from '../../server/testing/market.ts';
import { changeMarket } from '../../server/testing/market-settings.ts';
import { createSender } from '../testing/sender.ts';
import type { Effect, MailKind } from './engine/definition.ts';

// Every notification and every mail, in the language of whoever reads it.

const LANGUAGES = ['en', 'de', 'ur'] as const;
type Language = (typeof LANGUAGES)[number];

const market = closeAfter(await startTestMarket());
const { db } = market.platform;
const { plan, deliver, sent, mailedBy } = createSender(market.platform);

let customer: Caller;
let farm: Caller;
beforeAll(async () => {
  await changeMarket(market, { languages: [...LANGUAGES] });
  customer = await market.join('consumer', 'عائشہ');
  farm = await market.join('farmer', 'سبز وادی');
  // They read in another language than those who read of them.
  await db.user.updateMany({ data: { language: 'en', emailVerifiedAt: new Date() } });
});

const order = '0badcafe-0000-4000-8000-0000000000a1';
const moment = { date: '2030-05-04', time: '10:00', orderedAt: '2029-05-01T08:00:00.000Z' };
const handover = { ...moment, isDelivery: false };
const cost = { minor: 125_000, isEstimate: true as const };
const line = { name: 'گاجر', unit: 'kg' as const, fromMilli: 10_000, toMilli: 4500 };
const changed = { lines: [line, { ...line, toMilli: 0 }, { ...line, fromMilli: 0 }], more: 2 };
const reason = 'پالا';
const people = () => ({ customer: { _id: customer.id }, farm: { _id: farm.id } });

/** Params of each kind, one of each of its forms. A kind without any does not compile. */
const forms = (): { [Kind in NotificationKind]: readonly ParamsOf<Kind>[] } => {
  const whose = people();
  return {
    'order.placed': [{ order, customer: whose.customer, count: 2, cost, handover }],
    'order.unanswered': [{ order, customer: whose.customer, cost, handover }],
    'order.leftUnanswered': [{ order, cost, handover: { ...handover, isDelivery: true } }],
    'order.cutoff': (['remind', 'accept', 'reject'] as const).map((did) => ({
      did,
      count: 3,
      date: '2030-05-04',
      today: '2030-05-01',
    })),
    'order.cancelledByConsumer': [
      { order, customer: whose.customer, handover, isBack: true, reason },
      { order, customer: whose.customer, handover, hasLeft: true },
      { order, customer: whose.customer, handover, isStanding: true },
    ],
    'order.statusChanged': [
      ...(['pending', 'accepted', 'rejected', 'completed', 'cancelled'] as const).map((status) => ({
        order,
        status,
        farm: whose.farm,
        handover,
        reason,
      })),
      ...(['suspended', 'back'] as const).map((farmIs) => ({ order, farmIs, handover })),
    ],
    'order.slotMoved': [
      {
        order,
        before: moment,
        after: { ...moment, place: 'سرخ دروازہ' },
        customer: whose.customer,
      },
      ...[moment, { ...moment, time: '11:00' }, { ...moment, date: '2030-05-07' }].flatMap(
        (after) => [
          { order, before: moment, after, customer: whose.customer },
          { order, before: moment, after, farm: whose.farm, isDelivery: true },
          { order, before: moment, after, farm: whose.farm, isDelivery: false, reason },
        ],
      ),
    ],
    'order.kept': [
      { order, farm: whose.farm, handover, isAgreed: true },
      { order, farm: whose.farm, handover, isAgreed: false },
    ],
    'order.reminder': [
      { order, farm: whose.farm, handover, place: 'سرخ دروازہ' },
      { order, farm: whose.farm, handover: { ...handover, isDelivery: true } },
    ],
    'order.changeProposed': [
      { order, farm: whose.farm, minutesLeft: 125, cost, costBefore: cost, changed },
      {
        ...{ order, farm: whose.farm, minutesLeft: 10, cost, costBefore: cost },
        heavier: { first: 'مرغی', more: 1 },
      },
      { order, farm: whose.farm, minutesLeft: 1, again: 'weights' },
    ],
    'order.changeAnswered': [
      { order, customer: whose.customer, answer: 'answered', changed, outcome: { cost } },
      {
        ...{ order, customer: whose.customer, answer: 'declined', changed },
        outcome: { status: 'cancelled' },
      },
    ],
    'order.changeExpired': [
      { order, side: 'consumer', changed, outcome: { status: 'rejected' }, reason },
      { order, side: 'farmer', changed, outcome: { cost } },
    ],
    'order.itemsChanged': [
      { order, unreturned: [{ name: 'گاجر', unit: 'kg', milli: 4000 }] },
      { order, unreturned: [{ name: 'گاجر', unit: 'kg', size: { label: '۵ کلو' }, milli: 4000 }] },
      { order, customer: whose.customer, changed, outcome: { cost } },
      { order, farm: whose.farm, changed, outcome: { status: 'accepted' }, reason },
    ],
    'order.weighed': [
      { order, farm: whose.farm, minor: 49_320, knownMinor: 48_000 },
      { order, farm: whose.farm, minor: 48_000, knownMinor: 48_000 },
    ],
    'picklist.changed': [undefined, 'سرخ دروازہ'].map((place) => ({
      ...{ date: '2030-05-04', today: '2030-05-01', count: 2, print: 1, more: 1, place },
      goods: [
        { name: 'گاجر', unit: 'kg' as const, milli: -2000 },
        {
          ...{ name: 'شہد', unit: 'each' as const, milli: 3000 },
          unitLabel: { one: 'مرتبان', other: 'مرتبان' },
        },
      ],
    })),
    'message.unread': [{ sender: whose.customer, content: 'کیا چقندر ہیں؟' }],
    'stock.low': [
      { product: 'گاجر', unit: 'kg', leftMilli: 500, minimumMilli: 1000 },
      { product: 'گاجر', unit: 'kg', leftMilli: 500 },
      { product: 'گاجر', unit: 'kg', leftMilli: 0 },
    ],
    'stock.back': [
      { product: 'گاجر' },
      { product: 'گاجر', unit: 'kg', leftMilli: 12_000, peopleCount: 24 },
    ],
    'farm.newProducts': [
      { count: 1, names: ['گاجر'], farm: whose.farm },
      { count: 4, names: ['گاجر', 'چقندر', 'پالک'] },
    ],
    'product.hidden': [
      { product: 'گاجر', isHidden: true, reason },
      { product: 'گاجر', isHidden: false },
    ],
    'account.security': [
      ...(['appTurnedOn', 'appTurnedOff', 'recoveryCodesMade', 'recoveryCodeUsed'] as const),
      ...(['passkeyAdded', 'passkeyRemoved', 'emailVerified', 'emailChanged'] as const),
      ...(['emailChangeUndone', 'secondFactorRemoved', 'passwordReset'] as const),
    ].map((change) => ({
      change,
      device: 'Firefox on Linux',
      ...(change === 'passwordReset' && {
        left: [
          { what: 'app' as const },
          { what: 'codes' as const, count: 8 },
          { what: 'passkey' as const, device: '' },
        ],
      }),
    })),
    'report.opened': (['product', 'farm', 'message', 'order'] as const).map((reported) => ({
      reported,
    })),
    'report.settled': (['product', 'farm', 'message', 'order'] as const).flatMap((reported) =>
      (['acted', 'dismissed'] as const).map((outcome) => ({ reported, outcome })),
    ),
    'farm.waiting': [{ farm: whose.farm }],
    'farm.approval': [
      { farm: whose.farm, isApproved: true },
      { farm: whose.farm, isApproved: false, reason },
    ],
    'farm.paused': [
      { farm: whose.farm, date: '2026-11-24', time: '08:00', pausedOn: '2026-11-23' },
    ],
    'store.outage': [
      { store: 'postgres', seconds: 90, reason: null },
      { store: 'redis', seconds: null, reason: null },
      { store: 'redis', seconds: null, reason: 'MISCONF' },
      { store: 'postgres', seconds: 9000, reason: null },
    ],
  };
};

/** What makes each mail that is no notification due to somebody. A kind without one does not compile. */
const MAILS: { [Kind in MailKind]: (to: Caller) => Promise<Effect[]> } = {
  'password.reset': async (to) => [mail('password.reset', to, randomUUID())],
  'email.verification': async (to) => {
    await db.user.update({ where: { id: to.id }, data: { emailVerifiedAt: null } });
    return [mail('email.verification', to, randomUUID())];
  },
  'email.change': async (to) => [mail('email.change', to, await changeOf(to))],
  'email.changeNotice': async (to) => [mail('email.changeNotice', to, await changeOf(to))],
  'member.invitation': async (to) => {
    const { id } = await db.farmMember.create({
      data: {
        farmId: farm.id,
        email: to.email,
        role: 'packer',
        inviteExpiresAt: new Date(Date.now() + 86_400_000),
      },
    });
    const key = `member.invitation:${id}:1`;
    return [{ do: 'mail', kind: 'member.invitation', userId: farm.id, key, isMailed: true }];
  },
  'account.suspension': async (to) => [mail('account.suspension', to, `restored:${randomUUID()}`)],
  [DELETION_MAIL_KIND]: async (to) => {
    await db.accountDeletionMail.create({
      data: { userId: to.id, name: to.name, email: to.email },
    });
    return [mail(DELETION_MAIL_KIND, to, randomUUID())];
  },
};
const mail = (kind: Exclude<MailKind, 'member.invitation'>, to: Caller, about: string): Effect => ({
  do: 'mail',
  kind,
  userId: to.id,
  key: `${kind}:${about}`,
});
const changeOf = async ({ id, email }: Caller) => {
  const undoUntil = new Date(Date.now() + 86_400_000);
  const data = { userId: id, oldEmail: email, newEmail: email, undoUntil };
  return (await db.emailChange.create({ data })).id;
};

/** Returns somebody of a language, with a browser for pushes. */
const TEXTED = forEachKind({ email: true, push: true, sms: true });

async function reader(language: Language | null): Promise<Caller> {
  const made = await market.join('consumer', 'زینب');
  await db.user.update({
    where: { id: made.id },
    // What is off by default they have agreed to.
    data: {
      language,
      ...{ emailVerifiedAt: new Date(), phoneVerifiedAt: new Date() },
      preferences: TEXTED,
    },
  });
  const endpoint = `https://127.0.0.1/${made.id}`;
  await db.pushSubscription.create({
    data: { userId: made.id, endpoint, p256dh: 'key', auth: 'auth' },
  });
  return made;
}

const noticeOf = (kind: NotificationKind, params: object, to: Caller): Effect =>
  ({
    ...{ do: 'notify', userId: to.id, kind, params, isMailed: true },
    ...{ key: randomUUID(), link: `/orders/${randomUUID()}` },
  }) as Effect;

/** What may be in Latin letters: addresses, names of programs and of the market, short ids, units and halves of days. */
const LATIN =
  /https?:\/\/\S+|mailto:\S+|\S+@\S+|#0badcafe|Farmgate|Firefox|Linux|PostgreSQL|Redis|MISCONF|\b(kg|AM|PM|am|pm)\b/g;

/** Expects words that are of this language, and of no other. */
function expectWords(text: string, language: Language): void {
  const own = text.replace(LATIN, '');
  if (language === 'ur') expect(own).not.toMatch(/[a-z]{2}/i);
  if (language === 'de') expect(own).not.toMatch(/\b(the|you|your|is|it|this|of|order)\b/i);
  if (language === 'en') expect(own).not.toMatch(/\b(der|die|das|Sie|Ihre?|wurde|ist|und)\b/);
}

function expectMail({ subject, text, html }: Mail, language: Language): void {
  expectWords(`${subject}\n${text}`, language);
  const dir = language === 'ur' ? 'rtl' : 'ltr';
  expect(html).toContain(`<html lang="${language}" dir="${dir}">`);
  expect(html).toContain(`<div lang="${language}" dir="${dir}"`);
}

it.each(NOTIFICATION_KINDS)(
  '%s is written for its readers, three languages at once',
  async (kind) => {
    const written = await Promise.all(
      forms()[kind].flatMap((params) =>
        LANGUAGES.map(async (language) => {
          const to = await reader(language);
          const { mails, pushes, texts } = await sent([noticeOf(kind, params, to)]);
          const [row] = (await market.get('/notifications', to)).body.data as Notification[];
          expect(row).toMatchObject({ kind, params: JSON.parse(JSON.stringify(params)) });
          expect(Object.keys(row ?? {})).not.toContain('title');
          const shown = await inLanguageOf(language, async () => wordsOf(row as Notification));
          expect(mails).toHaveLength(1);
          for (const each of mails) {
            expectMail(each, language);
            expect(each.text).toContain(shown.body);
          }
          expect(pushes).toMatchObject([{ ...shown, lang: language }]);
          expectWords(`${shown.title}\n${shown.body}`, language);
          expect(texts).toHaveLength(TEXTED_KINDS.includes(kind) ? 1 : 0);
          for (const text of texts) expectWords(text, language);
          expect(JSON.stringify(shown)).not.toContain('undefined');
          return shown.title;
        }),
      ),
    );
    for (let at = 0; at < written.length; at += LANGUAGES.length) {
      const titles = written.slice(at, at + LANGUAGES.length);
      expect(new Set(titles).size).toBe(LANGUAGES.length);
    }
  },
);

it.each(Object.keys(MAILS) as MailKind[])(
  '%s is mailed in the language of its reader',
  async (kind) => {
    const subjects = await Promise.all(
      LANGUAGES.map(async (language) => {
        const to = await reader(language);
        const { mails } = await sent(await MAILS[kind](to));
        expect(mails).toMatchObject([{ to: to.email }]);
        for (const each of mails) expectMail(each, language);
        return mails[0]?.subject;
      }),
    );
    expect(new Set(subjects).size).toBe(LANGUAGES.length);
  },
);

it('mails who has chosen no language in that of the page that asked, else in the market’s', async () => {
  const email = `${randomUUID()}@farmgate.test`;
  const headers = { 'accept-language': 'ur' };
  const body = { name: 'زینب', email, password: 'password123' };
  const registered = await mailedBy(() => market.call('POST', '/auth/register', { body, headers }));
  expect(registered).toMatchObject([{ to: email, subject: 'اپنی ای میل کی تصدیق کریں' }]);
  const invited = await mailedBy(() =>
    market.call('POST', '/farm/members', {
      as: farm,
      body: { email: `${randomUUID()}@farmgate.test`, role: 'seller' },
      headers: { 'accept-language': 'de' },
    }),
  );
  for (const each of invited) expectMail(each, 'de');
  const unasked = await reader(null);
  const { mails } = await sent([mail('password.reset', unasked, randomUUID())]);
  for (const each of mails) expectMail(each, 'en');
  expect([invited.length, mails.length]).toEqual([1, 1]);
});

it('sets a German customer apart in a mail to an Urdu reader', async () => {
  const german = await market.join('consumer', 'Jürgen Müller');
  await db.user.update({ where: { id: german.id }, data: { language: 'de' } });
  const to = await reader('ur');
  const params = { ...forms()['order.unanswered'][0], customer: { _id: german.id } };
  const { mails, pushes } = await sent([noticeOf('order.unanswered', params, to)]);
  const name = await inLanguageOf('ur', async () => isolate('Jürgen Müller'));
  expect(mails[0]?.text).toContain(`${name} کو آپ کے جواب کا انتظار ہے`);
  expect(pushes[0]).toMatchObject({ lang: 'ur', dir: 'rtl' });
  expect(pushes[0]?.title).toBe(`${name} کو آپ کے جواب کا انتظار ہے`);
});

it('names nobody whose account is gone, in a mail that still waits and in the bell', async () => {
  const leaving = await market.join('consumer', 'Jürgen Müller');
  const to = await reader('de');
  const params = { ...forms()['order.placed'][0], customer: { _id: leaving.id } };
  const planned = await plan([noticeOf('order.placed', params, to)]);
  await market.platform.eventLog.sequence();
  const admin = await market.join('admin');
  expect((await market.delete(`/users/${leaving.id}`, admin)).status).toBe(200);
  const kept = await Promise.all([
    db.notification.findMany({ where: { userId: to.id } }),
    db.notificationDelivery.findMany({ where: { userId: to.id } }),
    db.eventLog.findMany({ where: { rooms: { has: `user:${to.id}` } } }),
    market.get('/notifications', to).then(({ body }) => body.data),
  ]);
  expect(
    JSON.stringify(kept, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  ).not.toContain('Jürgen');
  const { mails, pushes } = await deliver(planned);
  expect(pushes).toMatchObject([{ title: 'Neue Bestellung von Gelöschtes Konto' }]);
  expect(mails[0]?.text).toContain('Neue Bestellung von Gelöschtes Konto');
});

it('shows and mails the words of a row from before there were params, as they are', async () => {
  const to = await reader('ur');
  const old = { title: 'New order from Ada', body: 'Order #1: 1 item.', link: '/orders/1' };
  const key = `order.placed:${randomUUID()}`;
  await db.notification.create({ data: { userId: to.id, kind: 'order.placed', key, ...old } });
  const { id } = await db.notificationDelivery.create({
    data: { userId: to.id, kind: 'order.placed', key, channel: 'email' },
  });
  const [row] = (await market.get('/notifications', to)).body.data;
  expect(row).toMatchObject(old);
  expect(row).not.toHaveProperty('params');
  const { mails } = await deliver([{ id, channel: 'email' }]);
  expect(mails[0]?.text).toContain('New order from Ada\nOrder #1: 1 item.\nآرڈر دیکھیں: ');
});

import { randomUUID } from 'node:crypto';
import { setupToken } from '../../admin/setup/service.ts';
import { setUpInput } from '../../admin/setup/testing/input.ts';
import { makeResetLink, makeVerificationLink } from '../mailed-links.ts';
import type { TestMarket } from '../market.ts';
import { clearSecondFactor } from '../second-factor.ts';
import { hire } from '../staff.ts';
import { pictureForm } from '../upload-picture.ts';
import { accountSamples } from './account-samples.ts';
import { attentionSamples } from './attention-samples.ts';
import { farmSamples } from './farm-samples.ts';
import { orderSamples } from './order-samples.ts';
import { productSamples } from './product-samples.ts';
import type { Party, Sample } from './sample.ts';
import { createSampleRecords } from './sample-records.ts';
import { secondFactorSamples } from './second-factor-samples.ts';

/** A day of the farm's pick list. */
const PICK_DAY = '2030-01-05';

/**
 * Returns one valid call of every endpoint, by `METHOD /path`, and the people who make them: those whose
 * records the calls are about, and strangers. Await `prepare` before any of them is made.
 */
export function createSamples(market: TestMarket) {
  const records = createSampleRecords(market);
  const { ids, own, strangers, prepare } = records;
  const { account, dayOfNewOrder, invitation, newCategory, newOrder } = records;
  const { newPlace, newProduct, newReport, newSlots, newUnreachable } = records;
  const { otherSession, placeWithoutHours } = records;
  const otherParty = (party: Party) => (party === 'consumer' ? own.farmer.id : own.consumer.id);
  const push = {
    endpoint: 'https://push.test/somebody',
    keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
  };
  const endpointOfPush = () => ({ body: { endpoint: push.endpoint } });
  const writtenPage = async (slug: string) => {
    const body = { title: 'A page', body: `Written ${randomUUID()}` };
    await market.call('PUT', `/market/pages/${slug}`, { as: strangers.admin, body });
    return slug;
  };
  const samples: Record<string, Sample> = {
    'POST /auth/register': { input: () => ({ body: account() }) },
    'POST /auth/login': {
      input: async () => {
        await clearSecondFactor(market, own.consumer.id);
        return { body: { email: own.consumer.email, password: 'password123' } };
      },
    },
    ...secondFactorSamples(market, own),
    'POST /auth/logout': {
      input: async (party) => (party === 'visitor' ? {} : { as: await market.join(party) }),
    },
    'GET /auth/me': {},
    'POST /auth/forgot-password': { input: () => ({ body: { email: own.consumer.email } }) },
    'POST /auth/reset-password': {
      input: async () => {
        const { id: userId } = await market.join('consumer');
        const token = await makeResetLink(market, userId);
        return { body: { token, password: 'brand new' } };
      },
    },

    'POST /auth/verification': {},
    'POST /auth/verify-email': {
      input: async () => {
        const { id: userId } = await market.join('consumer');
        return { body: { token: await makeVerificationLink(market, userId) } };
      },
    },
    'GET /auth/verify-email': {
      input: async () => ({
        query: `token=${await makeVerificationLink(market, own.consumer.id)}`,
      }),
    },
    'POST /auth/verify-email/not-me': {
      input: async () => {
        const { id: userId } = await market.join('consumer');
        return { body: { token: await makeVerificationLink(market, userId) } };
      },
    },
    'GET /auth/email': {},
    'PUT /auth/email': {
      // Somebody whom no other sample needs.
      input: async (party) => ({
        ...(party === 'visitor' ? {} : { as: await market.join(party) }),
        body: { email: account().email, password: 'password123' },
      }),
    },
    'GET /auth/sessions': {},
    'DELETE /auth/sessions': {},
    'DELETE /auth/sessions/:id': {
      input: async (party) => ({
        id: party === 'visitor' ? randomUUID() : await otherSession(party),
      }),
      // Nobody knows of the sessions of others.
      stranger: { consumer: 404, farmer: 404, admin: 404 },
    },

    'GET /users/farmers': {},
    'GET /users/farmers/:id': { input: () => ({ id: own.farmer.id }) },
    'PUT /users/farmers/profile': {
      input: () => ({ body: { farmName: 'Green Valley', description: 'Good soil.' } }),
    },

    'GET /users/farmers/:id/days': { input: () => ({ id: own.farmer.id }) },
    ...farmSamples(market, own),

    'GET /farm': {},
    'GET /farm/calendar': {},
    'POST /farm/calendar': {},
    'DELETE /farm/calendar': {},
    'GET /farm/members': {},
    'POST /farm/members': { input: () => ({ body: { email: account().email, role: 'packer' } }) },
    'POST /farm/members/link': { input: () => ({ body: { role: 'packer' } }) },
    'PUT /farm/members/:id': {
      input: async () => ({
        id: (await hire(market, own.farmer, 'packer')).memberId,
        body: { role: 'seller' },
      }),
      members: { manager: 403, packer: 403, seller: 403 },
      stranger: { farmer: 404 },
    },
    'DELETE /farm/members/:id': {
      input: async () => ({ id: (await hire(market, own.farmer, 'packer')).memberId }),
      members: { manager: 403, packer: 403, seller: 403 },
      stranger: { farmer: 404 },
    },
    'GET /invites': {},
    'GET /invites/:token': { input: async () => ({ id: await invitation() }) },
    'POST /invites/:token/accept': {
      input: async () => ({
        id: await invitation(),
        body: { name: 'Somebody', password: 'password123' },
      }),
      // Only visitors open an account, and the farmer works for a farm already.
      refused: { consumer: 403, farmer: 409, admin: 403 },
    },

    'GET /farm/places': {},
    'POST /farm/places': { input: async () => ({ body: await placeWithoutHours() }) },
    'PUT /farm/places/:id': {
      input: async () => ({ id: await newPlace(), body: { directions: 'Ring the bell.' } }),
      stranger: { farmer: 404 },
    },
    'DELETE /farm/places/:id': {
      input: async () => ({ id: await newPlace() }),
      stranger: { farmer: 404 },
    },
    'GET /users/farmers/:id/slots': { input: () => ({ id: own.farmer.id }) },
    'GET /farm/slots': {},
    'GET /farm/slots/:id/orders': {
      input: async () => ({ id: (await newSlots())[0] }),
      stranger: { farmer: 404 },
    },
    'PUT /farm/slots/:id': {
      input: async () => ({ id: (await newSlots())[0], body: { state: 'closed' } }),
      stranger: { farmer: 404 },
    },
    'POST /farm/slots/move-day': {
      input: () => ({ body: { date: '2030-01-01', toDate: '2030-01-02' } }),
    },
    'POST /farm/slots/:id/move': {
      input: async () => {
        const [id, toSlotId] = await newSlots();
        return { id, body: { toSlotId } };
      },
      stranger: { farmer: 404 },
    },
    'PUT /orders/:id/slot': {
      input: async () => ({ id: await newOrder(), body: { slotId: (await newSlots())[0] } }),
      stranger: { consumer: 404, farmer: 404 },
    },

    ...attentionSamples(market, { own, newOrder }),
    'GET /farm/picklist': { input: () => ({ query: `date=${PICK_DAY}` }) },
    'GET /farm/picklist/orders': { input: () => ({ query: `date=${PICK_DAY}` }) },
    'GET /farm/picklist/days': {},
    'POST /farm/picklist/prints': { input: () => ({ body: { date: PICK_DAY } }) },
    'GET /farm/picklist/prints/:id': {
      input: async () => {
        const body = { date: PICK_DAY };
        const print = await market.call('POST', '/farm/picklist/prints', { as: own.farmer, body });
        return { id: print.body.data._id };
      },
      stranger: { farmer: 404 },
    },
    'PUT /farm/picklist/ticks': {
      input: async () => ({
        body: { date: await dayOfNewOrder(), productId: ids.product, unit: 'bunch', quantity: 1 },
      }),
      stranger: { farmer: 404 },
    },
    'PUT /farm/picklist/seen': {
      input: async () => ({
        body: { date: PICK_DAY, changes: [{ orderId: await newOrder(), sequence: 1 }] },
      }),
    },
    'GET /farm/lots': { input: () => ({ query: 'lot=L-7' }) },
    'GET /farm/lots/file': { input: () => ({ query: 'lot=L-7' }) },
    'PUT /orders/:id/packing': {
      input: async () => ({
        id: await newOrder(ids.product, 'accepted'),
        body: { packing: 'packed', crates: 2 },
      }),
      stranger: { farmer: 404 },
    },

    ...accountSamples(market, records),
    'PUT /users/profile': { input: () => ({ body: { name: 'Somebody' } }) },
    'GET /users': {},
    'PUT /users/:id/suspension': {
      input: async () => ({
        id: (await market.join('consumer')).id,
        body: { suspended: true, reason: 'Spam' },
      }),
    },
    'POST /reports': {
      input: async (party) => ({
        body:
          party === 'farmer'
            ? { kind: 'order', id: await newOrder(), reason: 'other' }
            : {
                kind: 'product',
                id: await newProduct(),
                reason: 'misleading',
                text: 'Not organic.',
              },
      }),
      stranger: { farmer: 404 },
    },
    'GET /admin/reports': {},
    'GET /admin/reports/:id/messages': { input: async () => ({ id: await newReport() }) },
    'PUT /admin/reports/:id': {
      input: async () => ({ id: await newReport(), body: { outcome: 'dismissed' } }),
    },

    'POST /users/:id/mail-again': { input: newUnreachable },
    'DELETE /users/:id': { input: async () => ({ id: (await market.join('consumer')).id }) },

    'POST /client-errors': { input: () => ({ body: { message: 'It broke.' } }) },

    'GET /categories': {},
    'GET /events': {},
    'GET /market': {},
    // Never terms: without consent to these nobody could register any more.
    'GET /market/pages/:slug': { input: async () => ({ id: await writtenPage('privacy') }) },
    'PUT /market/pages/:slug': {
      input: () => ({ id: 'help', body: { title: 'Help', body: `Ask us. ${randomUUID()}` } }),
    },
    'DELETE /market/pages/:slug': { input: async () => ({ id: await writtenPage('about') }) },
    'PUT /market/announcement': { input: () => ({ body: { text: randomUUID() } }) },
    'PUT /market': { input: () => ({ body: { tagline: randomUUID() } }) },
    'GET /setup': {},
    // This market has an admin.
    'POST /setup': {
      input: () => ({ body: setUpInput({ token: setupToken(market.env) }) }),
      refused: { visitor: 409, consumer: 409, farmer: 409, admin: 409 },
    },
    'POST /categories': { input: () => ({ body: { name: randomUUID() } }) },
    'PUT /categories/:id': {
      input: async () => ({ id: await newCategory(), body: { name: randomUUID() } }),
    },
    'DELETE /categories/:id': { input: async () => ({ id: await newCategory() }) },

    ...productSamples(records),
    ...orderSamples(records),

    'POST /messages': {
      input: (party) => ({ body: { receiver: otherParty(party), content: 'Hello' } }),
      stranger: { consumer: 201, farmer: 404 },
    },
    'GET /messages': {},
    // A consumer may write to any farmer, and so open a thread that is still empty.
    'GET /messages/:userId': {
      input: (party) => ({ id: otherParty(party) }),
      stranger: { consumer: 200, farmer: 404 },
    },
    'PUT /messages/read/:userId': {
      input: (party) => ({ id: otherParty(party) }),
      stranger: { consumer: 200, farmer: 404 },
    },

    'GET /notifications': {},
    'PUT /notifications/read': { input: () => ({ body: {} }) },
    'GET /notifications/preferences': {},
    'PUT /notifications/preferences': { input: () => ({ body: {} }) },
    'GET /notifications/push-key': {},
    'POST /notifications/push-subscriptions': { input: () => ({ body: push }) },
    'DELETE /notifications/push-subscriptions': { input: endpointOfPush },
    'PUT /notifications/push-subscriptions': { input: endpointOfPush },

    'POST /uploads': { input: async () => ({ form: await pictureForm() }) },

    'POST /admin/queues-session': {},
    'POST /admin/held-deliveries': { input: () => ({ body: { action: 'drop' } }) },
    'GET /admin/stats': {},
    'GET /admin/feed': {},
    'GET /admin/audit': {},
    'GET /admin/orders/:id/notes': { input: async () => ({ id: await newOrder() }) },
    'POST /admin/orders/:id/notes': {
      input: async () => ({ id: await newOrder(), body: { content: 'They called.' } }),
    },
    'GET /admin/orders/:id/messages': { input: async () => ({ id: await newOrder() }) },
    'GET /admin/users/:id/notes': { input: () => ({ id: own.farmer.id }) },
    'POST /admin/users/:id/notes': {
      input: () => ({ id: own.farmer.id, body: { content: 'They called.' } }),
    },
    'GET /admin/users/:id': { input: () => ({ id: own.farmer.id }) },
    'GET /admin/users/:id/orders': { input: () => ({ id: own.consumer.id }) },
    'GET /admin/users/:id/products': { input: () => ({ id: own.farmer.id }) },
    'GET /admin/health': {},
    'POST /admin/test-mail': { input: () => ({ body: {} }) },
    'GET /admin/hidden-products': {},
    'GET /admin/exports/orders': {},
    'GET /admin/exports/users': {},
    'GET /admin/exports/audit': {},
  };

  return { samples, own, strangers, prepare };
}
